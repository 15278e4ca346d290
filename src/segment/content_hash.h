// What a data file's content id hashes: numbers and texts in a fixed form, each text and list with its length before it.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "segment/section_file.h"

namespace leitong::segment {

class ContentHash {
 public:
  void number(std::uint64_t value) {
    for (unsigned shift = 0; shift < 64; shift += 8) bytes_.push_back(static_cast<char>(value >> shift & 0xFF));
  }
  void real(double value) { number(std::bit_cast<std::uint64_t>(value)); }
  void text(std::string_view bytes) {
    number(bytes.size());
    bytes_ += bytes;
  }
  // UTF-16 units or code points.
  template <class Unit>
  void units(std::basic_string_view<Unit> text) {
    number(text.size());
    for (const Unit c : text) {
      for (unsigned shift = 0; shift < 8 * sizeof(Unit); shift += 8) bytes_.push_back(static_cast<char>(c >> shift & 0xFF));
    }
  }
  [[nodiscard]] ContentId id() const { return content_id(bytes_); }

 private:
  std::string bytes_;
};

}  // namespace leitong::segment
