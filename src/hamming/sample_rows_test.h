// Rows of all kinds for tests of joins, and the definition to hold the joins to.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "hamming/hamming.h"

namespace leitong::hamming {

using Values = std::vector<std::uint64_t>;

inline bool before(const HammingPair& x, const HammingPair& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; }

inline std::vector<HammingPair> brute_force(const Values& values, unsigned words, unsigned k) {
  std::vector<HammingPair> pairs;
  const auto n = static_cast<std::uint32_t>(values.size() / words);
  for (std::uint32_t a = 0; a < n; ++a) {
    for (std::uint32_t b = a + 1; b < n; ++b) {
      unsigned bits = 0;
      for (unsigned w = 0; w < words; ++w) bits += static_cast<unsigned>(std::popcount(values[a * words + w] ^ values[b * words + w]));
      if (bits <= k) pairs.push_back({a, b, bits});
    }
  }
  return pairs;
}

inline std::vector<HammingPair> join(const Kernels& set, const Values& values, HammingJoinOptions options) {
  std::vector<HammingPair> pairs;
  hamming::join(set, values, {}, options,
                [&](std::span<const HammingPair> batch) { pairs.insert(pairs.end(), batch.begin(), batch.end()); });
  return pairs;
}

inline void expect_same(std::vector<HammingPair> got, const std::vector<HammingPair>& want, const std::string& what) {
  std::sort(got.begin(), got.end(), before);
  ASSERT_EQ(got.size(), want.size()) << what;
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_TRUE(got[i].a == want[i].a && got[i].b == want[i].b && got[i].distance == want[i].distance)
        << what << ": pair " << i << " is " << got[i].a << "-" << got[i].b << " at " << got[i].distance << ", not " << want[i].a << "-"
        << want[i].b << " at " << want[i].distance;
  }
}

// Order-independent: equal for equal sets of pairs.
inline std::uint64_t checksum(const std::vector<HammingPair>& pairs) {
  std::uint64_t sum = 0;
  for (const HammingPair& p : pairs) {
    std::uint64_t x = (std::uint64_t{p.a} << 32 | p.b) * 0x9e3779b97f4a7c15U + p.distance;
    x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9U;
    sum += x ^ (x >> 32);
  }
  return sum;
}

class Generator {
 public:
  Generator(unsigned words, std::uint64_t seed) : words_(words), random_(seed) {}

  Values uniform(std::size_t n) {
    Values v(n * words_);
    for (auto& w : v) w = random_();
    return v;
  }
  // Every fourth row is a neighbour of an earlier one, at most `radius` bits away.
  Values planted(std::size_t n, unsigned radius) {
    Values v = uniform(n);
    for (std::size_t i = 4; i < n; i += 4) neighbour(v, random_() % i, i, radius);
    return v;
  }
  // Balls of rows around a few centres.
  Values clustered(std::size_t n, std::size_t centres, unsigned radius) {
    Values v = uniform(n);
    for (std::size_t i = centres; i < n; ++i) neighbour(v, random_() % centres, i, radius);
    return v;
  }
  // Two thirds of the planted rows take a few values of the top 16 bits.
  Values skewed(std::size_t n, unsigned radius) {
    Values v = planted(n, radius);
    for (std::size_t i = 0; i < n; ++i) {
      if (i % 3 != 0) v[i * words_] = (v[i * words_] & 0xffffffffffffU) | (random_() % 3) << 48;
    }
    return v;
  }
  // All rows agree on 16 bits of the first word.
  Values flooded(std::size_t n, unsigned radius, std::uint64_t block) {
    Values v = planted(n, radius);
    for (std::size_t i = 0; i < n; ++i) v[i * words_] &= ~block;
    return v;
  }
  // Only scattered bits are in use.
  Values sparse(std::size_t n, std::uint64_t mask) {
    Values v = uniform(n);
    for (auto& w : v) w &= mask;
    return v;
  }

 private:
  void neighbour(Values& v, std::size_t from, std::size_t to, unsigned radius) {
    std::copy_n(v.begin() + static_cast<std::ptrdiff_t>(from * words_), words_, v.begin() + static_cast<std::ptrdiff_t>(to * words_));
    const std::uint64_t flips = random_() % (radius + 1);
    for (std::uint64_t f = 0; f < flips; ++f) v[to * words_ + random_() % words_] ^= std::uint64_t{1} << (random_() % 64);
  }

  unsigned words_;
  std::mt19937_64 random_;
};

struct Collection {
  std::string name;
  Values values;
};

inline std::vector<Collection> collections(unsigned words, std::size_t n, unsigned k) {
  Generator g(words, 7 * words + k);
  return {
      {"planted", g.planted(n, k + 2)},
      {"skewed", g.skewed(n, k + 1)},
      {"clustered", g.clustered(n, n / 20 + 1, k / 2 + 1)},
      {"flooded top", g.flooded(n, k + 1, 0xffff000000000000U)},
      {"flooded bottom", g.flooded(n, k + 1, 0xffffU)},
      {"flooded 40 bits", g.flooded(n, k + 1, 0xffffffffffU)},
      {"every third bit", g.sparse(n / 2, 0x9249249249249249U)},
  };
}

}  // namespace leitong::hamming
