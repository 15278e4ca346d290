// The join of halves against the general join, on rows that fill lines, overflow them, and flood them.
#include "hamming/half_join.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "hamming/general_join.h"
#include "hamming/half_part.h"
#include "hamming/sample_rows_test.h"

namespace leitong::hamming {
namespace {

std::vector<HammingPair> by_halves(const Kernels& set, const Values& values, const HammingJoinOptions& options) {
  std::vector<HammingPair> pairs;
  half_join(set, WordColumn(values), {}, choose_bit_order(values), options,
            [&](std::span<const HammingPair> batch) { pairs.insert(pairs.end(), batch.begin(), batch.end()); });
  return pairs;
}

std::vector<HammingPair> in_general(const Values& values, unsigned k) {
  std::vector<HammingPair> pairs;
  general_join(kernels(), values, 0, {.k = k},
               [&](std::span<const HammingPair> batch) { pairs.insert(pairs.end(), batch.begin(), batch.end()); });
  std::sort(pairs.begin(), pairs.end(), before);
  return pairs;
}

TEST(HalfJoin, MatchesBruteForceOnFewRows) {
  for (unsigned k = 0; k <= most_half_k; ++k) {
    for (const Collection& c : collections(1, 1200, k)) {
      const std::vector<HammingPair> want = brute_force(c.values, 1, k);
      for (const Kernels* set : available_kernels()) {
        expect_same(by_halves(*set, c.values, {.k = k}), want, c.name + " k=" + std::to_string(k) + " " + set->name);
      }
    }
  }
}

TEST(HalfJoin, MatchesTheGeneralJoinOnManyRows) {
  for (unsigned k = 0; k <= most_half_k; ++k) {
    Generator g(1, 50 + k);
    for (const Collection& c :
         {Collection{"planted", g.planted(70000, k + 1)}, Collection{"skewed", g.skewed(40000, k + 1)},
          Collection{"clustered", g.clustered(40000, 4000, 2)}, Collection{"sparse", g.sparse(20000, 0x0f0f0f0f0f0f0f0fU)},
          Collection{"flooded", g.flooded(40000, k, 0xffffU << 16)}}) {
      const std::vector<HammingPair> want = in_general(c.values, k);
      for (const Kernels* set : available_kernels()) {
        expect_same(by_halves(*set, c.values, {.k = k}), want, c.name + " k=" + std::to_string(k) + " " + set->name);
      }
    }
  }
}

// One key of 16 bits holds everything, or a filter does, or one value: parts that have to be divided, and lines that overflow.
TEST(HalfJoin, OneKeyForAllRows) {
  Generator g(1, 60);
  for (const std::uint64_t mask : std::vector<std::uint64_t>{0xffffffffffff0000U, 0xffffffff0000ffffU, 0xffff0000ffffffffU,
                                                             0x0000ffffffffffffU, 0x00000000ffffffffU}) {
    Values values = g.planted(90000, 2);
    for (auto& v : values) v &= mask;
    std::vector<HammingPair> pairs;
    // The order of bits as it is, so that the flood stays where it is.
    half_join(kernels(), WordColumn(values), {}, {}, {.k = 2},
              [&](std::span<const HammingPair> batch) { pairs.insert(pairs.end(), batch.begin(), batch.end()); });
    const std::vector<HammingPair> want = in_general(values, 2);
    EXPECT_GT(want.size(), 10000U);
    expect_same(std::move(pairs), want, "mask " + std::to_string(mask));
  }
}

TEST(HalfJoin, OfTwoSidesGivesThePairsBetweenThem) {
  for (unsigned k = 0; k <= most_half_k; ++k) {
    Generator g(1, 65 + k);
    for (const Collection& c : {Collection{"planted", g.planted(30000, k + 1)}, Collection{"skewed", g.skewed(30000, k + 1)},
                                Collection{"clustered", g.clustered(30000, 3000, 2)}}) {
      const std::uint32_t split = 9000;
      std::vector<HammingPair> want;
      for (const HammingPair& pair : in_general(c.values, k)) {
        if (pair.a < split && pair.b >= split) want.push_back({pair.a, pair.b - split, pair.distance});
      }
      const std::span<const std::uint64_t> all(c.values);
      for (const std::uint64_t memory : {0, 1}) {
        std::vector<HammingPair> pairs;
        half_join(kernels(), WordColumn(all.first(split)), WordColumn(all.subspan(split)), choose_bit_order(all),
                  {.k = k, .threads = 2, .memory = memory},
                  [&](std::span<const HammingPair> batch) { pairs.insert(pairs.end(), batch.begin(), batch.end()); });
        expect_same(std::move(pairs), want, c.name + " k=" + std::to_string(k));
      }
    }
  }
}

TEST(HalfJoin, ABudgetAndAFlood) {
  Generator g(1, 69);
  Values values = g.planted(250000, 2);
  for (std::size_t i = 0; i < 2000; ++i) values[100 * i] = 3;
  const auto free = by_halves(kernels(), values, {}), tight = by_halves(kernels(), values, {.threads = 3, .memory = 1});
  EXPECT_GT(free.size(), 2000000U - 2000);
  EXPECT_EQ(free, tight);
}

TEST(HalfJoin, SubBitsKeepClassesNearTheSizeOfALine) {
  EXPECT_EQ(sub_bits_for(15), 0U);
  for (const double rows : {30.0, 150.0, 1500.0, 15000.0}) {
    const double of_class = rows / std::ldexp(2.0, static_cast<int>(sub_bits_for(rows)));
    EXPECT_LE(of_class, 11);
    EXPECT_GT(of_class, 5);
  }
  EXPECT_EQ(sub_bits_for(1e9), most_sub_bits);
}

// Every kernel reports the same pairs in the same order, with all layouts; stale lines of the part before must not show.
TEST(MeetKernels, MatchThePortableOnes) {
  std::mt19937_64 random(70);
  for (const Kernels* set : available_kernels()) {
    std::vector<MeetLine> lines(std::size_t{2} << (4 + most_sub_bits)), plain_lines(lines.size());
    for (unsigned sub_bits = 0; sub_bits <= most_sub_bits; ++sub_bits) {
      for (const auto& [near, equal] : {std::pair{true, true}, std::pair{true, false}, std::pair{false, true}}) {
        const unsigned filter_word = sub_bits % 4;
        const MeetLayout layout{.key_word = filter_word ^ 1,
                                .filter_word = filter_word,
                                .key_shift = 3,
                                .key_bits = 4,
                                .sub_bits = sub_bits,
                                .near = near,
                                .equal = equal};
        Values values(3000);
        for (auto& v : values)
          v = (random() & 0xf) << (16 * layout.key_word + 3) | (random() % 700) << (16 * filter_word);  // filters collide often
        std::vector<std::uint8_t> counts(lines.size()), plain_counts(lines.size());
        std::vector<std::uint16_t> noted(3001), left(3001), plain_noted(3001), plain_left(3001);
        MeetScan scan{values.data(), 3000, &layout, lines.data(), counts.data(), noted.data(), left.data(), 0, 0};
        MeetScan plain{values.data(), 3000, &layout, plain_lines.data(), plain_counts.data(), plain_noted.data(), plain_left.data(), 0, 0};
        set->meet->meet(&scan);
        portable_kernels.meet->meet(&plain);
        ASSERT_EQ(scan.lefts, plain.lefts);
        EXPECT_TRUE(std::equal(left.begin(), left.begin() + scan.lefts, plain_left.begin()));
        for (const bool all : {false, true}) {
          const auto pairs_of = [&](const MeetKernels& kernels, const MeetScan& of) {
            std::vector<std::array<std::uint32_t, 3>> pairs;
            std::vector<MeetPair> out(most_met + 5);
            MeetReport report{
                &of, all ? of.left : of.noted, 0, all ? of.lefts : of.notes, all, 16 * layout.key_word, 3, -1, out.data(), most_met + 5};
            while (report.next < report.last) {
              const std::uint32_t count = kernels.report(&report);
              for (std::uint32_t p = 0; p < count; ++p) pairs.push_back({out[p].a, out[p].b, out[p].distance});
            }
            return pairs;
          };
          EXPECT_EQ(pairs_of(*set->meet, scan), pairs_of(*portable_kernels.meet, plain))
              << set->name << " " << sub_bits << near << equal << all;
        }
      }
    }
  }
}

}  // namespace
}  // namespace leitong::hamming
