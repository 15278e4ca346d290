// The five stages of the job, each alone: a function that leaves one immutable, checksummed file (docs/file-format.md).
//
//     sketch   inputs        -> sketch file     record number, source position, lengths, sketches
//     join     sketch files  -> pair file       candidate pairs
//     verify   pair file     -> edge file       pairs that are near-duplicates by the rule
//     cluster  edge file     -> cluster file    groups and the record that each keeps
//     apply    cluster file  -> outputs         kept.jsonl, removed.jsonl, clusters.jsonl, summary.json, report.html, ...
//
// Every stage is deterministic: same inputs, profile, rule and options, same bytes, on any machine and any number of threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "leitong/input.h"
#include "leitong/job.h"
#include "leitong/output.h"
#include "leitong/profile.h"
#include "leitong/recall.h"
#include "leitong/rule.h"

namespace leitong {

enum class Verify { text, sketch, none };

// What dedup leaves: everything; everything but the records themselves (no kept.jsonl); the stage files and rejected.jsonl alone, which
// run_results (leitong/run_results.h) and stage::apply read.
enum class Outputs : std::uint8_t { all, no_records, none };

// Which copy of a group stays. The most central first, for a group is what resembles the record that it keeps: so few families are split.
inline constexpr const char* default_keep = "central,length:max,first";

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
  InMemory in_memory = {};  // what the sketch files were made of, as InputOptions had it
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
  // Not given: Parquet if all inputs are Parquet or Arrow files, WARC if all are archives (packed as the first of them, unless
  // `compression` says otherwise), else JSON Lines. Parquet needs inputs with the same columns; what comes of it has their schema and
  // metadata and the first file's row groups, its rows equal by value.
  std::optional<RecordFormat> format = {};
  Outputs outputs = Outputs::all;  // not `none`
  InMemory in_memory = {};         // as in VerifyOptions
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

}  // namespace leitong
