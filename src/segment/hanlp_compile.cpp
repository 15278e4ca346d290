#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "leitong/error.h"
#include "segment/hanlp_data.h"
#include "segment/hanlp_sections.h"
#include "segment/section_file.h"

namespace leitong::segment {
namespace {

constexpr std::int32_t kCorpusSize = 25'146'057;  // occurrences of words that HanLP's frequencies count
constexpr std::int32_t kAtomFrequency = 10'000, kPersonFrequency = 100, kTranslatedFrequency = 1'000;
constexpr std::uint32_t kPairBits = 20;

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
  for (const std::string& name : source.natures) content.text(std::u16string(name.begin(), name.end()));
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
    compile_entries();
    compile_pairs();
    compile_simplified();
    std::vector<CodedKey> stop;
    for (const std::u16string& word : source_.stop_words) stop.emplace_back(coded(word), 0);
    add_trie(kStopTrie, std::move(stop));
    std::vector<CodedKey> translated;
    for (const std::u16string& word : source_.translated) translated.emplace_back(coded(word), 0);
    add_trie(kTranslatedTrie, std::move(translated));
    std::vector<char> names;
    for (const std::string& name : source_.natures) {
      names.insert(names.end(), name.begin(), name.end());
      names.push_back('\n');
    }
    out_.add(kNatureNames, names);
    out_.add(kCharTypes, source_.char_types);
    out_.add(kConstants, std::vector<HanlpConstants>{constants_});
    return out_.finish(kHanlpMagic, kHanlpVersion, content_of(source_));
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
    out_.add(kCharCodes, codes_);
  }

  [[nodiscard]] std::u16string coded(const std::u16string& word) const {
    std::u16string out;
    for (const char16_t c : word) out.push_back(static_cast<char16_t>(codes_[c]));
    return out;
  }

  void add_trie(std::uint32_t section, std::vector<CodedKey> keys) {
    std::erase_if(keys, [](const CodedKey& key) { return key.first.empty(); });
    const TrieArrays arrays = build_trie(std::move(keys), constants_.codes);
    out_.add(section, arrays.cells);
    out_.add(section + 1, arrays.values);
  }

  void compile_names() {
    const std::array<std::int32_t, kNameRoles> totals = role_totals();
    std::vector<std::uint32_t> starts{0};
    std::vector<HanlpRole> roles;
    const auto add = [&](const std::vector<std::pair<NameRole, std::int32_t>>& word) {
      for (const auto& [role, frequency] : word) {
        const auto number = static_cast<std::uint32_t>(role);
        roles.push_back({std::log((frequency + 1e-8) / totals[number]), number, 0});
      }
      starts.push_back(static_cast<std::uint32_t>(roles.size()));
      return static_cast<std::uint32_t>(starts.size() - 2);
    };
    std::vector<CodedKey> keys;
    for (const HanlpNameWord& word : source_.names) {
      const std::uint32_t place = add(word.roles);
      keys.emplace_back(coded(word.word), place);
      name_places_[word.word] = place;
    }
    constants_.name_pair = add({{NameRole::G, 1}, {NameRole::X, 2}});
    constants_.name_title = add({{NameRole::G, 1}, {NameRole::K, 1}});
    if (starts.size() >= kNoName) throw Error(ErrorCode::limit, "the dictionary of name words has more than 65,533 words");
    constants_.name_blank = name_of(u" ");
    add_trie(kNameTrie, std::move(keys));
    out_.add(kRoleStarts, starts);
    out_.add(kRoles, roles);
    out_.add(kTransitions, transitions(totals));
  }

  [[nodiscard]] std::uint16_t name_of(const std::u16string& word) const {
    const auto found = name_places_.find(word);
    return found == name_places_.end() ? kNoName : static_cast<std::uint16_t>(found->second);
  }

  // How often each role is left; a role that is never left counts how often it is entered.
  [[nodiscard]] std::array<std::int32_t, kNameRoles> role_totals() const {
    std::array<std::int32_t, kNameRoles> totals{};
    for (std::size_t from = 0; from < kNameRoles; ++from) {
      for (std::size_t to = 0; to < kNameRoles; ++to) totals[from] += source_.name_transitions[from * kNameRoles + to];
    }
    for (std::size_t to = 0; to < kNameRoles; ++to) {
      if (totals[to] != 0) continue;
      for (std::size_t from = 0; from < kNameRoles; ++from) totals[to] += source_.name_transitions[from * kNameRoles + to];
    }
    return totals;
  }

  [[nodiscard]] std::vector<double> transitions(const std::array<std::int32_t, kNameRoles>& totals) const {
    std::vector<double> out(kNameRoles * kNameRoles, 0.0);  // between roles that the table does not name: no cost
    for (const std::uint8_t from : source_.name_states) {
      for (const std::uint8_t to : source_.name_states) {
        out[from * kNameRoles + to] = -std::log((source_.name_transitions[from * kNameRoles + to] + 1e-8) / totals[from]);
      }
    }
    return out;
  }

  [[nodiscard]] std::int32_t core_id(const std::u16string& word) const {
    const auto found = std::lower_bound(source_.core.begin(), source_.core.end(), word,
                                        [](const HanlpWord& a, const std::u16string& b) { return a.word < b; });
    return found != source_.core.end() && found->word == word ? static_cast<std::int32_t>(found - source_.core.begin()) : -1;
  }

