// One-permutation MinHash of a text's numbered bigrams, one byte a slot (Li, Owen, Zhang 2012; densified after Shrivastava 2017).
//
// Each feature falls into one of 320 slots and each slot keeps the least of its features' values; a slot that got none copies one that did,
// chosen by a fixed sequence. Two texts agree on a slot with probability J + (1 - J)/256. Bands of consecutive slots nominate candidates;
// the lowest bit of every slot is a 320-bit sketch whose Hamming distance estimates J.
// Bigrams that stand in more than 5 % of all documents (common_bigrams.txt) take no part: they make most of the chance agreements.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "fingerprint/features.h"
#include "fingerprint/minhash_kernels.h"
#include "leitong/fingerprint.h"

namespace leitong::fingerprint {

using Slots = std::array<std::uint8_t, slot_count>;

class MinHash {
 public:
  explicit MinHash(const Hasher& hasher);
  // False if there are no bigrams. Time linear in them, plus the filling of empty slots.
  bool operator()(const FeatureExtractor::Bigrams& bigrams, Slots& slots) const;

 private:
  SlotsFunction slots_;
  std::vector<std::uint64_t> common_;  // bitmap over the top 16 bits of a plain bigram hash
};

// Lowest bits of the slots: bit i is slot i's. Five words.
[[nodiscard]] std::array<std::uint64_t, slot_count / 64> slot_bits(const Slots& slots) noexcept;

// Estimated Jaccard similarity of the bigrams from the distance of two slot_bits.
[[nodiscard]] double similarity_of_distance(unsigned distance) noexcept;

// 1-bit MinHash (Li, König 2010): of each of `bits` (64, 128 or 256) slots the lowest bit of the least feature in it. The bits of two sets
// of Jaccard similarity J differ with probability (1 - J) / 2. All zero without features. Time linear in them, plus the filling of empty
// slots.
[[nodiscard]] Fingerprint one_bit_minhash(std::span<const std::uint64_t> features, unsigned bits);

// "token token" a line; its content is part of every profile's id that uses MinHash.
[[nodiscard]] std::string_view common_bigrams();

}  // namespace leitong::fingerprint
