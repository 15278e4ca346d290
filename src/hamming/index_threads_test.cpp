// Readers beside a writer: what they see was there at some moment. To be run with the thread sanitizer, too.
#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>
#include <vector>

#include "leitong/hamming_index.h"

namespace leitong {
namespace {

// Row i stands under id i, at distance 1 from the value of id i + 1 000 000. The writer adds ids in order, then erases them in order, so a
// reader must see an unbroken stretch that only moves upwards.
TEST(HammingIndexThreads, ReadersSeeOneMomentEach) {
  constexpr std::uint64_t row_count = 30000;
  std::vector<std::uint64_t> values(row_count);
  std::mt19937_64 random(4);
  for (auto& v : values) v = random();
  HammingIndex index;
  std::atomic<std::uint64_t> added = 0, erased = 0;
  std::atomic<bool> done = false;
  std::atomic<std::uint64_t> wrong = 0, found = 0;
  const auto read = [&](std::uint64_t seed) {
    std::mt19937_64 own(seed);
    HammingMatches out;
    std::vector<std::uint64_t> queries(64), rows(64);
    while (!done) {
      const std::uint64_t added_before = added, erased_before = erased;
      for (std::size_t q = 0; q < queries.size(); ++q) {
        rows[q] = own() % row_count;
        queries[q] = values[rows[q]] ^ 1;
      }
      index.find_batch(queries, 3, out);
      const std::uint64_t added_after = added, erased_after = erased;
      for (std::size_t q = 0; q < queries.size(); ++q) {
        const bool there = !out.of(q).empty() && out.of(q)[0] == HammingMatch{rows[q], 1};
        found += there ? 1 : 0;
        const bool must = rows[q] < added_before && rows[q] >= erased_after + 1;
        const bool may = rows[q] < added_after + 1 && rows[q] >= erased_before;
        wrong += (must && !there) || (there && !may) ? 1 : 0;
      }
    }
  };
  std::vector<std::jthread> readers;
  for (std::uint64_t seed = 0; seed < 2; ++seed) readers.emplace_back(read, seed);
  for (std::uint64_t i = 0; i < row_count; ++i) {
    index.add(i, values[i]);
    added = i + 1;
    if (i % 2 == 1) {
      index.erase(i / 2);
      erased = i / 2 + 1;
    }
    if (i == row_count / 2) index.compact();
  }
  done = true;
  readers.clear();
  EXPECT_EQ(wrong, 0U);
  EXPECT_GT(found, 0U);
}

}  // namespace
}  // namespace leitong
