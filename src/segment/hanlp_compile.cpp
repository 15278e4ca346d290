// HanLP's dictionaries and models to one mapped file.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>

#include "leitong/error.h"
#include "segment/hanlp_data.h"
#include "segment/hanlp_sections.h"
#include "segment/section_file.h"
#include "text/utf16.h"

namespace leitong::segment {
namespace {

constexpr std::int32_t corpus_size = 25'146'057;  // occurrences of words that HanLP's frequencies count
constexpr std::int32_t atom_frequency = 10'000, person_frequency = 100, translated_frequency = 1'000;

// Everything in the source that decides words, natures, stop words or simplified text; numbers as they are, each list with its length.
class Content {
 public:
  template <class Number>
  void number(Number value) {
    const auto wide = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
    for (unsigned shift = 0; shift < 64; shift += 8) bytes_.push_back(static_cast<char>(wide >> shift & 0xFF));
  }
  void text(std::u16string_view units) {
    number(units.size());
    for (const char16_t c : units) bytes_.push_back(static_cast<char>(c & 0xFF)), bytes_.push_back(static_cast<char>(c >> 8));
  }
  void words(const std::vector<HanlpWord>& list) {
    number(list.size());
    for (const HanlpWord& word : list) {
      text(word.word);
      number(word.natures.size());
      for (const auto& [nature, frequency] : word.natures) number(nature), number(frequency);
      number(word.frequency);
    }
  }
  [[nodiscard]] ContentId id() const { return content_id(bytes_); }

 private:
  std::string bytes_;
};

ContentId content_of(const HanlpSource& source) {
  Content content;
  content.number(source.natures.size());
  for (const std::string& name : source.natures) content.text(text::to_utf16(name));
  for (const auto* list : {&source.core, &source.custom, &source.added}) content.words(*list);
  content.number(source.bigrams.size());
  for (const HanlpBigram& pair : source.bigrams) content.number(pair.first), content.number(pair.second), content.number(pair.frequency);
  content.number(source.names.size());
  for (const HanlpNameWord& name : source.names) {
    content.text(name.word);
    content.number(name.roles.size());
    for (const auto& [role, frequency] : name.roles) content.number(static_cast<int>(role)), content.number(frequency);
  }
  for (const std::int32_t count : source.name_transitions) content.number(count);
  for (const std::uint8_t state : source.name_states) content.number(state);
  content.number(source.translated.size());
  for (const std::u16string& word : source.translated) content.text(word);
  for (const std::uint8_t type : source.char_types) content.number(type);
  content.number(source.simplified.size());
  for (const auto& [key, value] : source.simplified) content.text(key), content.text(value);
  content.number(source.stop_words.size());
  for (const std::u16string& word : source.stop_words) content.text(word);
  return content.id();
}

class Compiler {
 public:
  explicit Compiler(const HanlpSource& source) : source_(source) {}

  std::vector<std::byte> compile() {
    code_units();
    compile_names();
    compile_pairs();
    compile_entries();
    compile_simplified();
    std::vector<CodedKey> stop;
    for (const std::u16string& word : source_.stop_words) stop.emplace_back(coded(word), 0);
    add_trie(section_stop_trie, std::move(stop));
    std::vector<CodedKey> translated;
    for (const std::u16string& word : source_.translated) translated.emplace_back(coded(word), 0);
    add_trie(section_translated_trie, std::move(translated));
    std::vector<char> names;
    for (const std::string& name : source_.natures) {
      names.insert(names.end(), name.begin(), name.end());
      names.push_back('\n');
    }
    out_.add(section_nature_names, names);
    out_.add(section_char_types, source_.char_types);
    out_.add(section_constants, std::vector<HanlpConstants>{constants_});
    return out_.finish(hanlp_magic, hanlp_version, content_of(source_));
  }

