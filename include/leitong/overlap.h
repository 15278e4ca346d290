// overlap: which texts of collection A hold passages of collection B, and where.
//
// A is what is searched, a training set or today's crawl; B is what is looked for, benchmarks or an archive. A match is a run of at least
// `span` equal tokens, wherever it stands in either text: a question inside a page of any length. docs/overlap.md says what is promised.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "leitong/input.h"
#include "leitong/job.h"
#include "leitong/output.h"

namespace leitong {

struct OverlapOptions {
  InputOptions a, b;  // at most one of them standard input
  JobOptions job;
  std::string output_dir;
  std::uint32_t span = 20;        // tokens (a word, or one Han character); a shorter text of B must be held whole
  double contained = 0.5;         // above 0 to 1: a text of B is contained if one text of A holds this share of its tokens in such runs
  bool fold_traditional = false;  // traditional Chinese characters count as their simplified ones
  Compression compression = Compression::none;  // of matches.jsonl and rejected.jsonl
  bool overwrite = false;                       // a finished run in output_dir is an error without it
};

// Units: records, unless said.
struct OverlapCounts {
  std::uint64_t a_records = 0, a_rejected = 0, b_records = 0, b_rejected = 0;  // read, bad ones included; bad
  std::uint64_t a_bytes = 0, b_bytes = 0, a_tokens = 0, b_tokens = 0;          // of good texts
  std::uint64_t too_short = 0;                                                 // of B, below 8 tokens: not looked for
  std::uint64_t contained = 0, partial = 0;                                    // of B
  std::uint64_t holding = 0;                                                   // of A, that hold a passage of B
  std::uint64_t pairs = 0;                                                     // of records that share a run
  std::uint64_t readings = 0;                                                  // of A: as often as B's index goes into the memory budget
  std::uint64_t common_passages = 0;  // that A holds, and that stand in so many places of B that not all were looked at
  std::uint64_t places_left_out = 0;  // of these, counted by grams
  std::uint64_t bounded_pairs = 0;    // that repeat themselves so much that not all of their runs were looked at
  // B by its sources; of more than 20 by what they have in common in their names, as in the report.
  struct Source {
    std::string path;
    std::uint64_t records = 0, contained = 0, partial = 0;  // good ones
  };
  std::vector<Source> matrix;
};

// Leaves in output_dir: matches.jsonl (each pair with its spans), summary.json (counts, and the matrix of B's sources by A's), report.html
// and rejected.jsonl. Same inputs and options: the same bytes, whatever the threads and the memory. B's index is held in memory, about 15
// bytes a token, in as many parts as the budget asks for, and A is read once for each; standard input is kept, compressed, until the end.
// Throws Error(usage) for options without a meaning, Error(io) for what cannot be read, Error(format) if a file changes meanwhile.
OverlapCounts overlap(const OverlapOptions& options);

}  // namespace leitong
