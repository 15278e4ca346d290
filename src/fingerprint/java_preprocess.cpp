#include "fingerprint/java_preprocess.h"

#include "fingerprint/java_string.h"

namespace leitong::fingerprint {

void to_half_width(std::u16string& text) {
  for (char16_t& c : text) {
    if (c == 0x3000) {
      c = u' ';
    } else if (c > 0xFF00 && c < 0xFF5F) {
      c = static_cast<char16_t>(c - 0xFEE0);
    }
  }
}

void to_full_width(std::u16string& text) {
  for (char16_t& c : text) {
    if (c == u' ') {
      c = 0x3000;
    } else if (c < 127) {
      c = static_cast<char16_t>(c + 0xFEE0);
    }
  }
}

void preprocess_001(std::u16string_view text, const segment::HanlpData& data, std::u16string& out) {
  out.assign(text);
  if (java_is_blank(text)) return;
  to_half_width(out);
  out = data.simplified(out);
  std::erase_if(out, [](char16_t c) { return c < 0x4E00 || c > 0x9FA5; });
}

}  // namespace leitong::fingerprint
