// The half index of 64-bit rows against the definition, for every layout, and the probe kernels against their portable twin.
#include "hamming/half_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <tuple>

#include "hamming/hamming.h"

namespace leitong::hamming {

static bool operator==(const Found& a, const Found& b) { return a.query == b.query && a.distance == b.distance && a.id == b.id; }
static bool operator==(const ProbeHit& a, const ProbeHit& b) {
  return a.tag == b.tag && a.row == b.row && a.key == b.key && a.filter == b.filter;
}
static void PrintTo(const Found& f, std::ostream* out) { *out << f.query << ':' << f.id << '/' << f.distance; }

namespace {

using Values = std::vector<std::uint64_t>;

std::vector<Found> in_order(std::vector<Found> found) {
  std::sort(found.begin(), found.end(),
            [](const Found& a, const Found& b) { return std::tie(a.query, a.distance, a.id) < std::tie(b.query, b.distance, b.id); });
  return found;
}

std::vector<Found> by_definition(const Values& values, const Values& ids, const Values& queries, unsigned k) {
  std::vector<Found> out;
  for (std::uint32_t q = 0; q < queries.size(); ++q) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto d = static_cast<unsigned>(std::popcount(values[i] ^ queries[q]));
      if (d <= k) out.push_back({q, d, ids.empty() ? i + 7 : ids[i]});
    }
  }
  return in_order(std::move(out));
}

enum class Kind { uniform, flooded, flooded_twice, ball, one_value, few_keys };

Values rows_of(Kind kind, std::size_t n) {
  std::mt19937_64 random(static_cast<std::uint64_t>(kind) + 1);
  Values values(n);
  for (std::size_t i = 0; i < n; ++i) {
    values[i] = random();
    if (i > 0 && random() % 3 == 0) values[i] = values[random() % i];
    if (i > 0 && random() % 3 == 0) values[i] = values[random() % i] ^ std::uint64_t{1} << (random() % 64);
    if (kind == Kind::flooded) values[i] |= std::uint64_t{0xffff} << 48;
    if (kind == Kind::flooded_twice) values[i] |= 0xffff00000000ffff;
    if (kind == Kind::ball) values[i] = values[0] ^ (std::uint64_t{1} << (random() % 64));
    if (kind == Kind::one_value) values[i] = values[0];
    if (kind == Kind::few_keys) values[i] = (values[i] & 0x0003ffff0003ffff) * 5;
  }
  return values;
}

Values queries_near(const Values& values, unsigned k, std::size_t count, std::mt19937_64& random) {
  Values queries;
  for (std::size_t q = 0; q < count; ++q) {
    queries.push_back(values[random() % values.size()]);
    for (auto d = random() % (k + 2); d > 0; --d) queries.back() ^= std::uint64_t{1} << (random() % 64);
  }
  queries.push_back(random());
  return queries;
}

class Layouts : public ::testing::TestWithParam<std::tuple<Kind, unsigned, std::size_t>> {};

TEST_P(Layouts, FindWhatTheDefinitionFinds) {
  const auto [kind, group_bits, set] = GetParam();
  if (set >= available_kernels().size()) GTEST_SKIP() << "this processor lacks set " << set << " (0: portable, 1: AVX2, 2: AVX-512)";
  const Values values = rows_of(kind, 1000);
  const HalfIndex index(
      values, {}, 7,
      {.threads = 2, .group_bits = group_bits, .first_bits = 8 + group_bits % 4, .kernels = available_kernels()[set]->probe});
  std::mt19937_64 random(77);
  for (unsigned k = 0; k <= HalfIndex::most_k; ++k) {
    const Values queries = queries_near(values, k, k < 5 ? 34 : 1, random);
    std::vector<Found> got;
    index.find(queries, k, got);
    ASSERT_EQ(in_order(got), by_definition(values, {}, queries, k)) << "k " << k;
    if (k % 4 != 0) continue;
    got.clear();
    index.scan(queries, k, got);
    ASSERT_EQ(in_order(got), by_definition(values, {}, queries, k)) << "k " << k;
  }
}
INSTANTIATE_TEST_SUITE_P(, Layouts,
                         ::testing::Combine(::testing::Values(Kind::uniform, Kind::flooded, Kind::flooded_twice, Kind::ball,
                                                              Kind::one_value, Kind::few_keys),
                                            ::testing::Values(0U, 1U, 2U, 3U, 4U, 6U), ::testing::Values(0U, 1U, 2U)));

