#include "segment/hanlp_check.h"

#include <algorithm>
#include <array>
#include <limits>

#include "segment/hanlp_data.h"
#include "segment/hanlp_sections.h"

namespace leitong::segment {
namespace {

class Checker {
 public:
  explicit Checker(const SectionFile& file) : file_(file), constants_(file.record<HanlpConstants>(section_constants)) {}

  void run() {
    check_codes();
    check_names();
    check_pairs();
    check_tries();
    check_entries();
    check_simplified();
  }

 private:
  void require(bool right, const char* what) const {
    if (!right) file_.damaged(std::string("has damaged ") + what);
  }

  void check_codes() const {
    const auto codes = file_.section<std::uint16_t>(section_char_codes);
    require(codes.size() == 0x10000 && file_.section<std::uint8_t>(section_char_types).size() == 0x10000, "tables of characters");
    require(*std::max_element(codes.begin(), codes.end()) < constants_.codes && constants_.codes <= 0x10000, "codes of characters");
    require(constants_.longest != 0 && constants_.longest <= longest_word, "longest word");
  }

  void check_names() const {
    const auto roles = file_.section<std::uint8_t>(section_next_roles);
    const std::size_t names = file_.section<std::uint8_t>(section_no_names).size();
    require(roles.size() == names * name_roles && constants_.no_name < names, "name words");
    require(*std::max_element(roles.begin(), roles.end()) < name_roles, "roles of name words");
  }

  static bool is_cost(double cost) { return cost >= 0 && cost <= 100; }  // no NaN: a path needs costs that have an order

  void check_pairs() {
    const auto costs = file_.section<double>(section_pair_costs);
    const auto frequencies = file_.section<std::int32_t>(section_pair_frequencies);
    const auto buckets = file_.section<HanlpBucket>(section_buckets);
    require(costs.size() == frequencies.size() && std::all_of(costs.begin(), costs.end(), is_cost) &&
                std::all_of(frequencies.begin(), frequencies.end(), [](std::int32_t frequency) { return frequency >= 0; }),
            "costs of pairs");
    require(buckets.size() >= HanlpPairs::empty_buckets, "pairs");
    std::array<std::uint16_t, HanlpBucket::lane_count> used{},
        most{};  // by lane: every bit of the seconds; the greatest pair of a used one
    open_before_.reserve(buckets.size() + 1);
    open_before_.push_back(0);
    for (std::size_t i = 0; i < buckets.size(); ++i) {
      const auto& [seconds, pairs] = buckets[i];
      for (std::size_t lane = 0; lane < HanlpBucket::lane_count; ++lane) {
        const auto pair = static_cast<std::uint16_t>(seconds[lane] != 0 ? pairs[lane] : 0);
        most[lane] = std::max(most[lane], pair);
        used[lane] |= seconds[lane];
      }
      if (i + 1 == HanlpPairs::empty_buckets) require(std::ranges::all_of(used, [](auto bits) { return bits == 0; }), "pairs");
      open_before_.push_back(open_before_.back() + (buckets[i].seconds[HanlpBucket::lane_count - 1] == 0 ? 1 : 0));
    }
    for (std::size_t lane = 0; lane < HanlpBucket::lane_count; ++lane) require(used[lane] == 0 || most[lane] < costs.size(), "pairs");
  }

  // A row is inside of the buckets, and one of them ends every search.
  [[nodiscard]] bool is_row(std::uint32_t row) const {
    const std::size_t first = row >> HanlpPairs::size_bits, size = std::size_t{1} << (row & ((1U << HanlpPairs::size_bits) - 1));
    return first + size < open_before_.size() && open_before_[first + size] != open_before_[first];
  }

  void check_tries() const {
    const std::size_t entries = file_.section<HanlpStep>(section_steps).size(),
                      names = file_.section<std::uint8_t>(section_no_names).size();
    const std::size_t texts = std::max<std::size_t>(file_.section<std::uint32_t>(section_simplified_starts).size(), 1) - 1;
    constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
    check_trie(section_core_trie, entries);
    check_trie(section_custom_trie, entries);
    check_trie(section_added_trie, entries);
    check_trie(section_name_trie, names);
    check_trie(section_translated_trie, any);
    check_trie(section_simplified_trie, texts);
    check_trie(section_stop_trie, any);
  }

