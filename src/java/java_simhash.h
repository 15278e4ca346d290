// The votes of the articles' Java programs: hashes of words to fingerprints, bit for bit.
// Bit strings: the programs of articles 000 and 004 write bit 0 first, programs A and B of 001 bit 63.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "java/bit_counts.h"
#include "java/java_hash.h"

namespace leitong::java {

// Articles 000 and 004: every word counts one, a tie gives 1, so a text without words is all ones. Word: std::uint32_t, std::uint64_t
// or Uint128.
template <typename Word>
class Python2SimHash {
 public:
  void add(std::u16string_view word) { counts_.add(python2_hash<Word>(word)); }
  // Bit i of the result is 1 << i, as 004's number has it.
  [[nodiscard]] Word fingerprint() const { return counts_.at_least((counts_.total() + 1) / 2); }

 private:
  BitCounts<Word> counts_;
};

// Program A of article 001: words by their length, a tie gives 0. The caller leaves out words whose nature begins with "w" and stop words.
class LengthSimHash {
 public:
  void add(std::u16string_view word);
  [[nodiscard]] std::uint64_t fingerprint() const;  // the complete class: 0 for a text without words
  // The article's rule (32-bit arithmetic): then the short program gives no fingerprint.
  [[nodiscard]] bool too_short() const;
  [[nodiscard]] std::int32_t sum() const { return static_cast<std::int32_t>(sum_); }
  [[nodiscard]] std::int32_t largest() const { return static_cast<std::int32_t>(largest_); }

 private:
  std::array<BitCounts<std::uint64_t>, 5> counts_;  // by binary logarithm of the weight
  std::uint32_t sum_ = 0, largest_ = 0;
};

// Program B's vote: doubles in the order of the calls, a sum of zero or more gives 1. NaN gives 0, as in Java.
class DoubleVote {
 public:
  struct Ballot {
    std::uint64_t hash;
    double weight;
  };
  void add(std::span<const Ballot> ballots);
  [[nodiscard]] std::uint64_t fingerprint() const;
  [[nodiscard]] double sum(std::size_t bit) const { return sums_[bit]; }  // of bit 1 << bit

 private:
  std::array<double, 64> sums_{};
};

enum class BitOrder : std::uint8_t { least_first, most_first };
[[nodiscard]] std::string bit_string(Uint128 value, std::size_t bits, BitOrder order);
[[nodiscard]] std::string decimal_string(Uint128 value);
[[nodiscard]] std::string hex_string(Uint128 value, std::size_t bits);  // bits / 4 digits, rounded up
// The value of a bit string, at most 128 units; '1' is one, anything else zero, as the programs read them.
[[nodiscard]] std::optional<Uint128> parse_bit_string(std::u16string_view bits, BitOrder order);

}  // namespace leitong::java
