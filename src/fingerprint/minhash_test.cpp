#include "fingerprint/minhash.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "leitong/error.h"
#include "leitong/fingerprint.h"
#include "processor/instruction_set.h"

namespace leitong::fingerprint {
namespace {

// Of features[0, n): what the definition says, slot by slot.
Fingerprint by_definition(std::span<const std::uint64_t> features, unsigned bits) {
  constexpr std::uint64_t empty = 0xffffffff;
  std::vector<std::uint64_t> least(bits, empty);
  for (const std::uint64_t h : features) {
    std::uint64_t& slot = least[static_cast<std::size_t>((h >> 32) * bits >> 32)];
    slot = std::min(slot, std::min<std::uint64_t>(h & empty, empty - 1));
  }
  Fingerprint out{{}, bits};
  for (unsigned i = 0; i < bits; ++i) {
    unsigned donor = i;
    std::uint64_t state = 0x6a09e667f3bcc908ULL;
    for (unsigned t = 0; t < 16 && least[donor] == empty; ++t)
      for (unsigned slot = 0; slot < bits; ++slot) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        if (slot == i) donor = static_cast<unsigned>((state >> 32) * bits >> 32);
      }
    while (least[donor] == empty) donor = (donor + 1) % bits;
    out.words[i / 64] |= (least[donor] & 1) << (i % 64);
  }
  return out;
}

TEST(OneBitMinHash, IsWhatItsDefinitionSays) {
  std::mt19937_64 random(5);
  for (const unsigned bits : {64U, 128U, 256U}) {
    for (const std::size_t size : {1U, 2U, 7U, 60U, 300U, 2000U}) {
      std::vector<std::uint64_t> features(size);
      for (std::uint64_t& h : features) h = random();
      features[0] |= 0xffffffff;
      EXPECT_EQ(one_bit_minhash(features, bits), by_definition(features, bits)) << bits << " " << size;
      std::shuffle(features.begin(), features.end(), random);
      EXPECT_EQ(one_bit_minhash(features, bits), by_definition(features, bits)) << "in any order";
    }
    EXPECT_EQ(one_bit_minhash({}, bits), (Fingerprint{{}, bits}));
  }
}

#if defined(__x86_64__)
struct Slotted {
  bool any;
  Slots slots{};
  bool operator==(const Slotted&) const = default;
};

Slotted slotted(SlotsFunction function, const BigramHashes& bigrams) {
  Slotted out{};
  out.any = function(bigrams, out.slots.data());
  return out;
}

// With every share of common bigrams, from none to all, and with so few that empty slots run out of donors.
TEST(MinHash, VariantsAgree) {
  if (!processor::fits_avx512(processor::features())) GTEST_SKIP() << "this processor lacks AVX-512: its slots were not compared";
  std::mt19937_64 random(11);
  for (std::size_t n = 1; n < 3000; n = n < 90 ? n + 1 : n * 5 / 4) {
    for (const unsigned share : {0U, 1U, 2U, 3U, 4U}) {
      std::vector<std::uint64_t> numbered(n), plain(n), common(1024);
      for (auto& word : common)
        word = share == 0 ? 0 : share == 4 ? ~0ULL : share == 1 ? random() & random() & random() : random() | random();
      for (auto& h : plain) h = random();
      for (auto& h : numbered) h = random() % 7 == 0 ? random() | 0xffffffff : random();
      const BigramHashes some{numbered.data(), plain.data(), n, common.data()}, all{numbered.data(), nullptr, n, nullptr};
      ASSERT_EQ(slotted(minhash_slots_avx512, some), slotted(minhash_slots_portable, some)) << n << " " << share;
      ASSERT_EQ(slotted(minhash_slots_avx512, all), slotted(minhash_slots_portable, all)) << n;
    }
  }
}
#endif

// Half of 1 - J of the bits differ: the mean over many pairs of sets.
TEST(OneBitMinHash, DistanceEstimatesJaccard) {
  std::mt19937_64 random(9);
  for (const std::size_t common : {100U, 400U, 700U, 950U}) {
    constexpr std::size_t all = 1000;
    constexpr int rounds = 400;
    double sum = 0;
    for (int round = 0; round < rounds; ++round) {
      std::vector<std::uint64_t> features(all);
      for (std::uint64_t& h : features) h = random();
      const std::size_t only = (all - common) / 2;
      const std::vector<std::uint64_t> a(features.begin(), features.end() - static_cast<std::ptrdiff_t>(only)),
          b(features.begin() + static_cast<std::ptrdiff_t>(only), features.end());
      sum += distance(one_bit_minhash(a, 256), one_bit_minhash(b, 256));
    }
    const double p = (1 - static_cast<double>(common) / all) / 2, mean = sum / rounds / 256;
    EXPECT_NEAR(mean, p, 5 * std::sqrt(p * (1 - p) / (256.0 * rounds))) << common;
  }
}

TEST(OneBitMinHash, ProfilesRefuseWhatItCannotDo) {
  const auto refused = [](const std::string& toml) {
    try {
      (void)profile_id(parse_profile(toml, "x"));
    } catch (const Error& error) {
      return error.code() == ErrorCode::usage;
    }
    return false;
  };
  EXPECT_FALSE(refused("base = \"minhash1\"\nbits = 128\n"));
  EXPECT_TRUE(refused("base = \"words-tf\"\nsketch = \"minhash1\"\n"));
  EXPECT_TRUE(refused("base = \"jieba\"\nsketch = \"minhash1\"\n"));
  EXPECT_EQ(profile_id(parse_profile(to_toml(load_profile("minhash1")), "x")), profile_id(load_profile("minhash1")));
  EXPECT_NE(profile_id(load_profile("minhash1")), profile_id(load_profile("leitong-1")));
}

}  // namespace
}  // namespace leitong::fingerprint
