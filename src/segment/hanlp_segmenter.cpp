#include "segment/hanlp_segmenter.h"

#include <algorithm>
#include <array>
#include <limits>

#include "leitong/error.h"

namespace leitong::segment {
namespace {

enum CharType : std::uint8_t {
  char_single = 5,
  char_delimiter = 6,
  char_number = 9,
  char_index = 10,
  char_chinese_number = 11,
  char_other = 17
};

constexpr std::uint32_t known_bits = 12;
constexpr std::size_t look_ahead = 4;     // words of the path
constexpr std::uint32_t block_size = 64;  // places whose words are found before paths go through them

// Roles that together are a name, in the lowest bytes of a number; those of the last piece in the lowest.
struct Pattern {
  std::uint32_t roles = 0, mask = 0, size = 0;
  bool given_pair = false;

  constexpr Pattern(std::initializer_list<NameRole> list) {
    for (const NameRole role : list) {
      roles = roles << 8U | static_cast<std::uint32_t>(role);
      mask = mask << 8U | 0xFFU;
      ++size;
    }
    given_pair = size == 3 && (roles >> 8U & 0xFFU) == static_cast<std::uint32_t>(NameRole::C);
  }
};

using enum NameRole;
constexpr std::array<Pattern, 19> patterns{Pattern{Y},    Pattern{X, D},    Pattern{F, G},    Pattern{F, E},      Pattern{F, C},
                                           Pattern{F, B}, Pattern{E, G},    Pattern{E, E},    Pattern{D, G},      Pattern{B, Z},
                                           Pattern{B, G}, Pattern{B, E, E}, Pattern{B, E, C}, Pattern{B, E},      Pattern{B, C, D},
                                           Pattern{B, C}, Pattern{B, B, Z}, Pattern{B, B, E}, Pattern{B, B, C, D}};

// By the last two roles: whether some pattern may end so.
constexpr std::array<bool, name_roles * name_roles> pattern_ends = [] {
  std::array<bool, name_roles * name_roles> out{};
  for (std::uint32_t before = 0; before < name_roles; ++before) {
    for (std::uint32_t role = 0; role < name_roles; ++role) {
      for (const Pattern& pattern : patterns) {
        if (((before << 8U | role) & pattern.mask) == (pattern.roles & 0xFFFFU)) out[before * name_roles + role] = true;
      }
    }
  }
  return out;
}();

constexpr double unreached = std::numeric_limits<double>::infinity();

}  // namespace

HanlpSegmenter::HanlpSegmenter(const HanlpData& data) : data_(data), known_(std::size_t{1} << known_bits) {}

std::span<const HanlpToken> HanlpSegmenter::segment(std::u16string_view text) {
  tokens_.clear();
  if (text.empty()) return tokens_;
  if (text.size() >= std::size_t{1} << 31U)
    throw Error(ErrorCode::limit, "a text of 2^31 UTF-16 units or more cannot be segmented; split it");
  start(text);
  for (std::uint32_t begin = 0; begin < size_;) {
    const std::uint32_t end = find_words(begin);
    relax(begin, end);
    begin = end;
  }
  reserve_words(1);
  put_word(size_, 1, data_.constants.end);
  rows_[size_ + 1] = graph_count_ = count_;
  relax(size_, size_ + 1);
  trace_path();
  merge_custom();
  if (data_.any_added) merge_added();
  net_started_ = net_grew_ = false;
  if (assign_roles()) recognise_persons();
  if (any_translated_) recognise_translated();
  if (net_grew_) second_path();
  write_tokens();
  return tokens_;
}

void HanlpSegmenter::start(std::u16string_view text) {
  text_ = text;
  size_ = static_cast<std::uint32_t>(text.size());
  codes_.resize(std::size_t{size_} + 2);
  for (std::uint32_t i = 0; i < size_; ++i) codes_[i] = data_.codes[text[i]];
  codes_[size_] = codes_[size_ + 1] = 0;
  rows_.resize(std::size_t{size_} + 2);
  ends_.assign(std::size_t{size_} + 2, none);
  count_ = 0;
  reserve_words(1);
  put_word(0, 0, data_.constants.begin);
  words_[0].cost = 0;
  above_[0] = none;
  ends_[0] = 0;
  chain_ = 0;
  gap_ = none;
}

void HanlpSegmenter::reserve_words(std::uint32_t more) {
  constexpr std::size_t spare = 2;  // relax() looks at the words behind the last one, without using what they are
  if (words_.size() >= std::size_t{count_} + more + spare) return;
  words_.resize(std::max(std::size_t{count_} + more + spare, words_.size() * 2));
  above_.resize(words_.size());
}

void HanlpSegmenter::put_word(std::uint32_t begin, std::uint32_t length, std::uint32_t entry) {
  words_[count_++] = {unreached, 0, none, begin, length, entry, data_.steps[entry]};
}

// Finds the words at some places from `begin` on, and returns where it stopped: never within a gap, a run of places that the longest
// words leave without any word. Atoms fill it, so that a path exists. A gap runs on over Chinese numerals even where words begin.
std::uint32_t HanlpSegmenter::find_words(std::uint32_t begin) {
  const Trie trie = data_.core;
  const std::uint32_t root = Trie::base(trie.root());
  const std::uint32_t stop = size_ - begin < block_size ? size_ : begin + block_size;
  const std::uint16_t* const codes = codes_.data();
  for (std::uint32_t i = begin; i < stop; ++i) trie.prefetch(trie.child(root, codes[i]), codes[i + 1]);
  reserve_words(block_size * data_.constants.longest);
  std::uint32_t bound = stop, place = begin;
  while (place < bound) {
    if (place >= stop) reserve_words(data_.constants.longest);
    const std::uint32_t longest = put_words(trie.child(root, codes[place]), place);
    if (place == chain_) chain_ += longest;
    if (chain_ > place) {
      ++place;
      continue;
    }
    if (gap_ == none) {
      gap_ = place++;
      chain_ = 0;
      bound = size_;
    } else if (longest != 0 && data_.char_types[text_[place]] != char_chinese_number) {
      count_ = rows_[place];  // the words here come again, after the atoms
      fill_gap(gap_, place);
      reserve_words(block_size * data_.constants.longest);
      chain_ = place;
      bound = std::max(stop, place);
    } else {
      ++place;
    }
  }
  if (gap_ != none) fill_gap(gap_, place);
  rows_[place] = count_;
  return place;
}

// Puts the words of a place, of which the trie's `state` is the first unit, and returns the length of the longest.
inline std::uint32_t HanlpSegmenter::put_words(TrieCell state, std::uint32_t place) {
  const Trie trie = data_.core;
  const HanlpStep* const steps = data_.steps.data();
  const std::uint16_t* const codes = codes_.data();
  Word* word = words_.data() + count_;
  const Word* const reserved = word + data_.constants.longest;
  rows_[place] = count_;
  std::uint32_t longest = 0;
  for (std::uint32_t end = place; state != Trie::nowhere; state = trie.next(state, codes[end])) {
    ++end;
    if (!Trie::ends(state)) continue;
    longest = end - place;
    const std::uint32_t entry = Trie::value(state);
    __builtin_prefetch(steps + entry);
    word->cost = unreached;
    word->from = none;
    word->begin = place;
    word->length = longest;
    word->entry = entry;
    if (++word == reserved) break;  // a forged trie may be deeper than its longest word
  }
  count_ = static_cast<std::uint32_t>(word - words_.data());
  return longest;
}

// Puts the atoms of a gap behind the words of their places.
void HanlpSegmenter::fill_gap(std::uint32_t begin, std::uint32_t end) {
  gap_ = none;
  atoms_.clear();
  rows_[end] = count_;
  find_atoms(begin, end);
  held_.assign(words_.begin() + rows_[begin], words_.begin() + count_);
  reserve_words(static_cast<std::uint32_t>(atoms_.size()) + 2);
  count_ = rows_[begin];
  std::size_t held = 0, atom = 0;
  for (std::uint32_t place = begin; place < end; ++place) {
    rows_[place] = count_;
    for (; held < held_.size() && held_[held].begin == place; ++held) words_[count_++] = held_[held];
    for (; atom < atoms_.size() && atoms_[atom].begin == place; ++atom) put_word(place, atoms_[atom].length, atoms_[atom].entry);
  }
}

// Cuts a gap where the type of character changes; a point or comma between digits does not count.
void HanlpSegmenter::find_atoms(std::uint32_t begin, std::uint32_t end) {
  const auto type = [&](std::uint32_t place) { return data_.char_types[text_[place]]; };
  std::uint8_t previous = type(begin);
  for (std::uint32_t at = begin + 1; at < end; ++at) {
    const std::uint8_t current = type(at);
    if (current != previous) {
      const char16_t c = text_[at];
      const bool point = c == u'，' || c == u',' || c == u'．' || c == u'.';
      if (previous == char_number && point && at + 1 < end && type(at + 1) == char_number) continue;
      add_atom(begin, at - begin, previous);
      begin = at;
    }
    previous = current;
  }
  add_atom(begin, end - begin, previous);
}

void HanlpSegmenter::add_atom(std::uint32_t begin, std::uint32_t length, std::uint8_t type) {
  const HanlpConstants& entry = data_.constants;
  std::uint32_t kind = entry.atom_noun;
  if (type == char_number || type == char_index || type == char_chinese_number) kind = entry.atom_number;
  if (type == char_delimiter || type == char_other) kind = entry.atom_mark;
  if (type == char_single) kind = entry.atom_string;
  for (std::uint32_t i = rows_[begin]; i < rows_[begin + 1]; ++i) {
    if (words_[i].length == length) return;
  }
  atoms_.push_back({begin, length, kind});
}

// Gives the new words their steps, and has the pairs read meanwhile that relax() will ask for: of each word and the first one after it,
// which is most of them. From the back, so that the words after a word have their steps.
void HanlpSegmenter::look_up_steps(std::uint32_t begin, std::uint32_t end) {
  const HanlpStep* const steps = data_.steps.data();
  const std::uint32_t* const rows = rows_.data();
  Word* const words = words_.data();
  const HanlpPairs pairs = data_.pairs;
  const std::uint32_t first = rows[begin];
  for (std::uint32_t i = rows[end]; i-- > first;) {
    const HanlpStep step = steps[words[i].entry];
    words[i].step = step;
    pairs.row(step.row).prefetch(words[rows[std::min(words[i].begin + words[i].length, end)]].step.second);
  }
}

// Carries the cheapest paths from the words that end at each place to those that begin there. Of equal paths the one by the word that
// stands first in the graph wins: the chains of ends run from the last to the first, so an equal one takes over.
void HanlpSegmenter::relax(std::uint32_t begin, std::uint32_t end) {
  look_up_steps(begin, end);
  const HanlpPairs pairs = data_.pairs;
  const HanlpLevel* const levels = data_.levels.data();
  const double* const pair_costs = data_.pair_costs.data();
  const std::uint32_t* const rows = rows_.data();
  Word* const words = words_.data();
  for (std::uint32_t place = begin; place < end; ++place) {
    if (ends_[place] == none) continue;  // no path leads here
    Word* const first = words + rows[place];
    Word* const last = words + rows[place + 1];
    for (std::uint32_t from = ends_[place]; from != none; from = above_[from]) {
      const HanlpStep step = words[from].step;
      const HanlpLevel level = levels[step.level & ~HanlpStep::other];
      const HanlpPairs::Row row = pairs.row(step.row);
      const bool usual = (step.level & HanlpStep::other) == 0;
      const double before = words[from].cost;
      for (Word* to = first; to < last; ++to) {
        const std::uint16_t second = to->step.second;
        double edge = second == HanlpStep::outside_core ? level.cost1 : level.cost0;
        if (const std::uint32_t pair = row.find(second); pair != HanlpPairs::none) edge = usual ? pair_costs[pair] : pair_cost(step, pair);
        const double cost = before + edge;
        if (to->cost >= cost) {
          to->cost = cost;
          to->from = from;
          to->edge = edge;
        }
      }
    }
    for (std::uint32_t to = rows[place]; to < rows[place + 1]; ++to) {
      std::uint32_t& ends = ends_[place + words[to].length];
      above_[to] = ends;
      ends = to;
    }
  }
}

double HanlpSegmenter::pair_cost(HanlpStep from, std::uint32_t pair) {
  if ((from.level & HanlpStep::other) == 0) return data_.pair_costs[pair];
  return known_cost(data_.frequencies[from.level & ~HanlpStep::other], data_.pair_frequencies[pair]);
}

double HanlpSegmenter::known_cost(std::int32_t frequency, std::int32_t pair_frequency) {
  const std::uint64_t key = (std::uint64_t{static_cast<std::uint32_t>(frequency)} << 32U | static_cast<std::uint32_t>(pair_frequency)) + 1;
  KnownCost& known = known_[(key * 0x9E3779B97F4A7C15U) >> (64U - known_bits)];
  if (known.key != key) known = {key, hanlp_cost(frequency, pair_frequency)};
  return known.cost;
}

// The cost of an edge between any words; relax() does the same for those of the graph.
double HanlpSegmenter::edge(const Word& from, const Word& to) {
  const std::uint32_t number = from.step.level & ~HanlpStep::other;
  const HanlpLevel& level = data_.levels[number];
  const bool outside = from.step.second == HanlpStep::outside_core;
  if (outside || to.step.second == HanlpStep::outside_core) {  // it counts its own frequency as that of the pair
    const std::uint32_t frequency = outside ? from.step.row : to.step.row;
    return frequency == 1 ? level.cost1 : known_cost(data_.frequencies[number], static_cast<std::int32_t>(frequency));
  }
  const std::uint32_t pair = data_.pairs.row(from.step.row).find(to.step.second);
  return pair == HanlpPairs::none ? level.cost0 : pair_cost(from.step, pair);
}

void HanlpSegmenter::trace_path() {
  path_.clear();
  for (std::uint32_t at = graph_count_ - 1; at != none; at = words_[at].from) {
    __builtin_prefetch(&data_.tags[words_[at].entry]);
    path_.push_back(at);
  }
  std::reverse(path_.begin(), path_.end());
}

std::uint32_t HanlpSegmenter::add_word(std::uint32_t begin, std::uint32_t length, std::uint32_t entry) {
  reserve_words(1);
  put_word(begin, length, entry);
  return count_ - 1;
}

// Words of the path that together are a custom word become one; the longest run wins. A custom word that is one word of the path
// gives it its nature and frequency, and nothing else.
void HanlpSegmenter::merge_custom() {
  renamed_.clear();
  std::size_t kept = 1;
  const std::size_t last = path_.size() - 1;
  for (std::size_t i = 1; i < last;) {
    const Word& ahead = words_[path_[std::min(i + look_ahead, last - 1)]];
    const HanlpTag tag = data_.tags[ahead.entry];
    data_.custom.prefetch(tag.custom & Trie::base_mask, codes_[ahead.begin + ahead.length]);
    __builtin_prefetch(&data_.next_roles[std::size_t{tag.roles} * name_roles]);
    std::uint32_t word = path_[i];
    const std::uint32_t custom = data_.tags[words_[word].entry].custom;
    // Most words are no custom word, and no custom word goes on from them into the next.
    if ((custom & HanlpTag::custom_ends) == 0 &&
        data_.custom.child(custom, codes_[words_[word].begin + words_[word].length]) == Trie::nowhere) {
      ++i;
    } else {
      i = merge_run(data_.custom, i, word);
    }
    path_[kept++] = word;
  }
  path_[kept++] = path_[last];
  path_.resize(kept);
}

void HanlpSegmenter::merge_added() {
  std::size_t kept = 1;
  const std::size_t last = path_.size() - 1;
  for (std::size_t i = 1; i < last;) {
    std::uint32_t word = path_[i];
    i = merge_run(data_.added, i, word);
    path_[kept++] = word;
  }
  path_[kept++] = path_[last];
  path_.resize(kept);
}

// The longest run of words from path_[at] on: gives the word that takes its place, returns where the path goes on.
std::size_t HanlpSegmenter::merge_run(const Trie& trie, std::size_t at, std::uint32_t& word) {
  const std::size_t last = path_.size() - 1;
  std::size_t end = at + 1;
  std::uint32_t value = no_value;
  TrieCell state = trie.root();
  for (std::size_t to = at; to < last; ++to) {
    const Word& next = words_[path_[to]];
    state = trie.walk(state, codes_.data() + next.begin, next.length);
    if (state == Trie::nowhere) break;
    if (!Trie::ends(state)) continue;
    value = Trie::value(state);
    end = to + 1;
  }
  if (value == no_value) return end;
  const std::uint32_t begin = words_[word].begin;
  if (end == at + 1) {
    words_[word].entry = value;
    words_[word].step.level = data_.steps[value].level | HanlpStep::other;
    renamed_.push_back(word);
  } else {
    const Word& tail = words_[path_[end - 1]];
    word = add_word(begin, tail.begin + tail.length - begin, value);
  }
  return end;
}

// Each word takes the role that is cheapest after the role before it. True if there may be a name.
bool HanlpSegmenter::assign_roles() {
  constexpr std::uint32_t no_part = 1U << static_cast<unsigned>(NameRole::A) | 1U << static_cast<unsigned>(NameRole::K) |
                                    1U << static_cast<unsigned>(NameRole::L) | 1U << static_cast<unsigned>(NameRole::M);
  roles_.resize(path_.size());
  any_translated_ = false;
  auto role = static_cast<std::uint8_t>(NameRole::K);
  roles_[0] = role;
  std::uint32_t seen = 0;
  for (std::size_t i = 1; i < path_.size(); ++i) {
    const Word& word = words_[path_[i]];
    const HanlpTag tag = data_.tags[word.entry];
    std::uint32_t name = tag.roles;
    if (name == HanlpTag::ask_names) {
      name = data_.names.find(codes_.data() + word.begin, word.length);
      if (name == no_value) name = data_.constants.no_name;
    }
    role = data_.next_roles[std::size_t{name} * name_roles + role];
    roles_[i] = role;
    seen |= 1U << role;
    any_translated_ |= tag.nature == data_.constants.nature_nrf;
  }
  return (seen & ~no_part) != 0;
}

// A role U is context and surname in one word, V is the end of a name and context in one: both are split. A word of role V leaves what
// came before it in force.
void HanlpSegmenter::recognise_persons() {
  std::array<Piece, 4> last{};
  std::uint32_t roles = 0;
  const auto piece = [&](std::uint32_t begin, std::uint32_t end, NameRole role) {
    last = {last[1], last[2], last[3], {begin, end}};
    roles = roles << 8U | static_cast<std::uint32_t>(role);
    if (pattern_ends[(roles >> 8U & 0xFFU) * name_roles + (roles & 0xFFU)]) match_patterns(roles, last);
  };
  roles = 0x01010101U * static_cast<std::uint32_t>(NameRole::A);
  NameRole before = NameRole::A;
  for (std::size_t i = 0; i < path_.size(); ++i) {
    const Word& word = words_[path_[i]];
    const std::uint32_t begin = word.begin, end = word.begin + word.length;
    const auto role = static_cast<NameRole>(roles_[i]);
    if (role == NameRole::U) {
      piece(begin, end - 1, NameRole::K);
      piece(end - 1, end, NameRole::B);
      before = NameRole::B;
    } else if (role == NameRole::V) {
      piece(begin, begin + 1, before == NameRole::B ? NameRole::E : NameRole::D);
      piece(begin + 1, end, NameRole::L);
    } else {
      piece(begin, end, role);
      before = role;
    }
  }
}

// All patterns that end at a place, from the alphabet's end to its begin: the first name of a length at a place wins.
void HanlpSegmenter::match_patterns(std::uint32_t roles, std::span<const Piece, 4> last) {
  for (const Pattern& known : patterns) {
    if ((roles & known.mask) == known.roles) take_name(last[4 - known.size].begin, last[3].end, known.given_pair);
  }
}

void HanlpSegmenter::take_name(std::uint32_t begin, std::uint32_t end, bool given_pair) {
  if (end > size_) return;  // the sentence's end is part of no name
  if (given_pair && text_[begin] == text_[begin + 2]) return;
  const std::uint32_t known = data_.names.find(codes_.data() + begin, end - begin);
  if (known != no_value && data_.no_names[known] != 0) return;
  insert(add_word(begin, end - begin, data_.constants.person));
}

void HanlpSegmenter::recognise_translated() {
  std::uint32_t begin = 0, count = 0;
  for (std::size_t i = 1; i < path_.size(); ++i) {
    const Word& word = words_[path_[i]];
    const bool starts = data_.tags[word.entry].nature == data_.constants.nature_nrf;
    if (count == 0) {
      if (starts) {
        begin = word.begin;
        count = 1;
      }
      continue;
    }
    if (starts || (word.begin < size_ && data_.translated.find(codes_.data() + word.begin, word.length) != no_value)) {
      ++count;
      continue;
    }
    if (count > 1) insert(add_word(begin, word.begin - begin, data_.constants.translated));
    count = 0;
  }
}

void HanlpSegmenter::write_tokens() {
  tokens_.resize(path_.size() - 2);
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const Word& word = words_[path_[i + 1]];
    tokens_[i] = {word.begin, word.length, data_.tags[word.entry].nature};
  }
}

