#include "java/java_preprocess.h"

#include <cstdint>

#include "java/java_string.h"

namespace leitong::java {
namespace {

using segment::Trie;
using segment::TrieCell;

constexpr std::uint32_t unit_count = 0x10000;

char16_t half_width(char16_t c) {
  if (c == 0x3000) return u' ';
  return c > 0xFF00 && c < 0xFF5F ? static_cast<char16_t>(c - 0xFEE0) : c;
}

bool is_kept(char16_t c) { return c >= 0x4E00 && c <= 0x9FA5; }

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

void preprocess_001(std::u16string_view text, const segment::HanlpData& data, std::u16string& out) {
  out.assign(text);
  if (java_is_blank(text)) return;
  to_half_width(out);
  out = data.simplified(out);
  std::erase_if(out, [](char16_t c) { return !is_kept(c); });
}

Cleaning001::Cleaning001(const segment::HanlpData& data) : data_(data), units_(unit_count) {
  for (std::uint32_t c = 0; c < unit_count; ++c) units_[c] = alone(half_width(static_cast<char16_t>(c)));
}

char16_t Cleaning001::alone(char16_t unit) const {
  const Trie keys = data_.simplifications;
  const TrieCell state = keys.next(keys.root(), data_.codes[unit]);
  char16_t to = unit;
  if (state != Trie::nowhere) {
    if (Trie::base(state) != 0 || !Trie::ends(state)) return walk_on;  // a longer key may begin with it
    const std::u16string_view value = data_.simplification(Trie::value(state));
    if (value.size() != 1) return walk_on;
    to = value[0];
  }
  return is_kept(to) ? to : dropped;
}

// The longest key that begins `rest`, or else its first unit: its length, and what it becomes.
std::size_t Cleaning001::walk(std::u16string_view rest, std::u16string_view& to) const {
  const Trie keys = data_.simplifications;
  std::size_t length = 1;
  to = rest.substr(0, 1);
  TrieCell state = keys.root();
  for (std::size_t i = 0; i < rest.size(); ++i) {
    state = keys.next(state, data_.codes[half_width(rest[i])]);
    if (state == Trie::nowhere) break;
    if (!Trie::ends(state)) continue;
    to = data_.simplification(Trie::value(state));
    length = i + 1;
  }
  return length;
}

// There is always room for as many units as are still to come.
void Cleaning001::operator()(std::u16string_view text, std::u16string& out) const {
  if (java_is_blank(text)) {
    out.assign(text);
    return;
  }
  out.resize(text.size());
  char16_t* next = out.data();
  const char16_t* const units = units_.data();
  for (std::size_t at = 0; at < text.size();) {
    const char16_t unit = units[text[at]];
    if (unit != walk_on) {
      *next = unit;
      next += unit != dropped ? 1 : 0;
      ++at;
      continue;
    }
    std::u16string_view to;
    const std::size_t length = walk(text.substr(at), to);
    at += length;
    if (to.size() > length) {
      const auto written = next - out.data();
      out.resize(out.size() + to.size() - length);
      next = out.data() + written;
    }
    for (const char16_t c : to) {
      if (is_kept(c)) *next++ = c;
    }
  }
  out.resize(static_cast<std::size_t>(next - out.data()));
}

}  // namespace leitong::java
