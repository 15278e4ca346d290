#include "records/utf8.h"

#include <simdjson.h>

#include <cstdint>
#include <utility>

namespace leitong::records {
namespace {

struct Sequence {
  std::size_t length;  // of the character, or of the maximal subpart of a broken one
  bool good;
};

// What the second byte may be after this first byte.
std::pair<unsigned, unsigned> second_range(unsigned lead) {
  switch (lead) {
    case 0xE0:
      return {0xA0, 0xBF};
    case 0xED:
      return {0x80, 0x9F};
    case 0xF0:
      return {0x90, 0xBF};
    case 0xF4:
      return {0x80, 0x8F};
    default:
      return {0x80, 0xBF};
  }
}

Sequence first_sequence(std::string_view bytes) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(bytes[i])); };
  const unsigned lead = at(0);
  if (lead < 0x80) return {1, true};
  if (lead < 0xC2 || lead > 0xF4) return {1, false};
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  const auto [low, high] = second_range(lead);
  for (std::size_t i = 1; i < length; ++i) {
    if (i == bytes.size()) return {i, false};
    const unsigned c = at(i);
    if (i == 1 ? (c < low || c > high) : (c < 0x80 || c > 0xBF)) return {i, false};
  }
  return {length, true};
}

}  // namespace

bool valid_utf8(std::string_view bytes) { return simdjson::validate_utf8(bytes.data(), bytes.size()); }

std::size_t valid_utf8_prefix(std::string_view bytes) {
  if (valid_utf8(bytes)) return bytes.size();
  std::size_t i = 0;
  while (i < bytes.size()) {
    const Sequence sequence = first_sequence(bytes.substr(i));
    if (!sequence.good) break;
    i += sequence.length;
  }
  return i;
}

std::size_t invalid_utf8_length(std::string_view bytes) { return first_sequence(bytes).length; }

}  // namespace leitong::records
