// The stages of `dedup` as functions of values, for engines that spread a job over machines (docs/spark.md).
//
// Such an engine sorts, groups and joins rows by numbers and bytes; what is Leitong's own in each stage stands here. What dedup makes of
// the same records in the same order, these functions make too: they share its code. A record is known by a number, which also is its place
// in the order of the input; numbers may have gaps.
//
// Every object is for one thread. Rows that come sorted may be cut anywhere between two groups and given to different objects.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/fingerprint.h"
#include "leitong/profile.h"
#include "leitong/recall.h"
#include "leitong/rule.h"

namespace leitong::distributed {

// What later stages need of a text without reading it again: a row of the sketch file (docs/file-format.md). Valid until the next text.
struct Sketch {
  std::array<std::uint64_t, 2> content{};  // equal for texts that are equal after normalisation; zero for blank texts, which equal nothing
  std::uint32_t tokens = 0, features = 0;
  std::optional<Fingerprint> fingerprint;
  std::span<const std::uint8_t> slots;            // of the second sketch; empty: too short for it, or the profile has none
  std::span<const std::uint64_t> bits;            // of the slots, five words; empty with them
  std::span<const std::uint32_t> short_features;  // of texts that the exact route takes, sorted and distinct; else empty
};

class Sketcher {
 public:
  explicit Sketcher(const Profile& profile);
  ~Sketcher();
  Sketcher(Sketcher&&) noexcept;
  Sketcher& operator=(Sketcher&&) noexcept;
  [[nodiscard]] const Sketch& operator()(std::string_view utf8);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Bands of the second sketch. Rows with an equal key in one of them are candidates unless their bits are further apart than max_distance.
struct BandPlan {
  unsigned bands = 0, slots = 0;
  unsigned max_distance = 0;
};
// For this number of texts that have slots and equal no earlier text. Throws Error(usage) if no bands reach the goal.
[[nodiscard]] BandPlan band_plan(std::uint64_t rows, const std::optional<RecallGoal>& goal = std::nullopt);
[[nodiscard]] std::uint32_t band_key(std::span<const std::uint8_t> slots, const BandPlan& plan, unsigned band);

// Pairs of rows that share a key, for rows that come ascending by (key, row); the key holds the band too. In groups of more than 512 rows
// each row meets the first 16 and the 48 before it only, and `bounded` is told of it. Memory: 512 numbers.
class KeyGroups {
 public:
  using Pair = std::function<void(std::uint64_t a, std::uint64_t b)>;  // a < b
  using Bounded = std::function<void(std::uint64_t row)>;
  KeyGroups(Pair pair, Bounded bounded);
  ~KeyGroups();
  void add(std::uint64_t key, std::uint64_t row);
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The exact route of short texts. First the frequencies of all features: as many counters as short_counters() says, for the number of
// features of all short texts together; then each set's features that may meet another set's.
[[nodiscard]] std::size_t short_counters(std::uint64_t features);
void count_short(std::span<const std::uint32_t> features, std::span<std::uint32_t> counters);
// The least similarity that the rule asks of a pair with a short text.
[[nodiscard]] double short_threshold(const Profile& profile, const Rule& rule, std::optional<double> threshold);
// Calls visit(feature, whether it stands in the prefix that suffices for the smaller set of a pair).
void visit_short_prefix(std::span<const std::uint32_t> features, std::span<const std::uint32_t> counters, double threshold,
                        const std::function<void(std::uint32_t feature, bool in_short_prefix)>& visit);

// Pairs of sets that share a feature, for sets that come ascending by (feature, number of features, row); bounded as dedup bounds them.
// Memory: 4,096 sets.
class ShortGroups {
 public:
  using Pair = std::function<void(std::uint64_t a, std::uint64_t b, float similarity)>;  // a < b
  using Bounded = std::function<void(std::uint64_t row)>;
  struct Set {
    std::uint64_t row = 0;
    bool is_short = false, in_short_prefix = false;
    std::span<const std::uint32_t> features;
  };
  ShortGroups(double threshold, Pair pair, Bounded bounded);
  ~ShortGroups();
  void add(std::uint32_t feature, const Set& set);
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// A candidate pair, of which the sketches are known.
struct Candidate {
  bool by_bands = false;
  std::uint32_t distance = 0;       // of the bits, if by_bands
  std::optional<float> similarity;  // of the exact route
  std::uint32_t tokens_a = 0, tokens_b = 0, features_a = 0, features_b = 0;
};
enum class Outlook : std::uint8_t { none, refused, edge, needs_texts };  // none: it is no candidate, for its bits are too far apart
struct Considered {
  Outlook outlook = Outlook::none;
  float value = 0;      // estimated or exact similarity
  bool exact = false;   // of the exact route alone
  bool copies = false;  // so alike that templates are learnt from one of them only
};

// What of a text is counted to learn templates: the features that texts are compared by, as 32-bit keys, each once.
class TemplateKeys {
 public:
  explicit TemplateKeys(const Profile& profile);
  ~TemplateKeys();
  [[nodiscard]] std::span<const std::uint32_t> operator()(std::string_view utf8);  // valid until the next text

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};
// The most features that are counted: of more, the records with the smallest content hashes are (docs/spark.md).
[[nodiscard]] std::uint64_t template_features();
// How many of the counted records have a feature: copies left out, and equal texts alone left out.
struct TemplateCount {
  std::uint32_t key = 0, without_copies = 0, with_copies = 0;
};

// Decides pairs as the verify stage does.
class Judge {
 public:
  static constexpr float refused = -1, other_facts = -2;
  // `templates`: counts of features that more than rule.template_records records have; others may be missing. `threshold` replaces the
  // rule.
  Judge(const Profile& profile, const Rule& rule, std::optional<double> threshold, std::span<const TemplateCount> templates);
  ~Judge();
  [[nodiscard]] bool uses_templates() const;
  [[nodiscard]] Considered consider(const Candidate& candidate) const;
  // The later text of the pairs that are asked about next.
  void set(std::string_view later);
  // The similarity of an earlier text and it, or `refused` or `other_facts`.
  [[nodiscard]] float ask(std::string_view earlier);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The keep policy (docs/python.md, "keep"). Of two records the one whose key is smaller, byte by byte, stays.
class KeepOrder {
 public:
  explicit KeepOrder(std::string_view policy);
  ~KeepOrder();
  [[nodiscard]] const std::vector<std::string>& fields() const;  // whose values record() needs
  [[nodiscard]] bool uses_neighbours() const;
  [[nodiscard]] std::vector<std::string> rules() const;  // one for each 8 bytes of a key
  struct Record {
    std::uint64_t number = 0;
    std::uint64_t text_bytes = 0;
    std::uint32_t neighbours = 0;          // other texts that are joined to its text by an edge; equal texts count once
    std::string_view source;               // path of the input
    std::vector<std::string_view> fields;  // in the order of fields(); empty: missing
  };
  // Appends 8 bytes for each rule.
  void key(const Record& record, std::string& out) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Greedy stars. Edges come component by component, in each ascending by (key of the better text, key of the worse text).
// Memory: a number for each text of the component that was taken.
class Stars {
 public:
  Stars();
  ~Stars();
  // Whether `worse` is removed, and `better`, which stays, is kept in its place.
  [[nodiscard]] bool takes(std::uint64_t component, std::uint64_t better, std::uint64_t worse);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace leitong::distributed
