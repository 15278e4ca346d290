#include "fingerprint/java_preprocess.h"

#include "fingerprint/java_string.h"

namespace leitong::fingerprint {
namespace {

constexpr char16_t half_width(char16_t c) {
  if (c == 0x3000) return u' ';
  return c > 0xFF00 && c < 0xFF5F ? static_cast<char16_t>(c - 0xFEE0) : c;
}

constexpr bool is_kept(char16_t c) { return c >= 0x4E00 && c <= 0x9FA5; }

}  // namespace

void to_half_width(std::u16string& text) {
  for (char16_t& c : text) c = half_width(c);
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

void Replacements::add(std::u16string_view key, std::u16string_view value) {
  if (key.empty()) return;
  std::uint32_t* link = &first_[key.front()];
  while (*link != none && entries_[*link].key.size() >= key.size()) {
    Entry& entry = entries_[*link];
    if (entry.key == key) {
      entry.value = value;
      return;
    }
    link = &entry.next;
  }
  const std::uint32_t next = *link;
  *link = static_cast<std::uint32_t>(entries_.size());  // before `entries_` may move
  entries_.push_back({std::u16string(key), std::u16string(value), next});
}

void Replacements::append(std::u16string_view text, std::u16string& out) const {
  const auto read = [text](std::size_t i) { return text[i]; };
  for (std::size_t i = 0; i < text.size();) {
    const Match match = begins(text[i]) ? longest(i, text.size(), read) : Match{};
    if (match.length == 0) {
      out.push_back(text[i++]);
    } else {
      out.append(match.value);
      i += match.length;
    }
  }
}

void preprocess_001(std::u16string_view text, const Replacements& simplified, std::u16string& out) {
  if (java_is_blank(text)) {
    out.assign(text);
    return;
  }
  out.clear();
  out.reserve(text.size());
  const auto read = [text](std::size_t i) { return half_width(text[i]); };
  for (std::size_t i = 0; i < text.size();) {
    const char16_t c = read(i);
    const Replacements::Match match = simplified.begins(c) ? simplified.longest(i, text.size(), read) : Replacements::Match{};
    if (match.length == 0) {
      if (is_kept(c)) out.push_back(c);
      ++i;
      continue;
    }
    for (const char16_t v : match.value) {
      if (is_kept(v)) out.push_back(v);
    }
    i += match.length;
  }
}

}  // namespace leitong::fingerprint
