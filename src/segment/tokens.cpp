#include "segment/tokens.h"

#include "text/utf8.h"

namespace leitong::segment {

void code_point_ranges(std::string_view text, const Tokens& tokens, std::vector<text::Range>& out) {
  // The first character at or after every 64th byte: its number and place.
  struct Mark {
    std::uint32_t number, at;
  };
  std::vector<Mark> marks;
  std::uint32_t number = 0;
  for (std::size_t at = 0; at < text.size(); ++number) {
    while (marks.size() * 64 <= at) marks.push_back({number, static_cast<std::uint32_t>(at)});
    at += text::decode_utf8(text, at).size;
  }
  const auto number_at = [&](std::uint32_t byte) {
    if (byte >= text.size()) return number;
    std::size_t slot = byte / 64;
    if (slot >= marks.size() || marks[slot].at > byte) --slot;
    Mark mark = marks[slot];
    for (; mark.at < byte; ++mark.number) mark.at += text::decode_utf8(text, mark.at).size;
    return mark.number;
  };
  out.clear();
  for (const text::Range range : tokens.ranges()) {
    if (range.end > text.size()) {
      out.push_back(range);
    } else {
      out.push_back({number_at(range.begin), number_at(range.end)});
    }
  }
}

}  // namespace leitong::segment