  std::uint32_t add_entry(std::int32_t id, std::int32_t frequency, std::size_t nature, std::uint16_t name) {
    const bool usual = id >= 0 && source_.core[static_cast<std::size_t>(id)].frequency == frequency;
    entries_.push_back(
        {hanlp_cost(frequency, 0), hanlp_cost(frequency, 1), frequency, id, static_cast<std::uint16_t>(nature), name, usual ? 1U : 0U});
    return static_cast<std::uint32_t>(entries_.size() - 1);
  }

  [[nodiscard]] std::size_t nature(std::string_view name) const {
    const auto found = std::find(source_.natures.begin(), source_.natures.end(), name);
    if (found == source_.natures.end()) throw Error(ErrorCode::format, "HanLP's data have no nature " + std::string(name));
    return static_cast<std::size_t>(found - source_.natures.begin());
  }

  // A word with a single nature may stand for its class: it takes the id of the class, and in three cases all else too.
  void add_core_entry(std::size_t place) {
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
    add_entry(id, shown.frequency, shown.natures[0].first, name_of(word.word));
  }

  void compile_entries() {
    if (source_.core.size() > 1U << 17U) throw Error(ErrorCode::limit, "the core dictionary has more than 131,072 words");
    std::vector<CodedKey> core;
    for (std::size_t i = 0; i < source_.core.size(); ++i) {
      add_core_entry(i);
      core.emplace_back(coded(source_.core[i].word), static_cast<std::uint32_t>(i));
    }
    add_trie(kCoreTrie, std::move(core));
    constants_.begin = add_entry(core_id(u"始##始"), kCorpusSize / 10, nature("begin"), kNoName);
    constants_.end = add_entry(core_id(u"末##末"), kCorpusSize / 10, nature("end"), name_of(u" "));
    constants_.atom_noun = add_entry(-1, kAtomFrequency, nature("n"), kNoName);
    constants_.atom_number = add_entry(number_, kAtomFrequency, nature("m"), kNoName);
    constants_.atom_mark = add_entry(-1, kAtomFrequency, nature("w"), kNoName);
    constants_.atom_string = add_entry(string_, kAtomFrequency, nature("nx"), kNoName);
    constants_.person = add_entry(person_, kPersonFrequency, nature("nr"), kNoName);
    constants_.translated = add_entry(person_, kTranslatedFrequency, nature("nrf"), kNoName);
    constants_.nature_nr = static_cast<std::uint32_t>(nature("nr"));
    constants_.nature_nrf = static_cast<std::uint32_t>(nature("nrf"));
    constants_.nature_nnt = static_cast<std::uint32_t>(nature("nnt"));
    add_custom(kCustomTrie, source_.custom);
    add_custom(kAddedTrie, source_.added);
    out_.add(kEntries, entries_);
  }

  void add_custom(std::uint32_t section, const std::vector<HanlpWord>& words) {
    std::vector<CodedKey> keys;
    for (const HanlpWord& word : words) {
      keys.emplace_back(coded(word.word), add_entry(-word.frequency, word.frequency, word.natures[0].first, name_of(word.word)));
    }
    add_trie(section, std::move(keys));
  }

  void compile_pairs() {
    constants_.pair_bits = kPairBits;
    std::vector<HanlpPair> table(std::size_t{1} << kPairBits);
    if (source_.bigrams.size() > table.size() / 2) throw Error(ErrorCode::limit, "the pair dictionary has more than 524,288 pairs");
    for (const HanlpBigram& pair : source_.bigrams) {
      if (pair.frequency <= 0 || pair.frequency >= 1 << 17) throw Error(ErrorCode::limit, "a pair's frequency is not within 1..131,071");
      std::uint64_t at = hanlp_pair_slot(pair.first, pair.second, kPairBits);
      while (table[at].key != 0) at = (at + 1) % table.size();
      table[at].key = std::uint64_t{pair.first} << 34U | std::uint64_t{pair.second} << 17U | static_cast<std::uint64_t>(pair.frequency);
      table[at].cost = hanlp_cost(source_.core[pair.first].frequency, pair.frequency);
    }
    out_.add(kPairs, table);
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
    add_trie(kSimplifiedTrie, std::move(keys));
    out_.add(kSimplifiedStarts, starts);
    out_.add(kSimplifiedText, text);
  }

  const HanlpSource& source_;
  SectionWriter out_;
  HanlpConstants constants_;
  std::vector<std::uint16_t> codes_;
  std::unordered_map<std::u16string, std::uint32_t> name_places_;
  std::vector<HanlpEntry> entries_;
  std::int32_t person_ = core_id(u"未##人"), place_ = core_id(u"未##地"), group_ = core_id(u"未##团"), time_ = core_id(u"未##时"),
               string_ = core_id(u"未##串"), number_ = core_id(u"未##数"), proper_ = core_id(u"未##专");
};

}  // namespace

double hanlp_cost(std::int32_t frequency, std::int32_t pair_frequency) {
  constexpr double kShare = 0.1;
  constexpr double kFloor = 1.0 / kCorpusSize + 0.00001;
  if (frequency == 0) frequency = 1;
  const double cost = -std::log(kShare * frequency / kCorpusSize + (1 - kShare) * ((1 - kFloor) * pair_frequency / frequency + kFloor));
  return cost < 0.0 ? -cost : cost;
}

std::vector<std::byte> compile_hanlp(const HanlpSource& source) { return Compiler(source).compile(); }

}  // namespace leitong::segment
