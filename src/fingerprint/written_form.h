// Numbers as programs write fingerprints: what the written forms of leitong/fingerprint.h are read with.
//
// Threads: any. Errors: none.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace leitong::fingerprint {

// Of up to 256 bits, the least significant word first.
using Number = std::array<std::uint64_t, 4>;

// None for what has other characters, or needs more than 256 bits. Base 2, 10 or 16.
[[nodiscard]] std::optional<Number> read_number(std::string_view digits, unsigned base);
[[nodiscard]] bool fits(const Number& value, unsigned bits);
// -value in two's complement of `bits` bits.
[[nodiscard]] Number negated(const Number& value, unsigned bits);
// The bits of a signed number of `bits` bits; none if it does not fit.
[[nodiscard]] std::optional<Number> as_signed(const Number& magnitude, bool negative, unsigned bits);

}  // namespace leitong::fingerprint
