#include "text/canonical_link.h"

#include <algorithm>

namespace leitong::text {
namespace {

constexpr std::size_t most = std::size_t{256} << 10;
constexpr std::size_t longest_tag = 4096;
constexpr std::string_view blank = " \t\r\n\f";

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  return out;
}

// The value of the attribute at the front of `tag`, which is taken off with its name; false: there is no further one.
bool next_attribute(std::string_view& tag, std::string_view& name, std::string_view& value) {
  tag.remove_prefix(std::min(tag.find_first_not_of(" \t\r\n\f/"), tag.size()));
  if (tag.empty() || tag.front() == '>') return false;
  const std::size_t end = std::min(tag.find_first_of(" \t\r\n\f/>=", 1), tag.size());
  name = tag.substr(0, end);
  value = {};
  tag.remove_prefix(end);
  std::string_view rest = tag.substr(std::min(tag.find_first_not_of(blank), tag.size()));
  if (!rest.starts_with('=')) return true;
  rest.remove_prefix(std::min(rest.find_first_not_of(blank, 1), rest.size()));
  const bool quoted = rest.starts_with('"') || rest.starts_with('\'');
  const std::size_t close = quoted ? rest.find(rest.front(), 1) : rest.find_first_of(" \t\r\n\f>");
  value = quoted ? rest.substr(1, close == std::string_view::npos ? close : close - 1) : rest.substr(0, close);
  tag = close == std::string_view::npos ? std::string_view() : rest.substr(close + (quoted ? 1 : 0));
  return true;
}

std::string without_references(std::string_view value) {
  std::string out(value);
  for (std::size_t at = out.find("&amp;"); at != std::string::npos; at = out.find("&amp;", at + 1)) out.erase(at + 1, 4);
  const std::size_t begin = out.find_first_not_of(blank);
  return begin == std::string::npos ? std::string() : out.substr(begin, out.find_last_not_of(blank) + 1 - begin);
}

}  // namespace

std::string canonical_link(std::string_view html) {
  html = html.substr(0, most);
  for (std::size_t at = html.find('<'); at != std::string_view::npos; at = html.find('<', at + 1)) {
    if (lower(html.substr(at + 1, 4)) != "link") continue;
    std::string_view tag = html.substr(at + 5, longest_tag), name, value, href;
    bool canonical = false;
    while (next_attribute(tag, name, value)) {
      if (lower(name) == "rel") canonical = lower(value) == "canonical";
      if (lower(name) == "href") href = value;
    }
    if (canonical && !href.empty()) return without_references(href);
  }
  return {};
}

}  // namespace leitong::text