 private:
  // Frequent units get small codes, so that the arrays are dense and their busy parts lie together.
  void code_units() {
    std::vector<std::uint64_t> count(0x10000);
    const auto see = [&count](const std::u16string& word, std::uint64_t weight) {
      for (const char16_t c : word) count[c] += weight;
    };
    for (const HanlpWord& word : source_.core) see(word.word, static_cast<std::uint64_t>(word.frequency) + 1);
    for (const HanlpWord& word : source_.custom) see(word.word, 1);
    for (const HanlpWord& word : source_.added) see(word.word, 1);
    for (const HanlpNameWord& word : source_.names) see(word.word, 1);
    for (const std::u16string& word : source_.translated) see(word, 1);
    for (const auto& [key, value] : source_.simplified) see(key, 1);
    for (const std::u16string& word : source_.stop_words) see(word, 1);
    std::vector<std::uint32_t> order;
    for (std::uint32_t c = 0; c < 0x10000; ++c) {
      if (count[c] > 0) order.push_back(c);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return count[a] > count[b]; });
    if (order.size() > 0xFFFE) throw Error(ErrorCode::limit, "the dictionaries use every UTF-16 unit there is; use fewer custom words");
    codes_.assign(0x10000, 0);
    for (std::size_t i = 0; i < order.size(); ++i) codes_[order[i]] = static_cast<std::uint16_t>(i + 1);
    constants_.codes = static_cast<std::uint32_t>(order.size()) + 1;
    out_.add(section_char_codes, codes_);
  }

  [[nodiscard]] std::u16string coded(const std::u16string& word) const {
    std::u16string out;
    for (const char16_t c : word) out.push_back(static_cast<char16_t>(codes_[c]));
    return out;
  }

  std::vector<TrieCell> add_trie(std::uint32_t section, std::vector<CodedKey> keys) {
    std::erase_if(keys, [](const CodedKey& key) { return key.first.empty(); });
    std::vector<TrieCell> cells = build_trie(std::move(keys), constants_.codes);
    out_.add(section, cells);
    return cells;
  }

  // Each name word and, as if they were some: the ones that are known by their nature only, and what is no name word.
  void compile_names() {
    const std::array<std::int32_t, name_roles> totals = role_totals();
    const std::vector<double> costs = transitions(totals);
    const std::vector<std::uint32_t> order = name_order();
    std::vector<CodedKey> keys;
    for (std::uint32_t place = 0; place < order.size(); ++place) {
      const HanlpNameWord& name = source_.names[order[place]];
      add_roles(name.roles, totals, costs);
      keys.emplace_back(coded(name.word), place);
      name_places_[name.word] = static_cast<std::uint16_t>(place);
    }
    name_pair_ = add_roles({{NameRole::G, 1}, {NameRole::X, 2}}, totals, costs);
    name_title_ = add_roles({{NameRole::G, 1}, {NameRole::K, 1}}, totals, costs);
    no_name_ = static_cast<std::uint16_t>(no_names_.size());
    no_names_.push_back(1);
    next_roles_.insert(next_roles_.end(), name_roles, static_cast<std::uint8_t>(NameRole::A));
    constants_.no_name = no_name_;
    if (no_names_.size() > HanlpTag::ask_names) throw Error(ErrorCode::limit, "the dictionary of name words has more than 65,532 words");
    add_trie(section_name_trie, std::move(keys));
    out_.add(section_next_roles, next_roles_);
    out_.add(section_no_names, no_names_);
  }

