#include "segment/hanlp_segmenter.h"

#include <algorithm>
#include <array>
#include <limits>

#include "leitong/error.h"

namespace leitong::segment {
namespace {

enum CharType : std::uint8_t { kSingle = 5, kDelimiter = 6, kNumber = 9, kIndex = 10, kChineseNumber = 11, kOther = 17 };

constexpr std::uint32_t kKnownBits = 12;

}  // namespace

HanlpSegmenter::HanlpSegmenter(const HanlpData& data) : data_(data), known_(std::size_t{1} << kKnownBits) {}

std::span<const HanlpToken> HanlpSegmenter::segment(std::u16string_view text) {
  tokens_.clear();
  if (text.empty()) return tokens_;
  if (text.size() >= std::size_t{1} << 31U)
    throw Error(ErrorCode::limit, "a text of 2^31 UTF-16 units or more cannot be segmented; split it");
  code_text(text);
  find_core_words();
  find_atoms();
  build_rows();
  cheapest_path();
  trace_path();
  merge_custom(data_.custom);
  if (data_.any_added) merge_custom(data_.added);
  net_started_ = net_grew_ = false;
  recognise_persons();
  recognise_translated();
  if (net_grew_) second_path();
  tokens_.reserve(path_.size());
  for (std::size_t i = 1; i + 1 < path_.size(); ++i) {
    const Word& word = words_[path_[i]];
    tokens_.push_back({word.begin, word.length, data_.entries[word.entry].nature});
  }
  return tokens_;
}

void HanlpSegmenter::code_text(std::u16string_view text) {
  text_ = text;
  size_ = static_cast<std::uint32_t>(text.size());
  codes_.resize(size_);
  for (std::uint32_t i = 0; i < size_; ++i) codes_[i] = data_.codes[text[i]];
}

void HanlpSegmenter::find_core_words() {
  matches_.clear();
  match_starts_.resize(size_ + 1);
  const Trie trie = data_.core;
  for (std::uint32_t begin = 0; begin < size_; ++begin) {
    match_starts_[begin] = static_cast<std::uint32_t>(matches_.size());
    std::uint32_t state = Trie::kRoot;
    for (std::uint32_t i = begin; i < size_; ++i) {
      state = trie.next(state, codes_[i]);
      if (state == Trie::kNowhere) break;
      if (trie.ends(state)) matches_.push_back({begin, i + 1 - begin, trie.value(state)});
    }
  }
  match_starts_[size_] = static_cast<std::uint32_t>(matches_.size());
}

// Atoms fill the places that the longest words leave without any word, so that a path exists. Such a gap runs on over Chinese numerals
// even where words begin.
void HanlpSegmenter::find_atoms() {
  atoms_.clear();
  const auto any = [&](std::uint32_t place) { return match_starts_[place] != match_starts_[place + 1]; };
  for (std::uint32_t place = 0; place < size_;) {
    if (any(place)) {
      place += matches_[match_starts_[place + 1] - 1].length;
      continue;
    }
    std::uint32_t end = place + 1;
    while (end < size_ && (!any(end) || data_.char_types[text_[end]] == kChineseNumber)) ++end;
    add_atoms(place, end);
    place = end;
  }
}

// Cuts a gap where the type of character changes; a point or comma between digits does not count.
void HanlpSegmenter::add_atoms(std::uint32_t begin, std::uint32_t end) {
  const auto type = [&](std::uint32_t place) { return data_.char_types[text_[place]]; };
  std::uint8_t previous = type(begin);
  for (std::uint32_t at = begin + 1; at < end; ++at) {
    const std::uint8_t current = type(at);
    if (current != previous) {
      const char16_t c = text_[at];
      const bool point = c == u'，' || c == u',' || c == u'．' || c == u'.';
      if (previous == kNumber && point && at + 1 < end && type(at + 1) == kNumber) continue;
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
  if (type == kNumber || type == kIndex || type == kChineseNumber) kind = entry.atom_number;
  if (type == kDelimiter || type == kOther) kind = entry.atom_mark;
  if (type == kSingle) kind = entry.atom_string;
  for (std::uint32_t i = match_starts_[begin]; i < match_starts_[begin + 1]; ++i) {
    if (matches_[i].length == length) return;
  }
  atoms_.push_back({begin, length, kind});
}

void HanlpSegmenter::build_rows() {
  words_.clear();
  words_.reserve(matches_.size() + atoms_.size() + 16);
  row_starts_.resize(std::size_t{size_} + 3);
  const auto add = [&](std::uint32_t begin, std::uint32_t length, std::uint32_t entry, std::uint32_t core) {
    words_.push_back({0, kNone, begin, length, data_.entries[entry].id, entry, core});
  };
  row_starts_[0] = 0;
  add(0, 0, data_.constants.begin, kNone);
  std::size_t atom = 0;
  for (std::uint32_t place = 0; place < size_; ++place) {
    row_starts_[place + 1] = static_cast<std::uint32_t>(words_.size());
    for (std::uint32_t i = match_starts_[place]; i < match_starts_[place + 1]; ++i)
      add(place, matches_[i].length, matches_[i].entry, matches_[i].entry);
    for (; atom < atoms_.size() && atoms_[atom].begin == place; ++atom) add(place, atoms_[atom].length, atoms_[atom].entry, kNone);
  }
  row_starts_[size_ + 1] = static_cast<std::uint32_t>(words_.size());
  add(size_, 1, data_.constants.end, kNone);
  row_starts_[size_ + 2] = static_cast<std::uint32_t>(words_.size());
}

double HanlpSegmenter::known_cost(std::int32_t frequency, std::int32_t pair_frequency) {
  const std::uint64_t key = (std::uint64_t{static_cast<std::uint32_t>(frequency)} << 32U | static_cast<std::uint32_t>(pair_frequency)) + 1;
  KnownCost& known = known_[(key * 0x9E3779B97F4A7C15U) >> (64U - kKnownBits)];
  if (known.key != key) known = {key, hanlp_cost(frequency, pair_frequency)};
  return known.cost;
}

double HanlpSegmenter::edge(const Word& from, const Word& to) {
  const HanlpEntry& entry = data_.entries[from.entry];
  if ((from.id | to.id) < 0) {  // a word outside of the core dictionary counts its own frequency as that of the pair
    const std::int32_t frequency = from.id < 0 ? -from.id : -to.id;
    return frequency == 1 ? entry.cost1 : known_cost(entry.frequency, frequency);
  }
  const auto first = static_cast<std::uint32_t>(from.id), second = static_cast<std::uint32_t>(to.id);
  const std::uint64_t key = std::uint64_t{first} << 17U | second;
  const std::size_t mask = data_.pairs.size() - 1;
  for (std::size_t at = hanlp_pair_slot(first, second, data_.constants.pair_bits);; at = (at + 1) & mask) {
    const HanlpPair& pair = data_.pairs[at];
    if (pair.key == 0) return entry.cost0;
    if (pair.key >> 17U != key) continue;
    return entry.usual != 0 ? pair.cost : known_cost(entry.frequency, static_cast<std::int32_t>(pair.key & 0x1FFFFU));
  }
}

void HanlpSegmenter::cheapest_path() {
  const std::uint32_t end = row_starts_[size_ + 1];
  for (std::uint32_t from = 0; from < end; ++from) {
    const Word word = words_[from];
    if (word.from == kNone && from != 0) continue;  // no path leads here
    const std::uint32_t row = word.begin + word.length + 1;
    for (std::uint32_t to = row_starts_[row]; to < row_starts_[row + 1]; ++to) {
      const double cost = word.cost + edge(word, words_[to]);
      if (words_[to].from == kNone || words_[to].cost > cost) {
        words_[to].from = from;
        words_[to].cost = cost;
      }
    }
  }
}

void HanlpSegmenter::trace_path() {
  path_.clear();
  for (std::uint32_t at = row_starts_[size_ + 1]; at != kNone; at = words_[at].from) path_.push_back(at);
  std::reverse(path_.begin(), path_.end());
}

std::uint32_t HanlpSegmenter::add_word(std::uint32_t begin, std::uint32_t length, std::uint32_t entry) {
  words_.push_back({0, kNone, begin, length, data_.entries[entry].id, entry, kNone});
  return static_cast<std::uint32_t>(words_.size() - 1);
}

// Words of the path that together are a custom word become one; the longest run wins. A custom word that is one word of the path
// gives it its nature and frequency, and nothing else.
void HanlpSegmenter::merge_custom(const Trie& trie) {
  const auto walk = [&](std::uint32_t state, const Word& word) {
    for (std::uint32_t i = word.begin; i < word.begin + word.length && state != Trie::kNowhere; ++i) state = trie.next(state, codes_[i]);
    return state;
  };
  std::size_t kept = 1;
  const std::size_t last = path_.size() - 1;
  for (std::size_t i = 1; i < last;) {
    std::size_t end = i + 1;
    std::uint32_t value = kNoValue;
    std::uint32_t state = walk(Trie::kRoot, words_[path_[i]]);
    for (std::size_t to = i + 1; state != Trie::kNowhere; ++to) {
      if (trie.ends(state)) {
        value = trie.value(state);
        end = to;
      }
      if (to == last) break;
      state = walk(state, words_[path_[to]]);
    }
    std::uint32_t word = path_[i];
    if (value != kNoValue && end == i + 1) words_[word].entry = value;
    if (value != kNoValue && end > i + 1) {
      const Word& tail = words_[path_[end - 1]];
      word = add_word(words_[word].begin, tail.begin + tail.length - words_[word].begin, value);
    }
    path_[kept++] = word;
    i = end;
  }
  path_[kept++] = path_[last];
  path_.resize(kept);
}

std::uint32_t HanlpSegmenter::name_word(const Word& word) const {
  if (word.core != kNone) return data_.entries[word.core].name;
  if (word.begin == size_) return data_.constants.name_blank;
  const std::uint32_t found = data_.names.find(codes_.data() + word.begin, word.length);
  return found == kNoValue ? kNoName : found;
}

// Each word takes the role that is cheapest after the role before it, without looking further.
void HanlpSegmenter::assign_roles() {
  pieces_.clear();
  pieces_.push_back({0, 0, NameRole::K});
  any_name_role_ = false;
  auto before = static_cast<std::uint32_t>(NameRole::K);
  for (std::size_t i = 1; i < path_.size(); ++i) {
    const Word& word = words_[path_[i]];
    const HanlpEntry& entry = data_.entries[word.entry];
    std::uint32_t name = name_word(word);
    if (name == kNoName && entry.nature == data_.constants.nature_nr && entry.frequency <= 1000 && word.length == 2)
      name = data_.constants.name_pair;
    if (name == kNoName && entry.nature == data_.constants.nature_nnt) name = data_.constants.name_title;
    std::uint32_t best = before;
    if (name == kNoName) {
      best = static_cast<std::uint32_t>(NameRole::A);
    } else {
      double least = std::numeric_limits<double>::max();
      for (std::uint32_t k = data_.role_starts[name]; k < data_.role_starts[name + 1]; ++k) {
        const HanlpRole& role = data_.roles[k];
        const double cost = data_.transitions[before * kNameRoles + role.role] - role.log;
        if (least > cost) {
          least = cost;
          best = role.role;
        }
      }
    }
    before = best;
    const auto role = static_cast<NameRole>(best);
    if (role != NameRole::A && role != NameRole::K && role != NameRole::L && role != NameRole::M) any_name_role_ = true;
    pieces_.push_back({word.begin, word.length, role});
  }
}

// A role U is context and surname in one word, V is the end of a name and context in one: both are split. A word of role V leaves what
// came before it in force.
void HanlpSegmenter::recognise_persons() {
  assign_roles();
  if (!any_name_role_) return;
  const auto splits = [](const Piece& piece) { return piece.role == NameRole::U || piece.role == NameRole::V; };
  if (std::any_of(pieces_.begin(), pieces_.end(), splits)) {
    std::vector<Piece> whole;
    whole.swap(pieces_);
    NameRole before = NameRole::A;
    for (const Piece& piece : whole) {
      if (piece.role == NameRole::U) {
        pieces_.push_back({piece.begin, piece.length - 1, NameRole::K});
        pieces_.push_back({piece.begin + piece.length - 1, 1, NameRole::B});
        before = NameRole::B;
      } else if (piece.role == NameRole::V) {
        pieces_.push_back({piece.begin, 1, before == NameRole::B ? NameRole::E : NameRole::D});
        pieces_.push_back({piece.begin + 1, piece.length - 1, NameRole::L});
      } else {
        pieces_.push_back(piece);
        before = piece.role;
      }
    }
  }
  match_patterns();
}

// All patterns that end at a place, from the alphabet's end to its begin: the first name of a length at a place wins.
void HanlpSegmenter::match_patterns() {
  using enum NameRole;
  struct Pattern {
    std::array<NameRole, 4> roles;
    unsigned size;
  };
  static constexpr std::array<Pattern, 19> kPatterns{{{{Y}, 1},
                                                      {{X, D}, 2},
                                                      {{F, G}, 2},
                                                      {{F, E}, 2},
                                                      {{F, C}, 2},
                                                      {{F, B}, 2},
                                                      {{E, G}, 2},
                                                      {{E, E}, 2},
                                                      {{D, G}, 2},
                                                      {{B, Z}, 2},
                                                      {{B, G}, 2},
                                                      {{B, E, E}, 3},
                                                      {{B, E, C}, 3},
                                                      {{B, E}, 2},
                                                      {{B, C, D}, 3},
                                                      {{B, C}, 2},
                                                      {{B, B, Z}, 3},
                                                      {{B, B, E}, 3},
                                                      {{B, B, C, D}, 4}}};
  constexpr std::uint32_t kLast = 1U << static_cast<unsigned>(B) | 1U << static_cast<unsigned>(C) | 1U << static_cast<unsigned>(D) |
                                  1U << static_cast<unsigned>(E) | 1U << static_cast<unsigned>(G) | 1U << static_cast<unsigned>(Y) |
                                  1U << static_cast<unsigned>(Z);
  for (std::uint32_t i = 0; i < pieces_.size(); ++i) {
    if ((kLast >> static_cast<unsigned>(pieces_[i].role) & 1U) == 0) continue;
    for (const Pattern& pattern : kPatterns) {
      if (pattern.size > i + 1) continue;
      const std::uint32_t begin = i + 1 - pattern.size;
      unsigned same = 0;
      while (same < pattern.size && pieces_[begin + same].role == pattern.roles[same]) ++same;
      if (same == pattern.size) take_name(begin, i, pattern.size == 3 && pattern.roles[1] == C);
    }
  }
}

void HanlpSegmenter::take_name(std::uint32_t begin, std::uint32_t end, bool given_pair) {
  const std::uint32_t at = pieces_[begin].begin;
  const std::uint32_t length = pieces_[end].begin + pieces_[end].length - at;
  if (given_pair && text_[at] == text_[at + 2]) return;
  const std::uint32_t known = data_.names.find(codes_.data() + at, length);
  if (known != kNoValue) {
    for (std::uint32_t k = data_.role_starts[known]; k < data_.role_starts[known + 1]; ++k) {
      if (data_.roles[k].role == static_cast<std::uint32_t>(NameRole::A)) return;  // listed as no name
    }
  }
  insert(add_word(at, length, data_.constants.person));
}

void HanlpSegmenter::recognise_translated() {
  std::uint32_t begin = 0, count = 0;
  for (std::size_t i = 1; i < path_.size(); ++i) {
    const Word& word = words_[path_[i]];
    const bool starts = data_.entries[word.entry].nature == data_.constants.nature_nrf;
    if (count == 0) {
      if (starts) {
        begin = word.begin;
        count = 1;
      }
      continue;
    }
    if (starts || (word.begin < size_ && data_.translated.find(codes_.data() + word.begin, word.length) != kNoValue)) {
      ++count;
      continue;
    }
    if (count > 1) insert(add_word(begin, word.begin - begin, data_.constants.translated));
    count = 0;
  }
}

void HanlpSegmenter::start_net() {
  net_started_ = true;
  items_.clear();
  net_.assign(std::size_t{size_} + 2, {});
  append(0, path_[0]);
  for (std::size_t i = 1; i < path_.size(); ++i) append(words_[path_[i]].begin + 1, path_[i]);
}

void HanlpSegmenter::append(std::uint32_t row, std::uint32_t word) {
  const auto item = static_cast<std::uint32_t>(items_.size());
  items_.push_back({word, kNone});
  Row& to = net_[row];
  (to.count == 0 ? to.first : items_[to.last].next) = item;
  to.last = item;
  ++to.count;
}

// Puts a name in the thin graph. Words of the full graph that lead to it from the four rows before come along, twice if they were there,
// and the whole row after it when that row was empty.
void HanlpSegmenter::insert(std::uint32_t word) {
  if (!net_started_) start_net();
  const std::uint32_t row = words_[word].begin + 1, length = words_[word].length;
  for (std::uint32_t i = net_[row].first; i != kNone; i = items_[i].next) {
    if (words_[items_[i].word].length == length) return;
  }
  append(row, word);
  net_grew_ = true;
  const std::uint32_t stop = row > 5 ? row - 5 : 0;
  for (std::uint32_t before = row - 1; before > stop; --before) {
    const std::uint32_t first = row_starts_[before], last = row_starts_[before + 1];
    if (last - first <= net_[before].count) continue;
    for (std::uint32_t i = first; i < last; ++i) {
      if (before + words_[i].length == row) append(before, i);
    }
  }
  const std::uint32_t after = row + length;
  if (net_[after].count != 0) return;
  for (std::uint32_t i = row_starts_[after]; i < row_starts_[after + 1]; ++i) append(after, i);
}

// The words keep the costs and predecessors of the first path, so a predecessor that is no longer in the graph may stay the best.
void HanlpSegmenter::second_path() {
  const auto improve = [&](std::uint32_t from, std::uint32_t row) {
    const Word word = words_[from];
    for (std::uint32_t i = net_[row].first; i != kNone; i = items_[i].next) {
      Word& to = words_[items_[i].word];
      const double cost = word.cost + edge(word, to);
      if (to.from == kNone || to.cost > cost) {
        to.from = from;
        to.cost = cost;
      }
    }
  };
  improve(0, 1);
  for (std::uint32_t row = 1; row <= size_; ++row) {
    for (std::uint32_t i = net_[row].first; i != kNone; i = items_[i].next) {
      const std::uint32_t from = items_[i].word;
      if (words_[from].from != kNone) improve(from, row + words_[from].length);
    }
  }
  trace_path();
}

}  // namespace leitong::segment