void HanlpSegmenter::start_net() {
  net_started_ = true;
  items_.clear();
  net_.assign(std::size_t{size_} + 1, {});
  for (std::size_t i = 1; i < path_.size(); ++i) net_[words_[path_[i]].begin].word = path_[i];
}

void HanlpSegmenter::append(std::uint32_t place, std::uint32_t word) {
  std::uint32_t* link = &net_[place].more;
  while (*link != none) link = &items_[*link].next;
  *link = static_cast<std::uint32_t>(items_.size());
  items_.push_back({word, none});
}

std::uint32_t HanlpSegmenter::row_size(std::uint32_t place) const {
  std::uint32_t size = net_[place].word == none ? 0 : 1;
  for (std::uint32_t i = net_[place].more; i != none; i = items_[i].next) ++size;
  return size;
}

// Puts a name in the thin graph. Words of the full graph that lead to it from the four places before come along, twice if they were there,
// and all words of the place after it when that had none.
void HanlpSegmenter::insert(std::uint32_t word) {
  if (!net_started_) start_net();
  const std::uint32_t place = words_[word].begin, length = words_[word].length;
  if (net_[place].word != none && words_[net_[place].word].length == length) return;
  for (std::uint32_t i = net_[place].more; i != none; i = items_[i].next) {
    if (words_[items_[i].word].length == length) return;
  }
  append(place, word);
  net_grew_ = true;
  const std::uint32_t stop = place > 4 ? place - 4 : 0;
  for (std::uint32_t before = place; before-- > stop;) {
    const std::uint32_t first = rows_[before], last = rows_[before + 1];
    if (last - first <= row_size(before)) continue;
    for (std::uint32_t i = first; i < last; ++i) {
      if (before + words_[i].length == place) append(before, i);
    }
  }
  const std::uint32_t after = place + length;
  if (row_size(after) != 0) return;
  for (std::uint32_t i = rows_[after]; i < rows_[after + 1]; ++i) append(after, i);
}