// Few queries in several indexes at once: of every kind of rows, with other orders of bits, none and one that has to be asked alone.
TEST(HalfIndex, SeveralAtOnceFindWhatEachFinds) {
  std::vector<HalfIndex> indexes;
  std::vector<const HalfIndex*> pointers;
  std::vector<Values> rows;
  for (const Kind kind : {Kind::uniform, Kind::flooded, Kind::flooded_twice, Kind::ball, Kind::one_value, Kind::few_keys}) {
    for (const std::size_t n : {1U, 700U, 5000U}) rows.push_back(rows_of(kind, n));
  }
  rows.emplace_back();
  for (std::size_t i = 0; i < rows.size(); ++i)
    indexes.emplace_back(
        rows[i], Values(), i * 100000,
        HalfIndex::Options{.threads = 1, .group_bits = static_cast<unsigned>(i % 4), .first_bits = {}, .kernels = nullptr});
  for (const HalfIndex& index : indexes) pointers.push_back(&index);
  std::mt19937_64 random(31);
  std::size_t matches = 0;
  for (unsigned k = 0; k <= 7; ++k) {
    for (std::size_t count = 1; count <= HalfIndex::few_queries; ++count) {
      Values queries;
      while (queries.size() < count) queries.push_back(queries_near(rows[random() % (rows.size() - 1)], k, 1, random)[random() % 2]);
      std::vector<std::vector<Found>> got(indexes.size());
      std::vector<std::vector<Found>*> into;
      for (auto& found : got) into.push_back(&found);
      HalfIndex::find_in_all(pointers, queries, k, into);
      for (std::size_t i = 0; i < indexes.size(); ++i) {
        std::vector<Found> alone;
        indexes[i].find(queries, k, alone);
        ASSERT_EQ(in_order(got[i]), in_order(alone)) << "k " << k << ", index " << i;
        matches += alone.size();
      }
    }
  }
  EXPECT_GT(matches, 1000U);
}

TEST(HalfIndex, FullGroupsAndWideDirectories) {
  Values values = rows_of(Kind::uniform, 20000);
  for (std::size_t i = 0; i < 150000; ++i) values.push_back(values[i % 100] ^ (i % 7 == 0 ? 2U : 0U));
  for (const unsigned group_bits : {0U, 3U}) {
    const HalfIndex index(values, {}, 7, {.threads = 1, .group_bits = group_bits, .first_bits = 11, .kernels = nullptr});
    std::mt19937_64 random(3);
    for (const unsigned k : {0U, 2U, 3U, 5U}) {
      const Values queries = queries_near(values, k, 4, random);
      std::vector<Found> got;
      index.find(queries, k, got);
      EXPECT_EQ(in_order(got), by_definition(values, {}, queries, k));
    }
  }
}

// Probes that say how many hits they gave: what a look-up does, whatever the clock says.
std::uint64_t hits_given = 0;
std::uint32_t counting_probe(ProbeScan* scan) noexcept {
  const std::uint32_t count = portable_probe_kernels.probe(scan);
  hits_given += count;
  return count;
}
constexpr ProbeKernels counting_probes = {"counting", counting_probe};

// Values near the query that share a low half must not each bring all rows of that half.
TEST(HalfIndex, OneLowHalfOfManyRowsIsReadOnce) {
  std::mt19937_64 random(5);
  std::vector<std::uint32_t> masks;
  for (unsigned a = 0; a < 32; ++a) {
    for (unsigned b = a + 1; b < 32; ++b) {
      for (unsigned c = b + 1; c < 32; ++c) masks.push_back(1U << a | 1U << b | 1U << c);
    }
  }
  std::shuffle(masks.begin(), masks.end(), random);
  const std::uint64_t query = random(), low = query & 0xffffffff;
  constexpr std::size_t near = 3000;
  Values values(100000);
  for (auto& v : values) v = random();
  for (std::size_t i = 0; i < near; ++i) values.push_back((query >> 32 ^ masks[i]) << 32 | low);
  const HalfIndex index(values, {}, 7, {.threads = 1, .group_bits = {}, .first_bits = {}, .kernels = &counting_probes});
  const Values queries = {query, query ^ 1, query ^ std::uint64_t{1} << 63, query ^ 3};
  for (std::size_t q = 0; q < queries.size(); ++q) {
    std::vector<Found> got;
    hits_given = 0;
    index.find(std::span(queries).subspan(q, 1), 3, got);
    EXPECT_EQ(in_order(got), by_definition(values, {}, {queries[q]}, 3));
    EXPECT_LT(hits_given, 5 * near) << "query " << q;
    EXPECT_TRUE(q != 0 || got.size() >= near);
  }
}

// Nothing is probed for a query that every table is full of; its neighbours in the batch are looked up.
TEST(HalfIndex, QueriesOfFullBucketsAreScanned) {
  std::mt19937_64 random(6);
  Values values(20000);
  const Values full = {0x123456789abcdef0};
  for (auto& v : values) v = random() % 10 == 0 ? random() : full[0] ^ std::uint64_t{1} << (random() % 64);
  const HalfIndex index(values, {}, 7, {.threads = 1, .group_bits = {}, .first_bits = {}, .kernels = &counting_probes});
  Values queries = {random(), full[0], values[0] ^ 1, random()};
  for (const std::uint64_t v : values) {
    if (std::popcount(v ^ full[0]) > 8 && queries.size() < 20) queries.push_back(v);
  }
  for (const unsigned k : {0U, 3U, 6U}) {
    std::vector<Found> got;
    hits_given = 0;
    index.find(full, k, got);
    EXPECT_EQ(hits_given, 0U);
    EXPECT_EQ(in_order(got), by_definition(values, {}, full, k));
    got.clear();
    index.find(queries, k, got);
    EXPECT_GT(hits_given, 10U);
    EXPECT_EQ(in_order(got), by_definition(values, {}, queries, k));
    std::vector<std::uint32_t> named;
    index.find(queries, k, got, &named);
    EXPECT_NE(std::find(named.begin(), named.end(), 1U), named.end());
    EXPECT_EQ(std::find(named.begin(), named.end(), 3U), named.end());
  }
}

