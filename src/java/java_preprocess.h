// The cleaning of article 001's programs, and its steps one by one. All on UTF-16 units.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "segment/hanlp_data.h"

namespace leitong::java {

// U+3000 becomes a space, U+FF01..FF5E their ASCII twins.
void to_half_width(std::u16string& text);
// The article's reverse: a space becomes U+3000, everything else below U+007F (control characters too) moves up by 0xFEE0.
void to_full_width(std::u16string& text);

// preprocessData of article 001: a blank text as it is; otherwise half width, traditional to simplified by HanLP's table, and of that
// U+4E00..9FA5 only. Replaces `out`.
void preprocess_001(std::u16string_view text, const segment::HanlpData& data, std::u16string& out);

// The same in one pass, for many texts: a table says of most units what becomes of them.
class Cleaning001 {
 public:
  // `data` must outlive it.
  explicit Cleaning001(const segment::HanlpData& data);

  void operator()(std::u16string_view text, std::u16string& out) const;

 private:
  static constexpr char16_t dropped = 0, walk_on = 0xFFFF;  // walk_on: depends on what follows

  [[nodiscard]] char16_t alone(char16_t unit) const;
  [[nodiscard]] std::size_t walk(std::u16string_view rest, std::u16string_view& to) const;

  const segment::HanlpData& data_;
  std::vector<char16_t> units_;  // for each unit, before it is made half-width
};

}  // namespace leitong::java
