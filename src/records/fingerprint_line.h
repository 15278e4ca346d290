// A line to the fingerprint that it holds: hexadecimal digits, or a JSON object with such digits.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "records/json_fields.h"

namespace leitong::records {

struct HexValue {
  std::array<std::uint64_t, 4> words{};  // least significant first
  unsigned count = 0;                    // words: 1, 2 or 4; 0: it is none, and `reason` says why
  std::string reason;
};

// 16, 32 or 64 digits, most significant first, with or without 0x. No white space.
[[nodiscard]] HexValue parse_hex(std::string_view digits);

// Lines of JSON. Not thread-safe: reuses its buffers.
class FingerprintJson {
 public:
  enum class Kind { fingerprint, none, bad };
  struct Line {
    Kind kind = Kind::bad;
    std::string_view digits;  // fingerprint
    std::string_view id;      // JSON value: a string or a number; empty: there is none
    std::string reason;       // bad
  };
  // `field`: dotted path of the digits; empty: "fp" or, in a line without it, "fingerprint".
  FingerprintJson(const std::string& field, const std::string& id_field);
  // 16 bytes behind `line` must be readable. Views are of the line, or valid until the next call.
  [[nodiscard]] Line parse(std::string_view line);

 private:
  std::vector<std::string> names_;
  JsonPaths paths_;
  JsonFields fields_;
  std::string unescaped_;
};

}  // namespace leitong::records
