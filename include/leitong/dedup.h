// The main job: files of texts in, near-duplicates found, one copy of each group kept, a report of what was done.
//
// `dedup` is the composition of five stages; each also stands alone and leaves one immutable, checksummed file (docs/file-format.md):
//
//     sketch   inputs        -> sketch file     record number, source position, lengths, sketches
//     join     sketch files  -> pair file       candidate pairs
//     verify   pair file     -> edge file       pairs that are near-duplicates by the rule
//     cluster  edge file     -> cluster file    groups and the record that each keeps
//     apply    cluster file  -> outputs         kept.jsonl, removed.jsonl, clusters.jsonl, summary.json, report.html, ...
//
// Every stage is deterministic: same inputs, profile, rule and options, same bytes, on any machine and any number of threads.
// Only run.json (timings, host, threads) is exempt.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "leitong/profile.h"
#include "leitong/rule.h"

namespace leitong {

struct InputOptions {
  std::vector<std::string> paths;  // files, directories; "-" is standard input
  std::string format = "auto";     // auto (by name, then by content), jsonl, csv, tsv, text, lines, html
  // How the bytes of a text are to be understood: a name (UTF-8, GB18030, GBK, Big5, UTF-16, ..., or one that iconv knows), or auto: a byte
  // order mark, else UTF-8 where the bytes are that, else what an HTML page declares, else GB18030 or Big5 if the bytes look like it.
  // Everything else, offsets too, is of the text turned to UTF-8.
  std::string encoding = "auto";
  // Dotted path (jsonl; 0, 1, ... is an element of an array, * each of them, joined by line ends) or column name (csv, tsv).
  std::string text_field = "text";
  std::vector<std::string>
      more_text_fields;  // the text is that of text_field and of these, joined by line ends; those missing are left out
  std::string id_field = "id";
  std::vector<std::string> fields;                 // further fields to carry along for the keep policy
  std::vector<std::string> json_fields;            // and those whose values are wanted as JSON, as they stand (of a table: strings)
  bool need_text = true;                           // a record without a text is bad; else its text is empty
  std::vector<std::string> include, exclude;       // globs over paths inside directories; '*' also matches '/'
  bool header = true;                              // csv, tsv: the first row names the columns; else columns are "0", "1", ...
  bool strict = false;                             // the first bad record is an error
  bool as_it_comes = false;                        // standard input alone, JSON Lines or lines: each record as soon as its line is there
  std::uint64_t max_document_bytes = 16ULL << 20;  // a longer record is rejected
  std::uint64_t max_expansion = 1000;              // unpacked : packed bytes of a compressed input, beyond its first 64 MiB
};

struct Progress {
  const char* stage = "";             // "sketch", "against" (stores are asked), "join", "verify", "cluster", "apply"
  std::uint64_t done = 0, total = 0;  // bytes of input, or the stage's own units; total 0: unknown
  std::uint64_t records = 0;
};

struct JobOptions {
  unsigned threads = 0;                           // 0: all cores
  std::uint64_t memory = 0;                       // budget in bytes; 0: half of the machine's memory
  std::function<void(const Progress&)> progress;  // called from one thread at a time, a few times a second
  std::function<void(const std::string&)> note;   // called with what a person should know of the result: one sentence, no full stop
  const std::atomic<bool>* stop = nullptr;        // set it (from a signal handler) and the job ends with Error(interrupted)
  // Called at the end with the path of each input that could not be read to its end (cut off, damaged, no format that is read): the results
  // lack what it held. A note says why.
  std::function<void(const std::string&)> unread = nullptr;
  std::vector<std::string> reads = {};  // files that the caller read for this run (a profile, a table of idf): never written
};

enum class Verify { text, sketch, none };

// How an output of lines is packed, and which end of its name says so: none, .gz, .zst.
enum class Compression : std::uint8_t { none, gzip, zstd };

// Where the records go: into one file, or into one for each input file (an empty one too) in a directory of that name without .jsonl. There
// a file is called as its input: by the path inside a directory that was given, by the last name if the file was given itself, standard
// input stdin.jsonl; behind a name of another format stands .jsonl. docs/outputs.md says it in full.
enum class OutputLayout : std::uint8_t { one, input };

// Which copy of a group stays. The most central first, for a group is what resembles the record that it keeps: so few families are split.
inline constexpr const char* default_keep = "central,length:max,first";

// What the candidate stage is to find: of the pairs of at least `similarity` (multiset Jaccard of words and word pairs), the share
// `recall`.
struct RecallGoal {
  double similarity = 0.8, recall = 0.99;  // each above 0 and below 1
};

struct SketchOptions {
  InputOptions input;
  Profile profile;
  JobOptions job;
  std::string output;  // the sketch file
  std::string
      rejected;  // JSON Lines of bad records {"source","line","offset","record","reason"}, packed if its name ends so; empty: only counted
  std::string spool;  // where standard input is kept, compressed; empty: beside `output`
};
struct JoinOptions {
  std::vector<std::string> sketches;
  std::vector<std::string> against;  // sketches of the old collection, if any: see DedupOptions::against
  std::string output;
  std::optional<unsigned> k;       // Hamming bound on the fingerprints; none: the profile's own candidate method
  std::optional<RecallGoal> goal;  // none: by the number of records; not together with k
  JobOptions job;
  // What verify will ask for: the exact route for short texts needs to know the least similarity.
  std::optional<double> threshold;  // replaces the rule's thresholds
  Rule rule = {};
};
struct VerifyOptions {
  std::string pairs, output;
  Verify verify = Verify::text;
  std::optional<double> threshold;  // replaces the rule: this similarity and nothing else
  JobOptions job;
  Rule rule = {};
};
struct ClusterOptions {
  std::string edges, output;
  std::string keep = default_keep;
  JobOptions job;
};
struct ApplyOptions {
  std::string clusters, output_dir;
  bool annotate = false;  // one annotated.jsonl with all records instead of kept.jsonl
  std::string annotate_key = "leitong";
  std::uint32_t giant_cluster = 1000;  // a cluster of this many records raises the alarm in summary and report
  // Of all outputs of lines. Not given: none, and of OutputLayout::input what the end of the input's name says.
  std::optional<Compression> compression;
  OutputLayout layout = OutputLayout::one;
  JobOptions job;
};

// Counts of a finished stage or job. Units: records, unless said.
struct Counts {
  std::uint64_t records = 0;  // read, bad ones included
  std::uint64_t rejected = 0;
  std::uint64_t featureless = 0;  // texts without a fingerprint
  std::uint64_t bytes = 0;        // of text
  std::uint64_t candidates = 0;   // pairs
  std::uint64_t bounded = 0;      // records whose candidates met the bound
  std::uint64_t edges = 0;        // pairs
  std::uint64_t other_facts = 0;  // pairs that are none only because they state other facts (Rule::fact_tokens)
  std::uint64_t clusters = 0;     // of two records or more
  std::uint64_t kept = 0, removed = 0;
  std::uint64_t old_records = 0;      // of the collection that the inputs were held against, bad ones included; in none of the other counts
  std::uint64_t old_rejected = 0;     // of these: bad
  std::uint64_t old_stores = 0;       // stores without texts that the inputs were held against
  std::uint64_t old_met = 0;          // of `old_records`: documents of these, of which only the nearest to some input take part
  std::uint64_t removed_for_old = 0;  // of `removed`: those that resemble a record of it
  std::uint32_t bands = 0, slots = 0;  // of the candidate stage, and of each band; 0 if it goes by a distance
  // Predicted for the candidate stage: similarity (multiset Jaccard), share of the pairs of that similarity that become candidates.
  std::vector<std::pair<double, double>> recall;
};

namespace stage {
Counts sketch(const SketchOptions&);
Counts join(const JoinOptions&);
Counts verify(const VerifyOptions&);
Counts cluster(const ClusterOptions&);
Counts apply(const ApplyOptions&);
}  // namespace stage

struct DedupOptions {
  InputOptions input;
  // The old collection: files and directories, read as `input` says; of a directory with the results of a run, what that run kept; of a
  // collection (leitong/collection.h) that keeps texts, all of them. Its records are never removed, written or counted, but an input record
  // that resembles one of them is removed in its favour, whatever `keep` says. Old records are not compared with each other.
  // A collection that keeps no texts, in a directory or at the address of a server, is asked: an input record whose fingerprint is within
  // `k` bits (none: the collection's own) of a stored one is removed in favour of the nearest, unverified; where an old text is near as
  // well, in favour of that. It must have the same profile. Only what is nearest to some input is read, so that memory does not grow with
  // the store; a run that is resumed goes on from what it read before.
  std::vector<std::string> against;
  Profile profile;
  Rule rule;
  JobOptions job;
  std::string output_dir;
  Verify verify = Verify::text;
  std::optional<unsigned> k;
  std::optional<RecallGoal> goal;
  std::optional<double> threshold;
  std::string keep = default_keep;
  bool annotate = false;
  std::string annotate_key = "leitong";
  std::uint32_t giant_cluster = 1000;
  std::optional<Compression> compression;  // as of ApplyOptions
  OutputLayout layout = OutputLayout::one;
  bool resume = false;               // a stage whose file exists, is whole and was made from the same inputs and options is not run again
  bool overwrite = false;            // an output_dir that holds another run's files is an error without it
  std::vector<std::string> command;  // argv, recorded in run.json
};
Counts dedup(const DedupOptions&);

// What a job would take, from running it on a sample of the inputs in a temporary directory. Standard input is read for it, and gone.
// Throws what the job would throw, for an output_dir too that holds a finished run; needs none.
struct Plan {
  std::uint64_t records = 0, input_bytes = 0, sampled_records = 0;
  std::uint64_t memory_bytes = 0, disk_bytes = 0, spool_bytes = 0, candidates = 0;
  double seconds = 0;
  bool exact = false;              // the whole input was sampled
  bool open_ended = false;         // standard input is longer than the sample: all figures are of its beginning
  std::vector<std::string> basis;  // what the figures rest on: sentences without a full stop
};
[[nodiscard]] Plan plan(const DedupOptions&);

// Calls `sink` with the removed records of a finished run, as they were in the input, in input order;
// of one cluster only if `cluster` is given. Returns their number.
std::uint64_t restore(const std::string& output_dir, std::optional<std::uint64_t> cluster,
                      const std::function<void(std::string_view record)>& sink);

[[nodiscard]] std::string version();
// Of the kernels of this process: "portable" or "avx2", the widest that the processor has or what the environment variable LEITONG_ISA
// (portable, avx2, avx512) asks for. Throws Error(usage) if that is none of these, Error(unsupported) if the processor lacks it.
[[nodiscard]] std::string instruction_set();

}  // namespace leitong
