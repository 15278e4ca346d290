// What the pairs and matches must be, found in ways that share nothing with the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "data_sets.h"

namespace bench_hamming {

// How many pairs, and a sum over them that does not depend on their order. The peers compute the same (peers/).
struct Tally {
  std::uint64_t count = 0, checksum = 0;
  void add(std::uint64_t a, std::uint64_t b, std::uint64_t distance) {
    std::uint64_t x = (a << 32 | b) * 0x9e3779b97f4a7c15U + distance;
    x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9U;
    checksum += x ^ (x >> 32);
    ++count;
  }
  bool operator==(const Tally&) const = default;
};

// Rows, and how they are read: with `left_rows` > 0 only pairs of one of the first left_rows rows and a later row count, and b is numbered
// from 0 behind them.
struct Problem {
  std::span<const std::uint64_t> values;
  unsigned words = 1, k = 3;
  std::size_t left_rows = 0;

  [[nodiscard]] std::size_t rows() const { return values.size() / words; }
};
using PairVisitor = std::function<void(std::uint32_t a, std::uint32_t b, unsigned distance)>;

[[nodiscard]] unsigned distance_of(const std::uint64_t* a, const std::uint64_t* b, unsigned words);

// Every pair compared.
[[nodiscard]] Tally every_pair(const Problem& problem);
// With k + 3 blocks two rows within k bits agree in three at least: one sorted table for every three blocks (Manku, Jain, Das Sarma 2007),
// a pair in the table of the first three. Feasible where every_pair is not; 16 bytes a row.
void sorted_tables(const Problem& problem, const PairVisitor& visit);
[[nodiscard]] Tally sorted_tables(const Problem& problem);

// Distinct rows and how often each stands: for data in which pairs of equal rows are too many to be told one by one.
struct Distinct {
  Values values{};
  std::vector<std::uint32_t> first_row{}, size{}, class_of_row{};
};
[[nodiscard]] Distinct distinct_rows(std::span<const std::uint64_t> values, unsigned words);
[[nodiscard]] std::uint64_t count_by_classes(const Distinct& distinct, unsigned words, unsigned k);
// For each row the smallest row that a chain of pairs leads to.
[[nodiscard]] std::vector<std::uint32_t> clusters_by_classes(const Distinct& distinct, unsigned words, unsigned k);

// All partners of every stride-th row, found by comparing these with every row: for problems too large for anything else. The stride is a
// multiple of ten, since every tenth row of most data sets has a planted neighbour, and told from a row number without touching memory.
class RowSample {
 public:
  RowSample(const Problem& problem, std::size_t about);
  // A pair that the library gave; only those with a row of the sample matter.
  void add(std::uint32_t a, std::uint32_t b, std::uint32_t distance) {
    if (a % stride_ == 0 || b % stride_ == 0) found_.add(a, b, distance);
  }
  void forget() { found_ = {}; }
  [[nodiscard]] bool holds() const { return found_ == expected_; }
  [[nodiscard]] std::string how() const;

 private:
  std::uint32_t stride_;
  std::size_t size_ = 0;
  Tally found_{}, expected_{};
};

// Matches of queries (a: query, b: row) by comparing with every row.
[[nodiscard]] Tally scan_queries(std::span<const std::uint64_t> rows, std::span<const std::uint64_t> queries, unsigned words, unsigned k);

}  // namespace bench_hamming
