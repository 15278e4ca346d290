// What a store holds as a fingerprint, and how far it is from one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "fingerprint/written_form.h"
#include "leitong/fingerprint.h"

namespace leitong::stored {

using fingerprint::Number;

// What a store holds as a fingerprint, read in every way that its characters allow.
struct StoredValue {
  bool none = false;  // "", "null", "none", "nil": no fingerprint
  std::optional<Number> binary, hex, decimal;
  std::size_t binary_digits = 0, hex_digits = 0;  // as written, with leading zeros
  bool negative = false;                          // the sign of `decimal`

  [[nodiscard]] bool readable() const { return none || binary || hex || decimal; }
};

// Spaces around it, letters' case, "0x" and leading zeros do not matter.
[[nodiscard]] StoredValue read_stored_value(std::string_view text);

inline constexpr std::uint8_t not_comparable = 255;

// What one stored value is to one fingerprint.
struct FormDistances {
  // By WrittenForm: bits that differ (254: at least so many), 0 if the value is this fingerprint in that form, not_comparable if it is none
  // of its width in that form.
  std::array<std::uint8_t, written_form_count> bits{};
  bool rounded = false;  // not the same as a decimal number, but so as a floating-point number of 64 bits
};

// A missing fingerprint equals a stored value that says there is none, and is not comparable with others.
[[nodiscard]] FormDistances form_distances(const StoredValue& stored, const std::optional<Fingerprint>& fingerprint);

}  // namespace leitong::stored