  // Frequent words of the core dictionary first.
  [[nodiscard]] std::vector<std::uint32_t> name_order() const {
    std::vector<std::uint32_t> order(source_.names.size());
    std::vector<std::int32_t> frequency;
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      order[i] = i;
      const std::int32_t core = core_id(source_.names[i].word);
      frequency.push_back(core < 0 ? 0 : source_.core[static_cast<std::size_t>(core)].frequency);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return frequency[a] > frequency[b]; });
    return order;
  }

  // The cheapest of the word's roles after each role, without looking further; a word of no role keeps the role before it.
  std::uint16_t add_roles(const std::vector<std::pair<NameRole, std::int32_t>>& roles, const std::array<std::int32_t, name_roles>& totals,
                          const std::vector<double>& transition) {
    for (std::size_t before = 0; before < name_roles; ++before) {
      std::size_t best = before;
      double least = std::numeric_limits<double>::max();
      for (const auto& [role, frequency] : roles) {
        const auto number = static_cast<std::size_t>(role);
        const double cost = transition[before * name_roles + number] - std::log((frequency + 1e-8) / totals[number]);
        if (least > cost) {
          least = cost;
          best = number;
        }
      }
      next_roles_.push_back(static_cast<std::uint8_t>(best));
    }
    no_names_.push_back(std::any_of(roles.begin(), roles.end(), [](const auto& role) { return role.first == NameRole::A; }) ? 1 : 0);
    return static_cast<std::uint16_t>(no_names_.size() - 1);
  }

  // How often each role is left; a role that is never left counts how often it is entered.
  [[nodiscard]] std::array<std::int32_t, name_roles> role_totals() const {
    std::array<std::int32_t, name_roles> totals{};
    for (std::size_t from = 0; from < name_roles; ++from) {
      for (std::size_t to = 0; to < name_roles; ++to) totals[from] += source_.name_transitions[from * name_roles + to];
    }
    for (std::size_t to = 0; to < name_roles; ++to) {
      if (totals[to] != 0) continue;
      for (std::size_t from = 0; from < name_roles; ++from) totals[to] += source_.name_transitions[from * name_roles + to];
    }
    return totals;
  }

  [[nodiscard]] std::vector<double> transitions(const std::array<std::int32_t, name_roles>& totals) const {
    std::vector<double> out(name_roles * name_roles, 0.0);  // between roles that the table does not name: no cost
    for (const std::uint8_t from : source_.name_states) {
      for (const std::uint8_t to : source_.name_states) {
        out[from * name_roles + to] = -std::log((source_.name_transitions[from * name_roles + to] + 1e-8) / totals[from]);
      }
    }
    return out;
  }

  [[nodiscard]] std::int32_t core_id(const std::u16string& word) const {
    const auto found = std::lower_bound(source_.core.begin(), source_.core.end(), word,
                                        [](const HanlpWord& a, const std::u16string& b) { return a.word < b; });
    return found != source_.core.end() && found->word == word ? static_cast<std::int32_t>(found - source_.core.begin()) : -1;
  }

  [[nodiscard]] std::uint16_t nature(std::string_view name) const {
    const auto found = std::find(source_.natures.begin(), source_.natures.end(), name);
    if (found == source_.natures.end()) throw Error(ErrorCode::format, "HanLP's data have no nature " + std::string(name));
    return static_cast<std::uint16_t>(found - source_.natures.begin());
  }

  void compile_pairs() {
    if (source_.core.size() > 1U << 24U) throw Error(ErrorCode::limit, "the core dictionary has more than 16,777,216 words");
    core_order_.resize(source_.core.size());
    for (std::uint32_t i = 0; i < core_order_.size(); ++i) core_order_[i] = i;
    std::stable_sort(core_order_.begin(), core_order_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return source_.core[a].frequency > source_.core[b].frequency; });
    number_seconds();
    std::vector<std::vector<const HanlpBigram*>> rows(source_.core.size());
    for (const HanlpBigram& pair : source_.bigrams) rows[pair.first].push_back(&pair);
    rows_.assign(source_.core.size(), 0);
    buckets_.assign(HanlpPairs::empty_buckets, {});
    for (const std::uint32_t first : core_order_) {
      if (!rows[first].empty()) add_row(first, rows[first]);
    }
    out_.add(section_buckets, buckets_);
    out_.add(section_pair_costs, pair_costs_);
    out_.add(section_pair_frequencies, pair_frequencies_);
  }

  // The words that end many pairs get small numbers: so the lowest bits of the numbers in a row are spread evenly.
  void number_seconds() {
    std::vector<std::uint32_t> count(source_.core.size()), order;
    for (const HanlpBigram& pair : source_.bigrams) ++count[pair.second];
    for (std::uint32_t i = 0; i < count.size(); ++i) {
      if (count[i] != 0) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return count[a] > count[b]; });
    if (order.size() >= HanlpStep::never_second)
      throw Error(ErrorCode::limit, "in the pair dictionary more than 65,533 words are second ones");
    second_numbers_.assign(source_.core.size(), HanlpStep::never_second);
    for (std::size_t i = 0; i < order.size(); ++i) second_numbers_[order[i]] = static_cast<std::uint16_t>(i + 1);
  }

  void add_row(std::uint32_t first, const std::vector<const HanlpBigram*>& pairs) {
    constexpr std::size_t lane_count = HanlpBucket::lane_count, most_of_a_bucket = 5;
    std::uint32_t bits = 0;
    while (pairs.size() >= lane_count << bits || (bits > 0 && pairs.size() > most_of_a_bucket << bits))
      ++bits;  // one lane at least is left free
    const std::size_t begin = buckets_.size(), mask = (std::size_t{1} << bits) - 1;
    if (begin + mask >= 1U << (32 - HanlpPairs::size_bits) || bits >= 1U << HanlpPairs::size_bits)
      throw Error(ErrorCode::limit, "the pair dictionary is too large");
    rows_[first] = static_cast<std::uint32_t>(begin) << HanlpPairs::size_bits | bits;
    buckets_.resize(begin + mask + 1);
    for (const HanlpBigram* pair : pairs) {
      const std::uint16_t second = second_numbers_[pair->second];
      std::size_t at = second & mask, lane = 0;
      while (buckets_[begin + at].seconds[lane] != 0) {
        if (++lane < lane_count) continue;
        lane = 0;
        at = (at + 1) & mask;
      }
      buckets_[begin + at].seconds[lane] = second;
      buckets_[begin + at].pairs[lane] = pair_number(source_.core[first].frequency, pair->frequency);
    }
  }

  std::uint16_t pair_number(std::int32_t frequency, std::int32_t pair_frequency) {
    const auto [found, fresh] = pair_numbers_.try_emplace({frequency, pair_frequency}, static_cast<std::uint16_t>(pair_costs_.size()));
    if (fresh) {
      pair_costs_.push_back(hanlp_cost(frequency, pair_frequency));
      pair_frequencies_.push_back(pair_frequency);
    }
    if (pair_costs_.size() > 0x10000) throw Error(ErrorCode::limit, "the pair dictionary has more than 65,536 different costs");
    return found->second;
  }

  // `outside`: its edges have the pair frequency 1 whatever follows.
  std::uint16_t level_of(std::int32_t frequency, bool outside) {
    const auto [found, fresh] = level_numbers_.try_emplace({frequency, outside}, static_cast<std::uint16_t>(levels_.size()));
    if (fresh) {
      const double cost1 = hanlp_cost(frequency, 1);
      levels_.push_back({outside ? cost1 : hanlp_cost(frequency, 0), cost1});
      frequencies_.push_back(frequency);
    }
    if (levels_.size() > HanlpStep::other) throw Error(ErrorCode::limit, "the words have more than 32,768 different frequencies");
    return found->second;
  }

  // `id`: of the core dictionary, or minus a frequency.
  [[nodiscard]] HanlpStep step_of(std::int32_t id, std::int32_t frequency, bool custom) {
    HanlpStep step;
    step.level = level_of(frequency, id == -1 && !custom);
    if (id < 0) {
      step.row = 0U - static_cast<std::uint32_t>(id);
      step.second = HanlpStep::outside_core;
    } else if (const auto place = static_cast<std::size_t>(id); place < source_.core.size()) {
      step.row = rows_[place];
      step.second = second_numbers_[place];
      if (source_.core[place].frequency != frequency) step.level |= HanlpStep::other;
    }
    return step;
  }

  std::uint32_t add_entry(HanlpStep step, std::uint16_t nature, std::uint16_t roles) {
    steps_.push_back(step);
    tags_.push_back({nature, roles, HanlpTag::walk_custom});
    return static_cast<std::uint32_t>(steps_.size() - 1);
  }

  [[nodiscard]] std::uint16_t roles_of(const std::u16string& word, std::uint16_t nature, std::int32_t frequency) const {
    const auto found = name_places_.find(word);
    if (found != name_places_.end()) return found->second;
    if (nature == nature_nr_ && frequency <= 1000 && word.size() == 2) return name_pair_;
    return nature == nature_nnt_ ? name_title_ : no_name_;
  }

  // A word with a single nature may stand for its class: it takes the id of the class, and in three cases all else too.
  std::uint32_t add_core_entry(std::size_t place) {
    const HanlpWord& word = source_.core[place];
    auto id = static_cast<std::int32_t>(place);
    std::int32_t like = -1;
    if (word.natures.size() == 1) {
      const std::string& tag = source_.natures[word.natures[0].first];
      if (tag.starts_with("nr")) {
        id = person_;
      } else if (tag.starts_with("ns")) {
        id = place_;
      } else if (tag == "nx") {
        id = proper_ == -1 ? string_ : proper_;
      } else if (tag.starts_with("nt") || tag == "nit") {
        id = group_;
      } else if (tag.starts_with("m")) {
        id = like = number_;
      } else if (tag.starts_with("x")) {
        id = like = string_;
      } else if (tag == "t") {
        id = like = time_;
      }
    }
    const HanlpWord& shown = like < 0 ? word : source_.core[static_cast<std::size_t>(like)];
    const std::uint16_t nature = shown.natures[0].first;
    return add_entry(step_of(id, shown.frequency, false), nature, roles_of(word.word, nature, shown.frequency));
  }

  void compile_entries() {
    const auto name = [&](const std::u16string& word) { return name_places_.contains(word) ? name_places_.at(word) : no_name_; };
    const auto add = [&](std::int32_t id, std::int32_t frequency, std::string_view nature_name, std::uint16_t roles) {
      return add_entry(step_of(id, frequency, false), nature(nature_name), roles);
    };
    constants_.begin = add(core_id(u"始##始"), corpus_size / 10, "begin", no_name_);
    constants_.end = add(core_id(u"末##末"), corpus_size / 10, "end", name(u" "));
    constants_.atom_noun = add(-1, atom_frequency, "n", HanlpTag::ask_names);
    constants_.atom_number = add(number_, atom_frequency, "m", HanlpTag::ask_names);
    constants_.atom_mark = add(-1, atom_frequency, "w", HanlpTag::ask_names);
    constants_.atom_string = add(string_, atom_frequency, "nx", HanlpTag::ask_names);
    constants_.person = add(person_, person_frequency, "nr", no_name_);
    constants_.translated = add(person_, translated_frequency, "nrf", no_name_);
    constants_.nature_nrf = nature("nrf");
    std::vector<CodedKey> core;
    const auto first_core = static_cast<std::uint32_t>(steps_.size());
    for (const std::uint32_t place : core_order_) {
      core.emplace_back(coded(source_.core[place].word), add_core_entry(place));
      constants_.longest = std::max(constants_.longest, static_cast<std::uint32_t>(source_.core[place].word.size()));
    }
    if (constants_.longest > longest_word)
      throw Error(ErrorCode::limit, "the core dictionary has a word of " + std::to_string(constants_.longest) + " UTF-16 units; at most " +
                                        std::to_string(longest_word) + " are possible");
    add_trie(section_core_trie, std::move(core));
    const std::vector<TrieCell> custom = add_custom(section_custom_trie, source_.custom);
    add_custom(section_added_trie, source_.added);
    for (std::uint32_t i = 0; i < core_order_.size(); ++i)
      tags_[first_core + i].custom = state_after(custom, source_.core[core_order_[i]].word);
    out_.add(section_steps, steps_);
    out_.add(section_tags, tags_);
    out_.add(section_levels, levels_);
    out_.add(section_frequencies, frequencies_);
  }

  [[nodiscard]] std::uint32_t state_after(const std::vector<TrieCell>& cells, const std::u16string& word) const {
    const Trie trie(cells.data());
    TrieCell state = trie.root();
    for (const char16_t c : word) state = trie.next(state, codes_[c]);
    return Trie::base(state) | (Trie::ends(state) ? HanlpTag::custom_ends : 0);
  }

  std::vector<TrieCell> add_custom(std::uint32_t section, const std::vector<HanlpWord>& words) {
    std::vector<CodedKey> keys;
    for (const HanlpWord& word : words) {
      const std::uint16_t nature = word.natures[0].first;
      const HanlpStep step = step_of(-word.frequency, word.frequency, true);
      keys.emplace_back(coded(word.word), add_entry(step, nature, roles_of(word.word, nature, word.frequency)));
    }
    return add_trie(section, std::move(keys));
  }

  void compile_simplified() {
    std::vector<CodedKey> keys;
    std::vector<std::uint32_t> starts{0};
    std::vector<char16_t> text;
    for (const auto& [key, value] : source_.simplified) {
      keys.emplace_back(coded(key), static_cast<std::uint32_t>(starts.size() - 1));
      text.insert(text.end(), value.begin(), value.end());
      starts.push_back(static_cast<std::uint32_t>(text.size()));
    }
    add_trie(section_simplified_trie, std::move(keys));
    out_.add(section_simplified_starts, starts);
    out_.add(section_simplified_text, text);
  }

  const HanlpSource& source_;
  SectionWriter out_;
  HanlpConstants constants_;
  std::vector<std::uint16_t> codes_;
  std::unordered_map<std::u16string, std::uint16_t> name_places_;
  std::uint16_t name_pair_ = 0, name_title_ = 0, no_name_ = 0;
  std::vector<std::uint8_t> next_roles_, no_names_;
  std::vector<std::uint32_t> core_order_;  // frequent words first
  std::vector<std::uint16_t> second_numbers_;
  std::vector<std::uint32_t> rows_;
  std::vector<HanlpBucket> buckets_;
  std::vector<double> pair_costs_;
  std::vector<std::int32_t> pair_frequencies_;
  std::map<std::pair<std::int32_t, std::int32_t>, std::uint16_t> pair_numbers_;
  std::vector<HanlpLevel> levels_;
  std::vector<std::int32_t> frequencies_;
  std::map<std::pair<std::int32_t, bool>, std::uint16_t> level_numbers_;
  std::vector<HanlpStep> steps_;
  std::vector<HanlpTag> tags_;
  std::uint16_t nature_nr_ = nature("nr"), nature_nnt_ = nature("nnt");
  std::int32_t person_ = core_id(u"未##人"), place_ = core_id(u"未##地"), group_ = core_id(u"未##团"), time_ = core_id(u"未##时"),
               string_ = core_id(u"未##串"), number_ = core_id(u"未##数"), proper_ = core_id(u"未##专");
};

}  // namespace

double hanlp_cost(std::int32_t frequency, std::int32_t pair_frequency) {
  constexpr double share = 0.1;
  constexpr double floor = 1.0 / corpus_size + 0.00001;
  if (frequency == 0) frequency = 1;
  const double cost = -std::log(share * frequency / corpus_size + (1 - share) * ((1 - floor) * pair_frequency / frequency + floor));
  return cost < 0.0 ? -cost : cost;
}

std::vector<std::byte> compile_hanlp(const HanlpSource& source) { return Compiler(source).compile(); }

}  // namespace leitong::segment