// Flooded buckets that are left out for wider ones elsewhere, among so many rows that this is cheaper than a scan.
TEST(HalfIndex, FloodedBucketsAmongManyRows) {
  Values values = rows_of(Kind::flooded, 30000);
  for (std::size_t i = 0; i < values.size(); i += 2) values[i] ^= (values[i] * 0x9e3779b97f4a7c15U) & std::uint64_t{0xffff} << 48;
  const HalfIndex index(values, {}, 7, {.threads = 1, .group_bits = 2, .first_bits = {}, .kernels = nullptr});
  std::mt19937_64 random(4);
  for (const unsigned k : {1U, 3U, 4U, 6U, 8U}) {
    const Values queries = queries_near(values, k, 6, random);
    std::vector<Found> got;
    std::vector<std::uint32_t> named;
    index.find(queries, k, got, &named);
    EXPECT_TRUE(named.empty());
    EXPECT_EQ(in_order(got), by_definition(values, {}, queries, k));
  }
}

TEST(HalfIndex, GivesRowsAndIdsBack) {
  for (const Kind kind : {Kind::uniform, Kind::flooded_twice}) {
    const Values values = rows_of(kind, 3000);
    Values narrow(values.size()), wide(values.size());
    std::mt19937_64 random(9);
    for (std::size_t i = 0; i < values.size(); ++i) {
      narrow[i] = (std::uint64_t{1} << 63) + random() % 0xffffffff;
      wide[i] = random();
    }
    for (const Values& ids : {narrow, wide}) {
      const HalfIndex index(values, ids, 0, {});
      std::vector<Found> got;
      index.find(std::span(values).first(10), 3, got);
      EXPECT_EQ(in_order(got), by_definition(values, ids, Values(values.begin(), values.begin() + 10), 3));
      std::vector<std::pair<std::uint64_t, std::uint64_t>> given, back;
      Values out_values(values.size()), out_ids(values.size());
      index.copy_rows(out_values.data(), out_ids.data());
      for (std::size_t i = 0; i < values.size(); ++i) {
        given.emplace_back(values[i], ids[i]);
        back.emplace_back(out_values[i], out_ids[i]);
      }
      std::sort(given.begin(), given.end());
      std::sort(back.begin(), back.end());
      EXPECT_EQ(given, back);
    }
  }
}

TEST(HalfIndex, Empty) {
  const HalfIndex index({}, {}, 0, {});
  std::vector<Found> got;
  index.find(Values{1, 2}, 3, got);
  index.scan(Values{1, 2}, 64, got);
  EXPECT_TRUE(got.empty());
}

// Small room for hits, so that scans have to resume.
std::vector<ProbeHit> probe_all(const ProbeKernels& set, ProbeScan scan, std::uint32_t room) {
  std::vector<ProbeHit> out(room), all;
  scan.out = out.data();
  scan.capacity = room;
  while (scan.next < scan.count) {
    const std::uint32_t count = set.probe(&scan);
    all.insert(all.end(), out.begin(), out.begin() + count);
  }
  return all;
}

TEST(ProbeKernels, FindWhatThePortableOnesFind) {
  std::mt19937_64 random(1);
  std::vector<std::uint16_t> filters(40000);
  for (auto& f : filters) f = static_cast<std::uint16_t>(random() & random() & random());
  std::vector<Probe> probes;
  for (std::uint32_t i = 0; i < 600; ++i) {
    const auto first = static_cast<std::uint32_t>(random() % 30000);
    const std::uint32_t count = i < 100 ? i : i == 100 ? 9900 : static_cast<std::uint32_t>(random() % 80);
    const auto most = static_cast<std::uint16_t>(random() % 17);
    probes.push_back({first, count, i, static_cast<std::uint16_t>(random()), static_cast<std::uint16_t>(random() & random() & random()),
                      static_cast<std::uint16_t>(random() % (most + 1U)), most});
  }
  const ProbeScan scan{{filters.data(), filters.data() + 1, filters.data() + 2, filters.data() + 3}, probes.data(), 600, 0, 0, nullptr, 0};
  const auto expected = probe_all(portable_probe_kernels, scan, 100000);
  for (const auto& hit : expected) {
    const Probe& p = probes[hit.tag];
    const unsigned bits = static_cast<unsigned>(std::popcount(static_cast<unsigned>(hit.filter ^ p.filter)));
    ASSERT_TRUE(bits >= p.least && bits <= p.most);
  }
  EXPECT_GT(expected.size(), 1000U);
  for (const Kernels* set : available_kernels()) {
    EXPECT_EQ(probe_all(*set->probe, scan, probe_slice), expected) << set->name;
    EXPECT_EQ(probe_all(*set->probe, scan, 100000), expected) << set->name;
  }
}

}  // namespace
}  // namespace leitong::hamming
