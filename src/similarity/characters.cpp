#include "similarity/characters.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "leitong/error.h"
#include "similarity/measures.h"
#include "text/normal_form.h"
#include "text/simplify.h"
#include "text/utf16.h"

namespace leitong::similarity {
namespace {

constexpr std::size_t part_bytes = std::size_t{1} << 16;

// Where a part that begins at `begin` may end: before ASCII or common Han, which neither compose nor reorder with what stands before them.
std::size_t part_end(std::string_view utf8, std::size_t begin) {
  std::size_t end = begin + part_bytes;
  for (; end < utf8.size(); ++end) {
    const auto byte = static_cast<unsigned char>(utf8[end]);
    if (byte < 0x80 || (byte >= 0xE5 && byte <= 0xE9)) return end;
  }
  return utf8.size();
}

// White_Space that NFKC_Casefold leaves as it is.
bool is_space(char32_t c) { return c == ' ' || (c >= '\t' && c <= '\r') || c == 0x85 || c == 0x1680 || c == 0x2028 || c == 0x2029; }

}  // namespace

std::vector<char32_t> characters(std::string_view utf8, bool fold_traditional) {
  std::string without;  // a surrogate without its partner is one character here as everywhere
  if (utf8.find('\xED') != std::string_view::npos) utf8 = without = text::without_surrogates(utf8);
  std::vector<char32_t> out;
  text::NormalText normal;
  bool space = false;
  for (std::size_t begin = 0; begin < utf8.size();) {  // in parts, for normalisation needs several times the memory of its text
    const std::size_t end = part_end(utf8, begin);
    text::normalize(utf8.substr(begin, end - begin), false, normal);
    for (const char32_t c : normal.points) {
      if (is_space(c)) {
        space = true;
        continue;
      }
      if (space && !out.empty()) out.push_back(' ');
      space = false;
      out.push_back(fold_traditional ? text::simplify(c) : c);
    }
    begin = end;
  }
  return out;
}

void check_size(std::string_view text) {
  if (text.size() < 0xffffffffU - text::Tokens::padding) return;
  throw Error(ErrorCode::limit, "compare: a text of " + std::to_string(text.size()) + " bytes is too long; the limit is 4 GiB");
}

CharacterEdits character_edits(std::span<const char32_t> a, std::span<const char32_t> b, std::uint32_t bound) {
  CharacterEdits result;
  const std::size_t longer = std::max(a.size(), b.size());
  const auto distance = edit_distance(a, b, bound);
  result.exact = distance.has_value();
  // More than the bound, and no fewer than the lengths differ by.
  result.distance = distance.value_or(std::max(bound + 1, static_cast<std::uint32_t>(longer - std::min(a.size(), b.size()))));
  result.similarity = longer == 0 ? 1 : 1 - static_cast<double>(result.distance) / static_cast<double>(longer);
  return result;
}

}  // namespace leitong::similarity
