#include "remote/neighbourhoods.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace leitong::remote {
namespace {

std::vector<std::uint64_t> sorted(const Neighbourhoods& all, std::uint64_t fingerprint) {
  std::vector<std::uint64_t> out;
  all.append(fingerprint, out);
  EXPECT_EQ(out.size(), all.per_fingerprint());
  std::sort(out.begin(), out.end());
  EXPECT_EQ(std::adjacent_find(out.begin(), out.end()), out.end());
  return out;
}

TEST(Neighbourhoods, WhatIsNearHasOneInCommon) {
  std::mt19937_64 random(1);
  for (unsigned k = 1; k <= 15; ++k) {
    const Neighbourhoods all(k);
    for (int i = 0; i < 200; ++i) {
      const std::uint64_t a = random();
      std::uint64_t b = a;
      for (unsigned flip = 0; flip < k; ++flip) b ^= std::uint64_t{1} << random() % 64;
      const auto of_a = sorted(all, a), of_b = sorted(all, b);
      std::vector<std::uint64_t> common;
      std::set_intersection(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), std::back_inserter(common));
      EXPECT_FALSE(common.empty()) << "k = " << k;
    }
  }
  EXPECT_EQ(Neighbourhoods(3).per_fingerprint(), 10U);
  EXPECT_EQ(Neighbourhoods(15).per_fingerprint(), 16U);
}

}  // namespace
}  // namespace leitong::remote
