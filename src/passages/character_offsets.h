// Places in a text: bytes to characters.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace leitong::passages {

// Characters are Unicode code points, as Python counts them: also of a surrogate that stands as three bytes.
class CharacterOffsets {
 public:
  explicit CharacterOffsets(std::string_view text) : text_(text) {
    before_.reserve(text.size() / stride + 1);
    std::uint32_t sum = 0;
    for (std::size_t begin = 0; begin <= text.size(); begin += stride) {
      before_.push_back(sum);
      sum += count(begin, std::min(begin + stride, text.size()));
    }
  }
  // Of the characters that begin before the byte.
  [[nodiscard]] std::uint32_t at(std::size_t byte) const { return before_[byte / stride] + count(byte / stride * stride, byte); }

 private:
  static constexpr std::size_t stride = 512;
  [[nodiscard]] std::uint32_t count(std::size_t begin, std::size_t end) const {
    std::uint32_t n = 0;
    for (std::size_t i = begin; i < end; ++i) n += (text_[i] & 0xC0) != 0x80 ? 1 : 0;
    return n;
  }
  std::string_view text_;
  std::vector<std::uint32_t> before_;
};

}  // namespace leitong::passages
