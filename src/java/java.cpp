// The public leitong::java: forms, distances and blocks of the articles' programs.
#include "leitong/java.h"

#include <array>

#include "java/java_distance.h"
#include "java/java_simhash.h"
#include "java/java_string.h"
#include "leitong/error.h"
#include "text/utf16.h"

namespace leitong::java {
namespace {

std::optional<std::u16string> units(Bits bits) { return bits ? std::optional(text::to_utf16(*bits)) : std::nullopt; }

java::JavaString view(const std::optional<std::u16string>& units) { return units ? java::JavaString(*units) : std::nullopt; }

}  // namespace

std::int32_t get_distance(Bits a, Bits b) {
  const auto left = units(a), right = units(b);
  return java::java_get_distance(view(left), view(right));
}

std::int32_t hamming_distance(Bits a, Bits b, std::int32_t for_null) {
  const auto left = units(a), right = units(b);
  return java::java_hamming_distance(view(left), view(right), for_null);
}

std::vector<std::string> sub_by_distance(const Fingerprint& value, Program program, std::int32_t distance) {
  if (!writes_least_bit_first(program) || value.bits > 128)
    throw Error(ErrorCode::usage, "only the programs of articles 000 and 004 (profiles java-ik, java-hanlp) have blocks");
  const auto bits = static_cast<std::int32_t>(value.bits);
  const java::Uint128 number = java::Uint128{value.words[1]} << 64 | value.words[0];
  const auto blocks = program == Program::java_000 ? java::java_blocks(text::to_utf16(to_bits(value, true)), bits, distance)
                                                   : java::java_blocks(number, number, bits, distance);
  std::vector<std::string> out;
  for (const java::Uint128 block : blocks) out.push_back(java::decimal_string(block));
  return out;
}

std::uint32_t string_hash_code(std::string_view utf8) { return java::java_hash_code(text::to_utf16(utf8)); }

}  // namespace leitong::java
