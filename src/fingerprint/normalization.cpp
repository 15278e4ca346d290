// The public normalize(): a text as a profile cleans it.
#include "java/java_preprocess.h"
#include "leitong/segment.h"
#include "text/normalize.h"
#include "text/simplify.h"
#include "text/utf16.h"

namespace leitong {

std::string normalize(std::string_view utf8, const Normalization& steps) {
  const std::string folded = steps.casefold ? text::nfkc_casefold(text::without_surrogates(utf8)) : std::string(utf8);
  std::u16string units = text::to_utf16(folded);
  if (steps.width == Width::half) java::to_half_width(units);
  if (steps.width == Width::full) java::to_full_width(units);
  if (steps.simplified)
    for (char16_t& c : units)
      if (const char32_t simple = text::simplify(c); simple < 0x10000) c = static_cast<char16_t>(simple);
  return text::to_utf8(units);
}

}  // namespace leitong
