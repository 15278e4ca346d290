// What a run of dedup decided, record by record, for callers who take it from memory rather than from kept.jsonl and its like.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "leitong/stages.h"

namespace leitong {

// Records are called by their numbers: from 0 on, in the order of the inputs, bad ones counted in; those of an old collection
// (DedupOptions::against) by themselves.
struct RunResults {
  enum class Fate : std::uint8_t { rejected, removed, kept };
  struct Member {
    std::uint64_t record = 0;
    std::uint32_t cluster = 0;
    std::uint64_t kept_record = 0;  // that stays for this one; `record` itself if it is the one that stays
    bool kept_is_old = false;       // kept_record is one of the old collection
    bool equal = false;             // their texts are the same after normalisation
    double similarity = 0;          // to the kept record; -1: not known, for it is stored without a text
    int distance = -1;              // of the two fingerprints, in bits; -1: one has none
  };
  struct Edge {  // a pair of near-duplicates
    std::uint64_t a = 0, b = 0;
    bool a_is_old = false;  // as in Member; b never is
    bool equal = false;
    double similarity = 0;
    int distance = -1;
  };

  Counts counts;
  std::vector<Fate> fates;      // one a record
  std::vector<Member> members;  // the records of all clusters, without old ones, ascending by record
  std::vector<Edge> edges;      // without pairs of stores that keep no texts; by their places in the inputs
  std::vector<std::string> notes;
};

// Of a finished run in that directory, of its stage files alone (DedupOptions::outputs may be `none`). Memory: some dozen bytes a record
// and an edge. Throws Error(io) if there is no such run, Error(format) if a file of it is damaged.
[[nodiscard]] RunResults run_results(const std::string& output_dir);

}  // namespace leitong
