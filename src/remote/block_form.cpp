#include "remote/block_form.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <utility>

namespace leitong::remote {
namespace {

constexpr std::array<std::pair<Digits, std::string_view>, 5> names = {{{Digits::bits, "bits"},
                                                                       {Digits::decimal, "decimal"},
                                                                       {Digits::hex, "hex"},
                                                                       {Digits::hex_short, "hex-short"},
                                                                       {Digits::bytes, "bytes"}}};

std::uint64_t reversed(std::uint64_t value, unsigned width) {
  std::uint64_t out = 0;
  for (unsigned i = 0; i < width; ++i) out |= (value >> i & 1) << (width - 1 - i);
  return out;
}

// The number of bits that a digit stands for; 0 for decimal digits, which stand for no fixed number of bits.
unsigned bits_of(Digits digits) {
  switch (digits) {
    case Digits::bits:
      return 1;
    case Digits::hex:
    case Digits::hex_short:
      return 4;
    case Digits::bytes:
      return 8;
    case Digits::decimal:
      break;
  }
  return 0;
}

char digit_of(Digits digits, unsigned value) {
  if (digits == Digits::bytes) return static_cast<char>(value);
  return "0123456789abcdef"[value];
}

unsigned value_of(Digits digits, char digit) {
  if (digits == Digits::bytes) return static_cast<unsigned char>(digit);
  if (digit >= '0' && digit <= '9') return static_cast<unsigned>(digit - '0');
  return digit >= 'a' && digit <= 'f' ? static_cast<unsigned>(digit - 'a' + 10) : 256;
}

std::optional<std::uint64_t> read_decimal(std::string_view text) {
  std::uint64_t value = 0;
  if (text.size() > 1 && text.front() == '0') return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

unsigned block_width(const BlockForm& form, unsigned block) { return 64 / form.blocks + (block < 64 % form.blocks ? 1 : 0); }

unsigned block_shift(const BlockForm& form, unsigned block) {
  const unsigned before = block * (64 / form.blocks) + std::min(block, 64 % form.blocks);
  return form.least_first ? before : 64 - before - block_width(form, block);
}

std::uint64_t block_of(const BlockForm& form, std::uint64_t fingerprint, unsigned block) {
  const unsigned width = block_width(form, block);
  const std::uint64_t value = fingerprint >> block_shift(form, block) & ((std::uint64_t{1} << width) - 1);
  return form.reversed ? reversed(value, width) : value;
}

void append_block(const BlockForm& form, std::uint64_t fingerprint, unsigned block, std::string& out) {
  const std::uint64_t value = block_of(form, fingerprint, block);
  const unsigned bits = bits_of(form.digits);
  if (bits == 0) {
    out += std::to_string(value);
    return;
  }
  const unsigned wide = form.digits == Digits::hex_short ? static_cast<unsigned>(std::bit_width(value | 1)) : block_width(form, block);
  for (unsigned i = (wide + bits - 1) / bits; i-- > 0;) {
    out += digit_of(form.digits, static_cast<unsigned>(value >> (i * bits) & ((1U << bits) - 1)));
  }
}

std::optional<std::uint64_t> read_block(const BlockForm& form, unsigned block, std::string_view text) {
  const unsigned bits = bits_of(form.digits), width = block_width(form, block);
  std::optional<std::uint64_t> value = 0;
  if (bits == 0) {
    value = read_decimal(text);
  } else {
    const std::size_t all = (width + bits - 1) / bits;
    const bool whole = form.digits == Digits::hex_short ? !text.empty() && text.size() <= all && (text.size() == 1 || text.front() != '0')
                                                        : text.size() == all;
    if (!whole) return std::nullopt;
    for (const char c : text) {
      const unsigned digit = value_of(form.digits, c);
      if (digit >= 1U << bits) return std::nullopt;
      value = *value << bits | digit;
    }
  }
  return value && *value >> width == 0 ? value : std::nullopt;
}

std::string_view name_of(Digits digits) {
  return std::find_if(names.begin(), names.end(), [&](const auto& row) { return row.first == digits; })->second;
}

std::optional<Digits> digits_named(std::string_view name) {
  for (const auto& [digits, known] : names) {
    if (known == name) return digits;
  }
  return std::nullopt;
}

}  // namespace leitong::remote
