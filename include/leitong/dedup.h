// The main job: files of texts in, near-duplicates found, one copy of each group kept, a report of what was done.
//
// `dedup` is the composition of the five stages of leitong/stages.h. Same inputs, profile, rule and options, same bytes, on any machine and
// any number of threads; only run.json (timings, host, threads) is exempt.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/input.h"
#include "leitong/job.h"
#include "leitong/output.h"
#include "leitong/profile.h"
#include "leitong/recall.h"
#include "leitong/rule.h"
#include "leitong/stages.h"

namespace leitong {

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
  Outputs outputs = Outputs::all;
  bool resume = false;  // not with tables in memory; a stage whose file exists, is whole and was made from the same inputs and options is
                        // not run again
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

}  // namespace leitong
