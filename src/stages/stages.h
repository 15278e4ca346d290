// What the stages of this room share: the names, kinds and metadata of their files.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "leitong/input.h"
#include "leitong/job.h"
#include "leitong/stages.h"
#include "outputs/output_rule.h"
#include "similarity/thresholds.h"
#include "sketches/record_cursor.h"
#include "storage/table.h"

namespace leitong::stages {

// How a pair was nominated; stored in pair and edge files.
enum class PairKind : std::uint8_t {
  equal = 0,    // same text after normalisation: needs no verification
  bands = 1,    // agreed on a band of the MinHash sketch; value: estimated similarity of bigrams
  exact = 2,    // short texts; value: exact similarity
  hamming = 3,  // fingerprints within k; value: estimated similarity if both have slots, else 0
};

struct PairColumns {
  enum Index : std::size_t { a, b, kind, value };
};
struct ClusterColumns {
  enum Index : std::size_t { row, kept, cluster, similarity, distance, kind };
};
inline constexpr std::uint16_t no_distance = 0xffff;

[[nodiscard]] storage::Schema pair_schema(const std::string& kind);  // "pairs" or "edges"
[[nodiscard]] storage::Schema cluster_schema();

// Metadata of pair, edge and cluster files: the files they were made from, counts and settings.
struct StageMetadata {
  std::vector<std::string> sketches;    // paths, relative to this file's directory where possible
  std::uint64_t old_sketches = 0;       // the first ones, this many, are of the old collection
  std::vector<std::string> identities;  // of those sketch files
  std::string made_from;                // identity of the preceding file, and the options
  Rule rule;                            // join: the rule it nominated for; from verify on: the rule that judged the pairs
  std::string rule_id;
  std::string method;      // join: how candidates were found, as text for people
  std::string thresholds;  // verify: the thresholds, as text for people
  std::string verify;      // text, sketch, none
  std::string keep;
  Counts counts;
  std::vector<std::uint64_t> bounded_records;  // record rows whose number of candidates reached the bound
  std::vector<std::pair<std::string, std::uint64_t>> keep_reasons;
  std::vector<std::string> notes;
};
[[nodiscard]] std::string to_json(const StageMetadata&, const std::string& own_path);
[[nodiscard]] StageMetadata stage_metadata_from_json(const std::string& json, const std::string& own_path);

[[nodiscard]] storage::TableReader open_stage_file(const std::string& path, const std::string& kind);

// Adds a stage file, and all files that it was made from, to the inputs of a run.
void add_chain(outputs::OutputRule& rule, const std::string& path, const std::string& kind, const JobOptions& job);
// Throws Error(usage) if `output`, a table file, must not be written by a stage that reads this stage file (output_rule.h).
void refuse_output(const std::string& output, const std::string& path, const std::string& kind, const JobOptions& job);

// The verify stage with texts from another place than the inputs; `open` is called once for each pass over the texts.
using OpenTexts = std::function<sketches::TextOfRow()>;
Counts verify_with(const VerifyOptions&, const OpenTexts& open);

// The apply stage, for a caller that already holds the lock of the output directory.
Counts apply_locked(const ApplyOptions&);
// Whether the apply stage writes a file of that name (relative to the directory) in any of its forms.
[[nodiscard]] bool is_of_apply(const std::string& name);

// The old collection (DedupOptions::against) as inputs. For a directory with the results of a run these are the records that it kept.
[[nodiscard]] InputOptions old_input(InputOptions input, const std::vector<std::string>& against);

// Throws Error(usage) if the directory holds a finished run.
void refuse_finished(const std::string& output_dir);

[[nodiscard]] std::string key_of(const std::string& text);  // a hash, as 32 hexadecimal digits
// "made from" keys: equal when a stage's input file and options are equal.
[[nodiscard]] std::string made_from_sketch(const SketchOptions&);
[[nodiscard]] std::string made_from_join(const JoinOptions&);
[[nodiscard]] std::string made_from_verify(const VerifyOptions&);
[[nodiscard]] std::string made_from_cluster(const ClusterOptions&);

[[nodiscard]] const char* name_of(Verify);

}  // namespace leitong::stages