// The words keep the costs and predecessors of the first path, so a predecessor that is no longer in the graph may stay the best.
// An edge between words of the full graph was part of the first path's reckoning: it can change something only if the word that it leaves
// has another cost or entry since.
void HanlpSegmenter::improve(std::uint32_t from, std::uint32_t place) {
  const Word& word = words_[from];
  const bool changed = changed_[from] != change_same, renamed = changed_[from] == change_entry;
  const auto reach = [&](std::uint32_t to) {
    if (!changed && to < graph_count_) return;
    const double way = words_[to].from == from && !renamed ? words_[to].edge : edge(word, words_[to]);
    const double cost = word.cost + way;
    if (words_[to].from != none && words_[to].cost <= cost) return;
    words_[to].from = from;
    words_[to].cost = cost;
    words_[to].edge = way;
    if (changed_[to] == change_same) changed_[to] = change_cost;
  };
  if (net_[place].word != none) reach(net_[place].word);
  for (std::uint32_t i = net_[place].more; i != none; i = items_[i].next) reach(items_[i].word);
}

void HanlpSegmenter::second_path() {
  changed_.assign(count_, change_same);
  for (const std::uint32_t word : renamed_) changed_[word] = change_entry;
  improve(0, 0);
  const auto leave = [&](std::uint32_t from, std::uint32_t place) {
    if (words_[from].from != none) improve(from, place + words_[from].length);
  };
  for (std::uint32_t place = 0; place < size_; ++place) {
    if (net_[place].word != none) leave(net_[place].word, place);
    for (std::uint32_t i = net_[place].more; i != none; i = items_[i].next) leave(items_[i].word, place);
  }
  trace_path();
}

}  // namespace leitong::segment
