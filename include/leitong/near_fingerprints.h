// Files of fingerprints joined, and looked up in an index: the results as lines of text, in an order that depends on nothing but the inputs
// and options. Below leitong/hamming.h and hamming_index.h, which give the same as numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "leitong/fingerprint_file.h"
#include "leitong/hamming_index.h"
#include "leitong/job.h"

namespace leitong {

// Takes whole lines, many at a time. What it throws ends the work and reaches the caller.
using LineSink = std::function<void(std::string_view lines)>;

struct NearOptions {
  unsigned k = 3;
  // threads, memory (what is held of the files counts, what is mapped does not), stop (looked at between lines, not while a join computes)
  JobOptions job;
};

// Pairs within k bits: of rows of one file or, if `right` is given, of a row of `left` and one of `right`.
// Errors: usage for a k or a number of rows that hamming.h does not take, and for files of different widths.
[[nodiscard]] std::uint64_t count_near_pairs(const FingerprintFile& left, const FingerprintFile* right, const NearOptions& options);

// "i,j,distance", i < j in one file; rows as FingerprintFile::row counts them. Returns the number of pairs. The same order with any number
// of threads; another --memory or k may give another one.
std::uint64_t write_near_pairs(const FingerprintFile& left, const FingerprintFile* right, const NearOptions& options, const LineSink& sink);

// {"cluster":r,"rows":[r,…]} for every two rows or more that chains of pairs connect; r is the smallest. In order of r, rows ascending. A
// file of JSON that was read with KeepIds::text adds "ids", null for a record without one.
struct NearClusters {
  std::uint64_t clusters = 0, rows = 0;
};
NearClusters write_near_clusters(const FingerprintFile& file, const NearOptions& options, const LineSink& sink);

struct LookupOptions {
  std::optional<unsigned> k;             // none: what the index was built for, or with `nearest` any distance
  std::optional<std::uint64_t> nearest;  // of those within k only so many a query, the nearest
  JobOptions job;
};
struct LookupCounts {
  std::uint64_t queries = 0, answered = 0, matches = 0;  // answered: with at least one match
};
// {"query":row,"id":…,"distance":…} for each match, by query, distance, id. Queries of JSON that were read with KeepIds::text add
// "query_id" behind "query", null for a record without one. Error(usage) for queries of another width.
LookupCounts write_matches(const HammingIndex& index, const FingerprintFile& queries, const LookupOptions& options, const LineSink& sink);

// Calls `write` with a sink whose lines go to a file that appears under its name, durably, only when `write` has returned. Until
// then they stand in PATH.PID.tmp, a name that no file had and that goes away if anything fails; so several may write one path.
void write_whole_file(const std::string& path, const std::function<void(const LineSink&)>& write);
// HammingIndex::save in that way.
void write_whole_index(const std::string& path, const HammingIndex& index);

}  // namespace leitong
