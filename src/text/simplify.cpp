#include "text/simplify.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "text/unicode_tables.h"

namespace leitong::text {
namespace {

using unicode::Simplification;

struct HanTable {
  std::array<std::uint16_t, han_last - han_first + 1> to;

  HanTable() : to() {
    for (char32_t c = han_first; c <= han_last; ++c) to[c - han_first] = static_cast<std::uint16_t>(c);
    for (std::size_t i = 0; i < unicode::simplification_count; ++i) {
      const Simplification& s = unicode::simplifications[i];
      if (s.traditional < han_first || s.traditional > han_last) continue;
      const bool inside = s.simplified >= han_first && s.simplified <= han_last;
      to[s.traditional - han_first] = inside ? static_cast<std::uint16_t>(s.simplified) : std::uint16_t{0};
    }
  }
};

}  // namespace

char32_t simplify(char32_t c) {
  const auto* const end = unicode::simplifications + unicode::simplification_count;
  const auto* const found =
      std::lower_bound(unicode::simplifications, end, c, [](const Simplification& s, char32_t x) { return s.traditional < x; });
  return found != end && found->traditional == c ? found->simplified : c;
}

const std::uint16_t* simplified_han() {
  static const HanTable table;
  return table.to.data();
}

}  // namespace leitong::text
