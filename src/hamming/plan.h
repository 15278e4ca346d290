// How a join is cut into tables: blocks of bits with thresholds, chosen by a cost model, and the filter that a table's candidates pass.
//
// General pigeonhole (Qin et al., GPH, 2018): disjoint blocks with thresholds t_i and sum(t_i + 1) = k + 1. A pair within k bits has a
// block whose own distance is at most t_i. The pair belongs to the first such block ("canonical place"), so in the table of block i every
// earlier block j differs in at least t_j + 1 bits. Such a lower bound is a Clause; clauses shrink what is left of k for other bits.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace leitong::hamming {

constexpr unsigned max_words = 4;

// A set of bit positions of a fingerprint.
struct BitSet {
  std::array<std::uint64_t, max_words> word{};
  [[nodiscard]] unsigned count() const noexcept;
  bool operator==(const BitSet&) const = default;
};

// Pairs must differ in at least `at_least` of the bits `mask` of one word.
struct Clause {
  unsigned word;
  std::uint64_t mask;
  unsigned at_least;
  bool operator==(const Clause&) const = default;
};

// A subproblem: all pairs of some rows that fulfil the clauses and differ in at most `limit` of the bits outside `frozen`.
// What the pairs differ in inside `frozen` is known and already paid for.
struct Frame {
  BitSet usable;  // bits outside `frozen` in which the rows differ at all
  BitSet frozen;
  int limit = 0;
  std::vector<Clause> clauses;

  // The largest distance that a pair can have inside `region`: the limit less what disjoint clauses elsewhere are known to use up.
  // Negative: no pair fulfils the frame.
  [[nodiscard]] int budget(const BitSet& region) const noexcept;
};

// A run of bits of one word; `mask` tells which bits of the run count, so keys are ((value >> shift) & mask) < 2^span.
struct Block {
  unsigned word = 0;
  unsigned shift = 0;
  unsigned span = 0;
  std::uint64_t mask = 0;
  unsigned threshold = 0;

  [[nodiscard]] std::uint64_t key(const std::uint64_t* row) const noexcept { return (row[word] >> shift) & mask; }
  [[nodiscard]] std::uint64_t placed_mask() const noexcept { return mask << shift; }
};

struct Plan {
  std::vector<Block> blocks;  // empty: compare directly
  double cost = 0;            // estimated nanoseconds of one thread
};

// What candidates are scanned by: 16 or 32 bits of each row, or whole rows.
struct Filter {
  enum class Kind { bits16, bits32, rows };
  Kind kind = Kind::rows;
  unsigned word = 0;
  unsigned shift = 0;
  std::uint64_t mask = 0;
  int limit = 0;    // largest distance inside the filter's bits; of whole rows: the frame's limit
  double cost = 0;  // estimated nanoseconds a candidate pair
};

[[nodiscard]] Plan make_plan(const Frame& frame, std::uint64_t n, unsigned words);

// The cheapest filter for candidates that share `block` (nullptr: none).
[[nodiscard]] Filter choose_filter(const Frame& frame, const Block* block, unsigned words);

// All keys of differing bits inside the block with at most `threshold` bits set: 0 first, then by number of bits, then by value.
[[nodiscard]] std::vector<std::uint32_t> block_deltas(const Block& block);

}  // namespace leitong::hamming
