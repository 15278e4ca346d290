// Numbers the occurrences of equal features: the i-th copy of a feature becomes a feature of its own, Hasher::numbered(feature, i).
// Features count as equal here if the upper halves of their hashes, their keys, are (docs/fingerprint-spec.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fingerprint/hash.h"

namespace leitong::fingerprint {

// One round over `count` keys. A slot of the table belongs to the first key that comes to it and counts that key's copies; keys whose slot
// is another's are left, with all their copies, to the next round, which mixes the keys anew. The lower bits of a key choose its slot; an
// entry is the key's other bits above the count, which has room, for there are more slots than keys.
struct NumberingRound {
  static constexpr std::size_t slack = 16;  // what the arrays have room for beyond their count

  const std::uint64_t* features;  // the first round: keys and indices are these features'; later ones: null
  std::uint32_t *keys, *indices;  // in the end those that are left, in order
  std::size_t count;
  std::uint32_t* table;             // cleared
  std::uint32_t mask;               // slots - 1, at least `count`
  std::size_t left;                 // how many are left; 0 to begin with
  std::uint32_t *repeats, *copies;  // indices of the keys that have come before, and how often; appended
  std::size_t repeated;
};

using NumberingFunction = void (*)(NumberingRound&) noexcept;
void number_portable(NumberingRound& round) noexcept;
void number_avx2(NumberingRound& round) noexcept;    // x86-64 only
void number_avx512(NumberingRound& round) noexcept;  // x86-64 only

class Occurrences {
 public:
  Occurrences();  // by the instruction set that fits; LEITONG_ISA=portable forces the portable
  explicit Occurrences(NumberingFunction round) : round_(round) {}  // for tests
  // out[i] for features[i], as many; expected linear time. At most 2^30 features.
  void operator()(std::span<const std::uint64_t> features, const Hasher& hasher, std::uint64_t* out);

 private:
  NumberingFunction round_;
  std::vector<std::uint32_t> keys_, indices_, repeats_, copies_, table_;
};

}  // namespace leitong::fingerprint