  // No code leads outside, code 0, which stands behind every text, leads nowhere, and values are below `values`.
  void check_trie(std::uint32_t section, std::size_t values) const {
    const auto cells = file_.section<TrieCell>(section);
    std::uint32_t most_base = 0;
    TrieCell most_value = 0;
    bool zero = false;
    for (const TrieCell cell : cells) {
      most_base = std::max(most_base, Trie::base(cell));
      most_value = std::max(most_value, cell >> (Trie::base_bits + Trie::code_bits));  // one more than the value
      zero |= cell != 0 && Trie::code(cell) == 0;
    }
    require(cells.size() >= std::size_t{most_base} + constants_.codes && most_value <= values && !zero, "tries");
  }

  // The entries that the word graph has; others come in when a path is there.
  [[nodiscard]] std::vector<bool> graph_entries(std::size_t entries) const {
    std::vector<bool> graph(entries);
    for (const std::uint32_t entry :
         {constants_.begin, constants_.end, constants_.atom_noun, constants_.atom_number, constants_.atom_mark, constants_.atom_string}) {
      require(entry < entries, "entries");
      graph[entry] = true;
    }
    require(constants_.person < entries && constants_.translated < entries, "entries");
    for (const TrieCell cell : file_.section<TrieCell>(section_core_trie)) {
      if (Trie::ends(cell)) graph[Trie::value(cell)] = true;
    }
    return graph;
  }

  void check_entries() const {
    const auto steps = file_.section<HanlpStep>(section_steps);
    const auto tags = file_.section<HanlpTag>(section_tags);
    const auto levels = file_.section<HanlpLevel>(section_levels);
    const auto frequencies = file_.section<std::int32_t>(section_frequencies);
    require(steps.size() == tags.size() && levels.size() == frequencies.size(), "entries");
    const std::vector<bool> graph = graph_entries(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const HanlpStep step = steps[i];
      const std::uint32_t level = step.level & ~std::uint32_t{HanlpStep::other};
      require(level < levels.size() && step.second != 0, "entries");
      if (step.second == HanlpStep::outside_core) {  // in the graph its frequency is taken for a row, and 1 is one that is empty
        require(step.row <= (graph[i] ? 1U : 0x7FFFFFFFU), "entries");
      } else {
        require(is_row(step.row), "entries");
      }
      if (graph[i]) require(is_cost(levels[level].cost0) && is_cost(levels[level].cost1) && frequencies[level] >= 0, "frequencies");
    }
    check_tags(tags);
  }

  void check_tags(std::span<const HanlpTag> tags) const {
    const std::string_view names = file_.text(section_nature_names);
    require(names.empty() || names.back() == '\n', "natures");
    const auto natures = static_cast<std::size_t>(std::count(names.begin(), names.end(), '\n'));
    const std::size_t name_words = file_.section<std::uint8_t>(section_no_names).size(),
                      cells = file_.section<TrieCell>(section_custom_trie).size();
    for (const HanlpTag& tag : tags) {
      const bool asks = tag.roles == HanlpTag::ask_names, walks = (tag.custom & HanlpTag::custom_ends) != 0;
      require(tag.nature < natures && (asks || tag.roles < name_words) && (walks || std::size_t{tag.custom} + constants_.codes <= cells),
              "entries");
    }
  }

  void check_simplified() const {
    const auto starts = file_.section<std::uint32_t>(section_simplified_starts);
    require(!starts.empty() && std::is_sorted(starts.begin(), starts.end()) &&
                starts.back() <= file_.section<char16_t>(section_simplified_text).size(),
            "simplified text");
  }

  const SectionFile& file_;
  const HanlpConstants& constants_;
  std::vector<std::uint32_t> open_before_;  // by bucket: how many before it end a search
};

}  // namespace

void check_hanlp(const SectionFile& file) { Checker(file).run(); }

}  // namespace leitong::segment
