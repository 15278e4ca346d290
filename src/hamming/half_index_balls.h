// All 16-bit numbers by number of bits set, then by value: those within t bits of a key are key ^ number[0 … end[t]).
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace leitong::hamming {

struct KeyBalls {
  std::array<std::uint16_t, 65536> number;
  std::array<std::uint32_t, 17> end;
  KeyBalls() : number{}, end{} {
    std::uint32_t at = 0;
    for (unsigned bits = 0; bits <= 16; ++bits) {
      for (std::uint32_t x = 0; x < 65536; ++x) {
        if (static_cast<unsigned>(std::popcount(x)) == bits) number[at++] = static_cast<std::uint16_t>(x);
      }
      end[bits] = at;
    }
  }
};
inline const KeyBalls& key_balls() {
  static const KeyBalls all;
  return all;
}

}  // namespace leitong::hamming
