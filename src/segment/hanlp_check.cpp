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
  explicit Checker(const SectionFile& file) : file_(file), constants_(file.record<HanlpConstants>(kConstants)) {}

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
    const auto codes = file_.section<std::uint16_t>(kCharCodes);
    require(codes.size() == 0x10000 && file_.section<std::uint8_t>(kCharTypes).size() == 0x10000, "tables of characters");
    require(*std::max_element(codes.begin(), codes.end()) < constants_.codes && constants_.codes <= 0x10000, "codes of characters");
    require(constants_.longest != 0 && constants_.longest <= kLongestWord, "longest word");
  }

  void check_names() const {
    const auto roles = file_.section<std::uint8_t>(kNextRoles);
    const std::size_t names = file_.section<std::uint8_t>(kNoNames).size();
    require(roles.size() == names * kNameRoles && constants_.no_name < names, "name words");
    require(*std::max_element(roles.begin(), roles.end()) < kNameRoles, "roles of name words");
  }

  static bool is_cost(double cost) { return cost >= 0 && cost <= 100; }  // no NaN: a path needs costs that have an order

  void check_pairs() {
    const auto costs = file_.section<double>(kPairCosts);
    const auto frequencies = file_.section<std::int32_t>(kPairFrequencies);
    const auto buckets = file_.section<HanlpBucket>(kBuckets);
    require(costs.size() == frequencies.size() && std::all_of(costs.begin(), costs.end(), is_cost) &&
                std::all_of(frequencies.begin(), frequencies.end(), [](std::int32_t frequency) { return frequency >= 0; }),
            "costs of pairs");
    require(buckets.size() >= HanlpPairs::kEmptyBuckets, "pairs");
    std::array<std::uint16_t, HanlpBucket::kLanes> used{}, most{};  // by lane: every bit of the seconds; the greatest pair of a used one
    open_before_.reserve(buckets.size() + 1);
    open_before_.push_back(0);
    for (std::size_t i = 0; i < buckets.size(); ++i) {
      const auto& [seconds, pairs] = buckets[i];
      for (std::size_t lane = 0; lane < HanlpBucket::kLanes; ++lane) {
        const auto pair = static_cast<std::uint16_t>(seconds[lane] != 0 ? pairs[lane] : 0);
        most[lane] = std::max(most[lane], pair);
        used[lane] |= seconds[lane];
      }
      if (i + 1 == HanlpPairs::kEmptyBuckets) require(std::ranges::all_of(used, [](auto bits) { return bits == 0; }), "pairs");
      open_before_.push_back(open_before_.back() + (buckets[i].seconds[HanlpBucket::kLanes - 1] == 0 ? 1 : 0));
    }
    for (std::size_t lane = 0; lane < HanlpBucket::kLanes; ++lane) require(used[lane] == 0 || most[lane] < costs.size(), "pairs");
  }

  // A row is inside of the buckets, and one of them ends every search.
  [[nodiscard]] bool is_row(std::uint32_t row) const {
    const std::size_t first = row >> HanlpPairs::kSizeBits, size = std::size_t{1} << (row & ((1U << HanlpPairs::kSizeBits) - 1));
    return first + size < open_before_.size() && open_before_[first + size] != open_before_[first];
  }

  void check_tries() const {
    const std::size_t entries = file_.section<HanlpStep>(kSteps).size(), names = file_.section<std::uint8_t>(kNoNames).size();
    const std::size_t texts = std::max<std::size_t>(file_.section<std::uint32_t>(kSimplifiedStarts).size(), 1) - 1;
    constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();
    check_trie(kCoreTrie, entries);
    check_trie(kCustomTrie, entries);
    check_trie(kAddedTrie, entries);
    check_trie(kNameTrie, names);
    check_trie(kTranslatedTrie, kAny);
    check_trie(kSimplifiedTrie, texts);
    check_trie(kStopTrie, kAny);
  }

  // No code leads outside, code 0, which stands behind every text, leads nowhere, and values are below `values`.
  void check_trie(std::uint32_t section, std::size_t values) const {
    const auto cells = file_.section<TrieCell>(section);
    std::uint32_t most_base = 0;
    TrieCell most_value = 0;
    bool zero = false;
    for (const TrieCell cell : cells) {
      most_base = std::max(most_base, Trie::base(cell));
      most_value = std::max(most_value, cell >> (Trie::kBaseBits + Trie::kCodeBits));  // one more than the value
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
    for (const TrieCell cell : file_.section<TrieCell>(kCoreTrie)) {
      if (Trie::ends(cell)) graph[Trie::value(cell)] = true;
    }
    return graph;
  }

  void check_entries() const {
    const auto steps = file_.section<HanlpStep>(kSteps);
    const auto tags = file_.section<HanlpTag>(kTags);
    const auto levels = file_.section<HanlpLevel>(kLevels);
    const auto frequencies = file_.section<std::int32_t>(kFrequencies);
    require(steps.size() == tags.size() && levels.size() == frequencies.size(), "entries");
    const std::vector<bool> graph = graph_entries(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const HanlpStep step = steps[i];
      const std::uint32_t level = step.level & ~std::uint32_t{HanlpStep::kOther};
      require(level < levels.size() && step.second != 0, "entries");
      if (step.second == HanlpStep::kOutside) {  // in the graph its frequency is taken for a row, and 1 is one that is empty
        require(step.row <= (graph[i] ? 1U : 0x7FFFFFFFU), "entries");
      } else {
        require(is_row(step.row), "entries");
      }
      if (graph[i]) require(is_cost(levels[level].cost0) && is_cost(levels[level].cost1) && frequencies[level] >= 0, "frequencies");
    }
    check_tags(tags);
  }

  void check_tags(std::span<const HanlpTag> tags) const {
    const std::string_view names = file_.text(kNatureNames);
    require(names.empty() || names.back() == '\n', "natures");
    const auto natures = static_cast<std::size_t>(std::count(names.begin(), names.end(), '\n'));
    const std::size_t name_words = file_.section<std::uint8_t>(kNoNames).size(), cells = file_.section<TrieCell>(kCustomTrie).size();
    for (const HanlpTag& tag : tags) {
      const bool asks = tag.roles == HanlpTag::kAskNames, walks = (tag.custom & HanlpTag::kCustomEnds) != 0;
      require(tag.nature < natures && (asks || tag.roles < name_words) && (walks || std::size_t{tag.custom} + constants_.codes <= cells),
              "entries");
    }
  }

  void check_simplified() const {
    const auto starts = file_.section<std::uint32_t>(kSimplifiedStarts);
    require(
        !starts.empty() && std::is_sorted(starts.begin(), starts.end()) && starts.back() <= file_.section<char16_t>(kSimplifiedText).size(),
        "simplified text");
  }

  const SectionFile& file_;
  const HanlpConstants& constants_;
  std::vector<std::uint32_t> open_before_;  // by bucket: how many before it end a search
};

}  // namespace

void check_hanlp(const SectionFile& file) { Checker(file).run(); }

}  // namespace leitong::segment
