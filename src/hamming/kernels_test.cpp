// Every instruction set against plain arithmetic.
#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <utility>
#include <vector>

#include "hamming/hamming.h"

namespace leitong::hamming {
namespace {

using Hits = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

template <typename Row>
Hits expected(const std::vector<Row>& a, const std::vector<Row>& b, bool triangle, unsigned limit) {
  Hits hits;
  for (std::uint32_t i = 0; i < a.size(); ++i) {
    for (std::uint32_t j = triangle ? i + 1 : 0; j < b.size(); ++j) {
      if (static_cast<unsigned>(std::popcount(static_cast<Row>(a[i] ^ b[j]))) <= limit) hits.emplace_back(i, j);
    }
  }
  return hits;
}

Hits scan_all(ScanFunction scan, const void* a, std::uint32_t na, const void* b, std::uint32_t nb, bool triangle, unsigned limit) {
  const std::uint32_t capacity = nb + 3;  // small, so that the scan has to resume
  std::vector<std::uint32_t> out(2 * capacity);
  PairScan s{a, b, na, nb, 0, limit, triangle, out.data(), capacity};
  Hits hits;
  while (s.next < na) {
    const std::uint32_t count = scan(&s);
    for (std::uint32_t h = 0; h < count; ++h) hits.emplace_back(out[2 * h], out[2 * h + 1]);
  }
  return hits;
}

template <typename Row>
void check_filter_scan(ScanFunction Kernels::* scan) {
  std::mt19937_64 random(3);
  for (const std::uint32_t n : {0U, 1U, 2U, 7U, 8U, 9U, 15U, 16U, 17U, 33U, 64U, 65U, 130U, 200U}) {
    std::vector<Row> rows(n);
    for (Row& r : rows) r = static_cast<Row>(random() & random() & random());  // NOLINT(misc-redundant-expression): three draws
    std::vector<Row> padded = rows;
    padded.resize(n + 128 / sizeof(Row), rows.empty() ? Row{0} : rows[0]);  // would be hits if they were not masked
    for (const unsigned limit : {0U, 1U, 2U, 3U, 4U, 6U, 9U, 15U, 16U, 31U, 32U}) {
      for (const Kernels* set : available_kernels()) {
        const std::vector<Row> few(rows.begin(), rows.begin() + n / 3);
        EXPECT_EQ(scan_all(set->*scan, padded.data(), n, padded.data(), n, true, limit), expected(rows, rows, true, limit)) << set->name;
        EXPECT_EQ(scan_all(set->*scan, few.data(), n / 3, padded.data(), n, false, limit), expected(few, rows, false, limit)) << set->name;
      }
    }
  }
}

TEST(Kernels, Scan16) { check_filter_scan<std::uint16_t>(&Kernels::scan16); }
TEST(Kernels, Scan32) { check_filter_scan<std::uint32_t>(&Kernels::scan32); }

template <typename Row>
void check_bucket_scan(BucketScanFunction Kernels::* scan) {
  std::mt19937_64 random(5);
  const std::vector<std::uint32_t> sizes = {0, 1, 2, 7, 8, 9, 0, 16, 17, 31, 32, 33, 64, 90, 101, 5, 40};
  const std::uint32_t origin = 1000, most = 90;  // the bucket of 101 rows is left out
  std::vector<std::uint32_t> starts = {origin};
  for (const std::uint32_t size : sizes) starts.push_back(starts.back() + size);
  std::vector<Row> rows(starts.back() - origin + 128 / sizeof(Row));
  for (Row& r : rows) r = static_cast<Row>(random() & random() & random());  // NOLINT(misc-redundant-expression): three draws
  for (const unsigned limit : {0U, 1U, 2U, 3U, 4U, 7U, 16U, 32U}) {
    Hits want;
    for (std::size_t v = 0; v < sizes.size(); ++v) {
      for (std::uint32_t i = starts[v] - origin; sizes[v] <= most && i < starts[v + 1] - origin; ++i) {
        for (std::uint32_t j = i + 1; j < starts[v + 1] - origin; ++j) {
          if (static_cast<unsigned>(std::popcount(static_cast<Row>(rows[i] ^ rows[j]))) <= limit) want.emplace_back(i, j);
        }
      }
    }
    for (const Kernels* set : available_kernels()) {
      const std::uint32_t capacity = most * most / 2;
      std::vector<std::uint32_t> out(2 * capacity);
      BucketScan s{rows.data(), starts.data(), origin, 0, static_cast<std::uint32_t>(sizes.size()), most, limit, out.data(), capacity};
      Hits hits;
      while (s.bucket < s.last) {
        const std::uint32_t count = (set->*scan)(&s);
        for (std::uint32_t h = 0; h < count; ++h) hits.emplace_back(out[2 * h], out[2 * h + 1]);
      }
      EXPECT_EQ(hits, want) << set->name << " limit " << limit;
    }
  }
}

TEST(Kernels, Buckets16) { check_bucket_scan<std::uint16_t>(&Kernels::buckets16); }
TEST(Kernels, Buckets32) { check_bucket_scan<std::uint32_t>(&Kernels::buckets32); }

TEST(Kernels, RowsAndCompareAtEveryWidth) {
  std::mt19937_64 random(4);
  for (const unsigned words : {1U, 2U, 4U}) {
    for (const std::uint32_t n : {0U, 1U, 3U, 4U, 5U, 8U, 31U, 100U}) {
      std::vector<std::uint64_t> rows(n * words);
      for (auto& r : rows) r = random() & random();  // NOLINT(misc-redundant-expression): two draws
      for (const unsigned k : {0U, 3U, 12U, 24U, 40U, 64U * words}) {
        for (const Kernels* set : available_kernels()) {
          Hits want;
          for (std::uint32_t i = 0; i < n; ++i) {
            for (std::uint32_t j = i + 1; j < n; ++j) {
              if (distance(&rows[i * words], &rows[j * words], words) <= k) want.emplace_back(i, j);
            }
          }
          EXPECT_EQ(scan_all(set->scan_rows[width_index(words)], rows.data(), n, rows.data(), n, true, k), want) << set->name;
          if (n == 0) continue;
          std::vector<std::uint32_t> near(n), near_want;
          for (std::uint32_t j = 0; j < n; ++j) {
            if (distance(rows.data(), &rows[j * words], words) <= k) near_want.push_back(j);
          }
          near.resize(set->compare[width_index(words)](rows.data(), rows.data(), n, k, near.data()));
          EXPECT_EQ(near, near_want) << set->name;
        }
      }
    }
  }
}

TEST(Kernels, DistanceCountsDifferingBits) {
  const std::uint64_t a[4] = {0, ~std::uint64_t{0}, 1, 0x8000000000000000U};
  const std::uint64_t b[4] = {1, 0, 1, 0};
  EXPECT_EQ(distance(a, b, 1), 1U);
  EXPECT_EQ(distance(a, b, 2), 65U);
  EXPECT_EQ(distance(a, b, 4), 66U);
}

}  // namespace
}  // namespace leitong::hamming
