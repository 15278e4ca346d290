// explain: why the fingerprints of two texts differ, bit by bit and feature by feature; and what a finished run did with two of its
// records.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/fingerprint.h"
#include "leitong/similarity.h"

namespace leitong {

// A feature (n-gram, word) whose weight in one text is not its weight in the other.
struct MovedFeature {
  std::string text;            // as in Trace::Feature
  std::string part_of_speech;  // empty if the segmenter gives none
  Fingerprint hash;
  double a = 0, b = 0;  // its weight in each text, all copies together; 0: it has no vote there
  // Of the differing bits: how many its move from A to B pulls the way they went, less how many it pulls the other way.
  int pull = 0;
};

// What the feature adds to a bit's counter of B less that of A: b - a if its hash has the bit, else a - b.
[[nodiscard]] double contribution(const MovedFeature&, unsigned bit);

// A bit in which the fingerprints differ.
struct DifferingBit {
  unsigned bit = 0;     // of Fingerprint
  double a = 0, b = 0;  // its counter in each text: over all features, + weight where the hash has the bit, - weight where it has not
  // Places in Explanation::moved, the greatest contributions first; of equal ones those that pull the way the bit went.
  std::vector<std::uint32_t> features;
  std::uint64_t left_out = 0;  // so many more features moved
};

struct Explanation {
  std::optional<Fingerprint> a, b;               // none: the text has no features
  std::vector<double> a_sums, b_sums;            // the counters of all bits
  bool tie_sets_bit = false;                     // what a counter of zero gives
  std::uint64_t a_features = 0, b_features = 0;  // different ones that vote in each text
  std::uint64_t unmoved = 0;                     // of equal weight in both
  // The others: what moved most first; of those that moved alike, the greatest pull first, then as they stand in the texts.
  std::vector<MovedFeature> moved;
  std::vector<DifferingBit> bits;  // ascending; empty if a text has no fingerprint
};

// `most` features are listed with each bit. Texts of up to 16 MiB each (Error(limit) beyond). Time and memory as of trace(): about 300
// bytes a feature. Needs the profile's dictionary and files, as Fingerprinter does.
[[nodiscard]] Explanation explain(std::string_view a, std::string_view b, const Profile& profile, std::uint32_t most = 5);

// A record of a run, as its outputs name it.
struct RunRecord {
  std::string id;            // a JSON value; empty: it has none
  std::uint64_t record = 0;  // number, as in removed.jsonl and clusters.jsonl
  std::string source;
  std::uint64_t line = 0;  // in its source, from 1; documents of a file of their own: 1
  bool stored = false;     // a document of a store of --against that keeps no texts: `record` is of this run alone, and `line` 0
};

// What a run did with a record.
struct RunFate {
  RunRecord self;
  std::optional<Fingerprint> fingerprint;  // as the run has it
  std::optional<std::uint32_t> cluster;    // none: it resembles no other, and is kept
  std::uint64_t cluster_size = 1;
  RunRecord kept;  // what its cluster keeps: itself, or what it was removed for
  bool is_kept = true;
  // Of a removed record, to the one that is kept. Of a document of a store only the distance is known.
  double similarity = 1;
  bool equal = false;  // after normalisation
  std::optional<unsigned> distance;
  // The first record with the same text after normalisation, which stood for all of them when pairs were nominated; often itself.
  RunRecord first;
  std::string text;  // empty if RunExplanation::no_texts says why
};

// An accepted pair.
struct RunEdge {
  RunRecord from, to;
  double similarity = 1;
  std::string route;  // how it was nominated: "equal", "bands", "exact", "hamming"
};

struct RunExplanation {
  Profile profile;  // the run's; its key is the asker's, for no run keeps one
  std::string profile_id;
  Rule rule;  // by which it verified
  std::string rule_id;
  RunFate a, b;
  // The pair, or, where one has an earlier equal, the pair of the records that stood for them.
  std::optional<std::string> nominated;  // by which route; none: it was not
  double estimate = 0;                   // of a nominated pair's similarity, by its route; 0: none
  // Their similarity where what is common in the collection counts less (Rule::template_similarity), if the rule asks for it of such
  // a pair and the inputs can be read.
  std::optional<double> beyond_template;
  bool own_passages = false;       // refused as two pages of one template, each with a passage of its own (Rule::template_passage)
  std::optional<double> accepted;  // with which similarity; none: it was refused, or never looked at
  bool unverified = false;         // accepted by the fingerprints alone: one is a document of a store; `accepted` is 0
  std::string method, verification, thresholds;  // of the run, for people
  // The fewest accepted pairs that lead from A to B, if both are in one cluster; of equally short chains a most similar one.
  std::vector<RunEdge> chain;
  std::string no_texts;     // why the texts could not be read again: an input has changed, or is gone. Empty: they could
  std::string no_features;  // why the features behind the fingerprints cannot be told: a key or dictionary is missing. Empty: they can
  // Of the texts. Fingerprints and distance are the run's; near_duplicate is by the run's rule, without a threshold that replaced it.
  std::optional<Comparison> comparison;
  std::optional<Explanation> explanation;
};

struct RunQuestion {
  std::string directory;  // of a finished run
  // Two records: an id as written in the input; SOURCE:NUMBER or :NUMBER with the number that removed.jsonl and clusters.jsonl give; or, if
  // no record has such an id, that number alone.
  std::string a, b;
  std::string key;         // Profile::key, if the run had one
  std::uint32_t most = 5;  // as of explain()
  const std::atomic<bool>* stop = nullptr;
};

// Reads the stage files block by block: memory is one block, what the sketch file's metadata needs and six bytes for each member of the
// pair's cluster. Throws Error(usage) for a record that is not there or a name that several have (it lists them), Error(io, format) for
// stage files that are missing or broken. Inputs that cannot be read are no error but RunExplanation::no_texts.
[[nodiscard]] RunExplanation explain_run(const RunQuestion& question);

}  // namespace leitong
