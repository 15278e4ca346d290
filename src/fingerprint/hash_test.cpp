#include "fingerprint/hash.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <vector>

#include "fingerprint/hash_kernels.h"
#include "processor/instruction_set.h"

namespace leitong::fingerprint {
namespace {

// The definition of docs/fingerprint-spec.md, word by word.
std::uint64_t plain_hash(const std::string& token) {
  constexpr std::uint64_t k[4] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1};
  std::string padded = token;
  std::size_t chunks = token.empty() ? 1 : (token.size() + 15) / 16;
  padded.resize(16 * chunks, '\0');
  std::uint64_t state = k[0];
  for (std::size_t c = 0; c < chunks; ++c) {
    std::uint64_t low = 0, high = 0;
    for (unsigned i = 0; i < 8; ++i) {
      low |= static_cast<std::uint64_t>(static_cast<unsigned char>(padded[16 * c + i])) << (8 * i);
      high |= static_cast<std::uint64_t>(static_cast<unsigned char>(padded[16 * c + 8 + i])) << (8 * i);
    }
    if (c == 0) state ^= token.size();
    state = fold_multiply(low ^ k[1], high ^ state);
  }
  return fold_multiply(state ^ k[2], k[3]);
}

TEST(Hasher, IsTheSpecifiedFunction) {
  const Hasher hasher;
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string token(round % 70, '\0');
    for (char& c : token) c = static_cast<char>(random());
    ASSERT_EQ(hasher.bytes(token.data(), token.size()), plain_hash(token)) << token.size();
  }
}

TEST(Hasher, PaddedFormReadsNothingOfWhatFollows) {
  const Hasher hasher("secret");
  std::mt19937_64 random(2);
  for (std::size_t n = 0; n <= 64; ++n) {
    std::string buffer(n + 64, '\0');
    for (char& c : buffer) c = static_cast<char>(random());
    EXPECT_EQ(hasher.padded_bytes(buffer.data(), n), hasher.bytes(buffer.data(), n)) << n;
  }
}

TEST(Hasher, FixedVectors) {
  const Hasher hasher;
  EXPECT_EQ(hasher.bytes("", 0), plain_hash(""));
  const std::string word = "leitong";
  const std::string han = "雷";
  EXPECT_NE(hasher.bytes(word.data(), word.size()), hasher.bytes(han.data(), han.size()));
  EXPECT_NE(hasher.join(1, 2), hasher.join(2, 1));
  EXPECT_EQ(hasher.numbered(77, 0), 77U);
  EXPECT_NE(hasher.numbered(77, 1), hasher.numbered(77, 2));
  EXPECT_EQ(hasher.widen(77, 0), 77U);
}

TEST(Hasher, AKeyChangesEverything) {
  const Hasher plain, keyed("a"), other("b");
  const std::string word = "leitong";
  const std::set<std::uint64_t> hashes = {plain.bytes(word.data(), 7), keyed.bytes(word.data(), 7), other.bytes(word.data(), 7)};
  EXPECT_EQ(hashes.size(), 3U);
  EXPECT_NE(plain.join(1, 2), keyed.join(1, 2));
}

// Each bit of the hash of short tokens is set about half of the time, and flips with probability 1/2 when a bit of the token flips.
TEST(Hasher, BitsAreBalancedAndAvalanche) {
  const Hasher hasher;
  constexpr int tokens = 20000;
  int set[64] = {}, flipped[64] = {};
  for (int i = 0; i < tokens; ++i) {
    std::string token = std::to_string(i * 7919);
    const std::uint64_t a = hasher.bytes(token.data(), token.size());
    token[i % token.size()] = static_cast<char>(token[i % token.size()] ^ 1);
    const std::uint64_t b = hasher.bytes(token.data(), token.size());
    for (int j = 0; j < 64; ++j) set[j] += a >> j & 1, flipped[j] += (a ^ b) >> j & 1;
  }
  for (int j = 0; j < 64; ++j) {
    EXPECT_NEAR(set[j], tokens / 2.0, 400) << j;  // 5.6 standard deviations
    EXPECT_NEAR(flipped[j], tokens / 2.0, 400) << j;
  }
}

#if defined(__x86_64__)
// At every length, and at every number of tokens that is left over.
TEST(HashKernels, VariantsAgree) {
  if (!processor::fits_avx512(processor::features())) GTEST_SKIP() << "this processor lacks AVX-512: its hashes were not compared";
  std::mt19937_64 random(6);
  std::string bytes(4096, ' ');
  for (char& c : bytes) c = static_cast<char>(random());
  const Hasher hasher("another key");
  for (std::size_t n = 0; n < 300; n = n < 40 ? n + 1 : n + 51) {
    std::vector<text::Range> tokens(n);
    std::vector<std::uint64_t> one(n), other(n);
    for (std::size_t i = 0; i < n; ++i) {
      const auto begin = static_cast<std::uint32_t>(random() % 4000);
      tokens[i] = {begin, begin + 1 + static_cast<std::uint32_t>(n % 3 == 0 ? random() % 60 : (i + n) % 17)};
    }
    hash_kernels_portable.tokens(hasher.keys(), bytes.data(), tokens.data(), n, one.data());
    hash_kernels_avx512.tokens(hasher.keys(), bytes.data(), tokens.data(), n, other.data());
    ASSERT_EQ(one, other) << n;
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(one[i], hasher.bytes(&bytes[tokens[i].begin], tokens[i].end - tokens[i].begin));
    std::vector<std::uint64_t> left(n), right(n), joined(n);
    for (auto& h : left) h = random() % 5 == 0 ? ~std::uint64_t{0} : random();
    for (auto& h : right) h = random() % 5 == 0 ? 0 : random();
    for (std::size_t i = 0; i < n; ++i) joined[i] = hasher.join(left[i], right[i]);
    hash_kernels_portable.joins(hasher.keys(), left.data(), right.data(), n, other.data());
    ASSERT_EQ(other, joined) << n;
    hash_kernels_avx512.joins(hasher.keys(), left.data(), right.data(), n, left.data());  // in place, as longer n-grams are made
    ASSERT_EQ(left, joined) << n;
  }
}
#endif

}  // namespace
}  // namespace leitong::fingerprint
