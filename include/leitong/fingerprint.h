// Fingerprinter: text to SimHash, and how it came about.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/profile.h"

namespace leitong {

// A SimHash of 32 (Java profiles), 64, 128 or 256 bits. Bit i is bit (i mod 64) of words[i / 64]; unused words are zero.
struct Fingerprint {
  std::array<std::uint64_t, 4> words{};
  unsigned bits = 64;

  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

// 64-bit words that hold a fingerprint.
[[nodiscard]] constexpr unsigned fingerprint_words(unsigned bits) { return (bits + 63) / 64; }

// Lower-case hexadecimal, most significant bit first, bits / 4 digits.
[[nodiscard]] std::string to_hex(const Fingerprint&);
// The number whose binary digits the bits are, in decimal.
[[nodiscard]] std::string to_decimal(const Fingerprint&);
// The same as a signed number of that width in two's complement, as Java's int and long print it.
[[nodiscard]] std::string to_signed_decimal(const Fingerprint&);
// Bit i becomes bit (bits - 1 - i).
[[nodiscard]] Fingerprint reversed(const Fingerprint&);
// The bits as 0 and 1. The programs of articles 000 and 004 write the least significant first, all else the most significant.
[[nodiscard]] std::string to_bits(const Fingerprint&, bool least_first = false);
[[nodiscard]] bool writes_least_bit_first(Program);
// Throws Error(format) unless `hex` has 8, 16, 32 or 64 hexadecimal digits.
[[nodiscard]] Fingerprint fingerprint_from_hex(std::string_view hex);
// Number of differing bits. Throws Error(usage) if the widths differ.
[[nodiscard]] unsigned distance(const Fingerprint&, const Fingerprint&);

// Bits as a string of 0 and 1 in either order; the number in hexadecimal or decimal digits, also as Java's signed int, long or BigInteger
// of the width; and the numbers that the bits make when they are read in the other order.
enum class WrittenForm {
  bits_most_first,
  bits_least_first,
  hex,
  decimal,
  signed_decimal,
  reversed_hex,
  reversed_decimal,
  reversed_signed_decimal,
};
inline constexpr std::size_t written_form_count = 8;
// "bits, most significant first"
[[nodiscard]] std::string_view written_form_name(WrittenForm form);
// The fingerprint of `bits` bits that `text` is in that form; none: it is not. Bits and hexadecimal digits must all be there, 0x may stand
// before the latter; of decimal numbers leading zeros may be missing. No spaces, no plus sign.
[[nodiscard]] std::optional<Fingerprint> read_written(std::string_view text, WrittenForm form, unsigned bits);
// The other way round: lower-case, with all leading zeros where read_written wants them, else without any.
[[nodiscard]] std::string write_as(const Fingerprint&, WrittenForm form);

// Computes fingerprints under one profile. Reuses its buffers: make one a thread.
class Fingerprinter {
 public:
  explicit Fingerprinter(const Profile& profile);
  ~Fingerprinter();
  Fingerprinter(Fingerprinter&&) noexcept;
  Fingerprinter& operator=(Fingerprinter&&) noexcept;

  struct Result {
    std::optional<Fingerprint> fingerprint;  // none: the text has no features
    std::uint32_t features = 0;              // counted with repetition when the profile numbers occurrences, else distinct; words: as
                                             // many as vote, Java profiles with repetition
  };
  // `utf8` may hold anything; invalid bytes count as U+FFFD. Time linear in the text.
  // A surrogate without its partner, written as three bytes, is kept for the profiles that are defined on UTF-16.
  [[nodiscard]] Result operator()(std::string_view utf8);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The five steps of a SimHash as the articles draw them: segment, hash, weigh, merge, reduce.
struct Trace {
  struct Feature {
    std::string text;            // of the word or n-gram; "#2" marks the second copy of one that is numbered
    std::string part_of_speech;  // empty if the segmenter gives none
    Fingerprint hash;
    double weight = 1;
  };
  std::string cut;                // the text that was segmented: after the profile's normalisation
  std::vector<Feature> features;  // those that vote, in the order in which they are added
  std::vector<double> sums;       // sums[i]: of bit i over all features, + weight where it is set, - weight where it is not
  bool tie_sets_bit = false;      // what a sum of zero gives
  std::optional<Fingerprint> fingerprint;
};
[[nodiscard]] Trace trace(std::string_view utf8, const Profile& profile);

}  // namespace leitong
