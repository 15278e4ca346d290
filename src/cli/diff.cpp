#include "cli/diff.h"

#include <fmt/format.h>

#include "cli/terminal.h"
#include "cli/utf8.h"

namespace leitong::cli {
namespace {

bool inside_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Not in the middle of a UTF-8 character: moved towards the begin (end) of the text.
std::size_t cut_down(std::string_view text, std::size_t at) {
  while (at > 0 && at < text.size() && inside_character(text[at])) --at;
  return at;
}
std::size_t cut_up(std::string_view text, std::size_t at) {
  while (at < text.size() && inside_character(text[at])) ++at;
  return at;
}

std::string shortened(std::string_view text, std::size_t context, bool first, bool last) {
  if (context == 0 || text.size() <= context) return std::string(text);
  const std::size_t head = first ? 0 : cut_down(text, context / 2), tail = last ? text.size() : cut_up(text, text.size() - context / 2);
  if (tail <= head) return std::string(text);
  const std::string gap = fmt::format(" [... {} equal bytes ...] ", human_count(tail - head));
  return std::string(text.substr(0, head)) + gap + std::string(text.substr(tail));
}

}  // namespace

std::string marked_diff(std::string_view a, std::string_view b, std::span<const DiffRun> runs, std::size_t context, bool color) {
  std::string out;
  const auto put = [&](std::string_view before, std::string_view text, std::string_view after) {
    if (!text.empty()) out += std::string(before) + (color ? harmless(text) : printable_utf8(text)) + std::string(after);
  };
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const DiffRun& run = runs[i];
    const std::string_view left = a.substr(run.a_begin, run.a_end - run.a_begin), right = b.substr(run.b_begin, run.b_end - run.b_begin);
    if (run.same) {
      put("", shortened(right, context, i == 0, i + 1 == runs.size()), "");
    } else {
      put(color ? "\x1b[31;9m" : "[-", left, color ? "\x1b[0m" : "-]");
      put(color ? "\x1b[32;1m" : "{+", right, color ? "\x1b[0m" : "+}");
    }
  }
  return out;
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const auto c = static_cast<unsigned char>(text[0]);
    if (length == 0) {
      out += "\xEF\xBF\xBD";
    } else if (c == '"' || c == '\\') {
      out += {'\\', text[0]};
    } else if (c == '\n') {
      out += "\\n";
    } else if (c < 0x20) {
      out += fmt::format("\\u{:04x}", c);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out + "\"";
}

}  // namespace leitong::cli
