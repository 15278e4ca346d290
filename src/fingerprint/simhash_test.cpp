#include "fingerprint/simhash.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "processor/instruction_set.h"

namespace leitong::fingerprint {
namespace {

std::uint64_t plain_majority(const std::vector<std::uint64_t>& hashes) {
  std::uint64_t bits = 0;
  for (unsigned j = 0; j < 64; ++j) {
    std::int64_t sum = 0;
    for (const std::uint64_t h : hashes) sum += (h >> j & 1) != 0 ? 1 : -1;
    bits |= static_cast<std::uint64_t>(sum > 0) << j;
  }
  return bits;
}

using Variant = std::uint64_t (*)(const std::uint64_t*, std::uint64_t) noexcept;

std::vector<Variant> variants() {
  std::vector<Variant> out{majority_portable};
#if defined(__x86_64__)
  if (processor::fits_avx2(processor::features())) out.push_back(majority_avx2);
  if (processor::fits_avx512(processor::features())) out.push_back(majority_avx512);
#endif
  return out;
}

// The other tests go over the kernels that this processor can run; whoever reads a log shall see that one was left out.
TEST(Majority, NoKernelIsLeftOut) {
  if (!processor::fits_avx512(processor::features())) GTEST_SKIP() << "this processor lacks AVX-512: its majority was not compared";
  EXPECT_EQ(variants().size(), 3U);
}

TEST(Majority, EveryVariantCountsLikeALoop) {
  std::mt19937_64 random(3);
  for (std::size_t n = 0; n < 700; n = n < 140 ? n + 1 : n + 37) {
    std::vector<std::uint64_t> hashes(n);
    for (auto& h : hashes) h = random() & (n % 3 == 0 ? ~0ULL : random());
    if (n % 5 == 0)  // ties in every bit
      for (std::size_t i = 0; i + 1 < n; i += 2) hashes[i + 1] = ~hashes[i];
    const std::uint64_t expected = plain_majority(hashes);
    ASSERT_EQ(majority(hashes), expected) << n;
    for (const Variant variant : variants()) ASSERT_EQ(variant(hashes.data(), n), expected) << n;
  }
}

TEST(Majority, CountersDoNotOverflow) {
  for (const std::size_t n : {65'535UL, 65'536UL, 262'144UL, 300'001UL}) {
    std::vector<std::uint64_t> hashes(n, 0xffffffff00000000ULL);
    EXPECT_EQ(majority(hashes), 0xffffffff00000000ULL) << n;
    for (const Variant variant : variants()) EXPECT_EQ(variant(hashes.data(), n), 0xffffffff00000000ULL) << n;
  }
}

TEST(WeightedMajority, TiesAreZeroAndWeightsCount) {
  const std::vector<std::uint64_t> hashes = {0b1001, 0b0110, 0b0101};
  const std::vector<std::uint32_t> weights = {3, 2, 1};
  // bit 0: 3 - 2 + 1 = 2; bit 1: -3 + 2 - 1 = -2; bit 2: -3 + 2 + 1 = 0, a tie; bit 3: 3 - 2 - 1 = 0, a tie
  EXPECT_EQ(weighted_majority(hashes, weights), 0b0001U);
  const std::vector<std::uint32_t> ones = {1, 1, 1};
  EXPECT_EQ(weighted_majority(hashes, ones), plain_majority(hashes));
}

// The article's example: 美国 100101 with weight 4, 51区 101011 with weight 5 gives 9 -9 1 -1 1 9, that is 101011.
TEST(WeightedMajority, ArticleExample) {
  const std::vector<std::uint64_t> hashes = {0b100101, 0b101011};
  const std::vector<std::uint32_t> weights = {4, 5};
  EXPECT_EQ(weighted_majority(hashes, weights), 0b101011U);
}

}  // namespace
}  // namespace leitong::fingerprint
