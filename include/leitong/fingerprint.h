// Fingerprinter: text to SimHash.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "leitong/profile.h"

namespace leitong {

// A SimHash of 64, 128 or 256 bits. Bit i is bit (i mod 64) of words[i / 64]; unused words are zero.
struct Fingerprint {
  std::array<std::uint64_t, 4> words{};
  unsigned bits = 64;

  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

// Lower-case hexadecimal, most significant bit first, bits / 4 digits.
[[nodiscard]] std::string to_hex(const Fingerprint&);
// Throws Error(format) unless `hex` has 16, 32 or 64 hexadecimal digits.
[[nodiscard]] Fingerprint fingerprint_from_hex(std::string_view hex);
// Number of differing bits. Throws Error(usage) if the widths differ.
[[nodiscard]] unsigned distance(const Fingerprint&, const Fingerprint&);

// Computes fingerprints under one profile. Reuses its buffers: make one a thread.
class Fingerprinter {
 public:
  explicit Fingerprinter(const Profile& profile);
  ~Fingerprinter();
  Fingerprinter(Fingerprinter&&) noexcept;
  Fingerprinter& operator=(Fingerprinter&&) noexcept;

  struct Result {
    std::optional<Fingerprint> fingerprint;  // none: the text has no features
    std::uint32_t features = 0;              // counted with repetition when the profile numbers occurrences, else distinct
  };
  // `utf8` may hold anything; invalid bytes count as U+FFFD. Time linear in the text.
  [[nodiscard]] Result operator()(std::string_view utf8);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace leitong
