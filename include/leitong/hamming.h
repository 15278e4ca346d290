// All pairs of fingerprints within k bits of each other, exactly: given to a sink, counted, or gathered into clusters.
//
// Shapes: `values` holds rows × words 64-bit words, least significant word first; at most 2^32 - 1 rows in all. Pairs name rows by number.
// Every function is a pure function of its arguments and may be called from several threads at once. Errors: Error(usage) for a k or a
// width out of range, or values that are not whole rows. Sources: Manku, Jain, Das Sarma 2007; general pigeonhole of Qin et al. (GPH,
// 2018). How it works and what it costs: docs/hamming.md. Look-ups, and collections that grow: leitong/hamming_index.h.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace leitong {

struct HammingPair {
  std::uint32_t a, b;
  std::uint32_t distance;
  friend bool operator==(const HammingPair&, const HammingPair&) = default;
};
using HammingPairSink = std::function<void(std::span<const HammingPair>)>;

struct HammingJoinOptions {
  unsigned words = 1;    // 64-bit words a fingerprint: 1, 2 or 4
  unsigned k = 3;        // 0..12 at one word; any k at two or four
  unsigned threads = 1;  // at least 1
  // Bytes the join may take beside `values`, never below some 16 MiB; 0: as many as are fastest (docs/hamming.md).
  std::uint64_t memory = 0;
};

// Calls `sink` with batches of pairs, a < b, until every pair of rows within k bits was given once. Calls never overlap, and the pairs come
// in the same order whatever `threads` is. A class of m equal rows gives m(m - 1)/2 pairs: where that may be many, count or cluster
// instead, or join the distinct values of hamming_classes.
void hamming_self_join(std::span<const std::uint64_t> values, const HammingJoinOptions& options, const HammingPairSink& sink);

// The same for all pairs of a row of `left` (pair.a) and a row of `right` (pair.b). Pairs within one side are neither given nor paid for
// one by one where rows are equal; near pairs within a side cost their verification.
void hamming_join(std::span<const std::uint64_t> left, std::span<const std::uint64_t> right, const HammingJoinOptions& options,
                  const HammingPairSink& sink);

// How many pairs the joins would give. Equal rows are counted as classes, so floods of one value cost nothing.
[[nodiscard]] std::uint64_t hamming_count(std::span<const std::uint64_t> values, const HammingJoinOptions& options);
[[nodiscard]] std::uint64_t hamming_count(std::span<const std::uint64_t> left, std::span<const std::uint64_t> right,
                                          const HammingJoinOptions& options);

// For each row the smallest row that a chain of pairs within k bits leads to (itself, if it is alone). 4 bytes a row.
[[nodiscard]] std::vector<std::uint32_t> hamming_clusters(std::span<const std::uint64_t> values, const HammingJoinOptions& options);

// Distinct fingerprints, in an order that is the same on every run and machine, and the rows that share each.
struct HammingClasses {
  std::vector<std::uint64_t> values;  // classes × words
  std::vector<std::uint32_t> starts;  // rows[starts[c]] … rows[starts[c + 1]] hold class c, ascending; classes + 1 entries
  std::vector<std::uint32_t> rows;

  [[nodiscard]] std::size_t classes() const { return starts.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> rows_of(std::size_t c) const {
    return std::span(rows).subspan(starts[c], starts[c + 1] - starts[c]);
  }
};
// About linear time, 28 bytes a row. Error(usage) as above.
[[nodiscard]] HammingClasses hamming_classes(std::span<const std::uint64_t> values, unsigned words = 1);

// In words: how a self-join of so many evenly spread rows would be done, what the model says it costs, and whether it is a scan.
[[nodiscard]] std::string hamming_join_plan(std::uint64_t rows, const HammingJoinOptions& options);

}  // namespace leitong
