#include "fingerprint/occurrences.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

#include "processor/instruction_set.h"

namespace leitong::fingerprint {
namespace {

std::vector<NumberingFunction> variants() {
  std::vector<NumberingFunction> out{number_portable};
#if defined(__x86_64__)
  if (processor::fits_avx2(processor::features())) out.push_back(number_avx2);
  if (processor::fits_avx512(processor::features())) out.push_back(number_avx512);
#endif
  return out;
}

std::vector<std::uint64_t> by_map(const std::vector<std::uint64_t>& features, const Hasher& hasher) {
  std::map<std::uint64_t, std::uint32_t> seen;
  std::vector<std::uint64_t> numbered;
  for (const std::uint64_t f : features) numbered.push_back(hasher.numbered(f, seen[f >> 32]++));
  return numbered;
}

void expect_like_a_map(const std::vector<std::uint64_t>& features) {
  static std::vector<Occurrences> occurrences = [] {  // reused, as callers do
    std::vector<Occurrences> all;
    for (const NumberingFunction variant : variants()) all.emplace_back(variant);
    return all;
  }();
  static const Hasher hasher;
  const std::vector<std::uint64_t> expected = by_map(features, hasher);
  for (std::size_t v = 0; v < occurrences.size(); ++v) {
    std::vector<std::uint64_t> numbered(features.size());
    occurrences[v](features, hasher, numbered.data());
    ASSERT_EQ(numbered, expected) << "variant " << v << ", " << features.size() << " features";
  }
}

// The other tests go over the kernels that this processor can run; whoever reads a log shall see that one was left out.
TEST(Occurrences, NoKernelIsLeftOut) {
  if (!processor::fits_avx512(processor::features())) GTEST_SKIP() << "this processor lacks AVX-512: its numbering was not compared";
  EXPECT_EQ(variants().size(), 3U);
}

TEST(Occurrences, NumbersLikeAMap) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 600; ++round) {
    std::vector<std::uint64_t> features(random() % 800);
    const std::uint64_t range = 1 + random() % 500;
    for (auto& f : features) {
      const std::uint64_t value = random() % range;
      switch (round % 4) {
        case 0:  // spread
          f = value * 0x9e3779b97f4a7c15ULL;
          break;
        case 1:  // keys that differ in their lower bits only, and features that are equal but for the bits below the key
          f = value << 32 | random() % 4;
          break;
        case 2:  // all of one key
          f = 7ULL << 32 | value;
          break;
        default:  // all in one slot of the first round
          f = value << 48 | (value & 3) << 32;
      }
    }
    expect_like_a_map(features);
  }
}

TEST(Occurrences, EveryLengthAndEveryPairOfPlaces) {
  std::vector<std::uint64_t> features;
  for (std::uint64_t n = 0; n < 40; ++n) {
    expect_like_a_map(features);
    for (std::size_t a = 0; a < features.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        std::vector<std::uint64_t> with_pair = features;
        with_pair[a] = with_pair[b];
        expect_like_a_map(with_pair);
      }
    features.push_back((n + 1) * 0x9e3779b97f4a7c15ULL);
  }
}

// Counts that fill all their bits, beside keys of all ones and of zero.
TEST(Occurrences, HugeRepetition) {
  for (const std::size_t n : {255U, 256U, 65535U, 65536U, 70000U}) {
    for (const std::uint64_t key : {0ULL, 1ULL, 0xffffffffULL, 0x80000000ULL, 0x12345678ULL}) {
      std::vector<std::uint64_t> features(n, key << 32);
      expect_like_a_map(features);
      for (std::size_t i = 0; i < n; i += 100) features[i] = (key ^ 1 ^ i % 7 << 30) << 32;
      expect_like_a_map(features);
    }
  }
}

}  // namespace
}  // namespace leitong::fingerprint
