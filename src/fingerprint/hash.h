// The feature hash, as docs/fingerprint-spec.md fixes it: 64 bits, the same on every machine. Two multiplications a token of up to 16
// bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace leitong::fingerprint {

// Upper half xor lower half of the 128-bit product.
[[nodiscard]] inline std::uint64_t fold_multiply(std::uint64_t a, std::uint64_t b) noexcept {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

// byte_masks[n] keeps the first n of sixteen bytes.
constexpr std::array<std::array<std::uint64_t, 2>, 17> make_byte_masks() {
  std::array<std::array<std::uint64_t, 2>, 17> masks{};
  for (unsigned n = 0; n <= 16; ++n) {
    masks[n][0] = n >= 8 ? ~0ULL : (1ULL << (8 * n)) - 1;
    masks[n][1] = n >= 16 ? ~0ULL : n <= 8 ? 0 : (1ULL << (8 * (n - 8))) - 1;
  }
  return masks;
}
inline constexpr auto byte_masks = make_byte_masks();

class Hasher {
 public:
  // `key`: any bytes; empty: the public constants.
  explicit Hasher(std::string_view key = {});

  [[nodiscard]] static Hasher of_keys(const std::uint64_t* keys) noexcept {
    Hasher hasher{Bare{}};
    std::memcpy(hasher.k_.data(), keys, sizeof hasher.k_);
    return hasher;
  }
  [[nodiscard]] const std::uint64_t* keys() const noexcept { return k_.data(); }  // eight

  // Of n bytes at p. The fast form below is the same for n <= 16 and reads 16 bytes from p whatever n is.
  [[nodiscard]] std::uint64_t bytes(const char* p, std::size_t n) const noexcept {
    std::uint64_t state = k_[0] ^ n;
    for (; n > 16; n -= 16, p += 16) state = fold_multiply(load(p) ^ k_[1], load(p + 8) ^ state);
    std::uint64_t word[2] = {0, 0};
    std::memcpy(word, p, n);
    state = fold_multiply(little_endian(word[0]) ^ k_[1], little_endian(word[1]) ^ state);
    return fold_multiply(state ^ k_[2], k_[3]);
  }
  [[nodiscard]] std::uint64_t padded_bytes(const char* p, std::size_t n) const noexcept {
    if (n > 16) [[unlikely]]
      return bytes(p, n);
    const std::uint64_t low = load(p) & byte_masks[n][0], high = load(p + 8) & byte_masks[n][1];
    return fold_multiply(fold_multiply(low ^ k_[1], high ^ k_[0] ^ n) ^ k_[2], k_[3]);
  }
  // An n-gram is folded from the left: join(join(a, b), c).
  [[nodiscard]] std::uint64_t join(std::uint64_t left, std::uint64_t right) const noexcept {
    return fold_multiply(left ^ k_[4], right ^ k_[5]);
  }
  // The copy number `copy` (0, 1, 2, ...) of a feature; copy 0 is the feature itself.
  [[nodiscard]] std::uint64_t numbered(std::uint64_t feature, std::uint32_t copy) const noexcept {
    return copy == 0 ? feature : other_copy(feature, copy);
  }
  // The same for copy > 0.
  [[nodiscard]] std::uint64_t other_copy(std::uint64_t feature, std::uint32_t copy) const noexcept {
    return fold_multiply(feature ^ k_[6], k_[7] ^ copy);
  }
  // Bits 64·word .. 64·word + 63 of a feature's hash, for SimHash of more than 64 bits.
  [[nodiscard]] std::uint64_t widen(std::uint64_t feature, unsigned word) const noexcept {
    return word == 0 ? feature : fold_multiply(feature ^ k_[7], k_[6] + 2 * word + 1);
  }

 private:
  struct Bare {};
  explicit Hasher(Bare /*unused*/) noexcept {}

  static std::uint64_t little_endian(std::uint64_t x) noexcept {
    static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "big-endian machines need a byte swap here");
    return x;
  }
  static std::uint64_t load(const char* p) noexcept {
    std::uint64_t x;
    std::memcpy(&x, p, 8);
    return little_endian(x);
  }
  std::array<std::uint64_t, 8> k_;
};

}  // namespace leitong::fingerprint
