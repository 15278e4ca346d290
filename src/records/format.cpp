#include "records/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "leitong/error.h"

namespace leitong::records {
namespace {

using NamedFormat = std::pair<std::string_view, Format>;

constexpr std::array<NamedFormat, 6> kFormats{{{"jsonl", Format::jsonl},
                                               {"csv", Format::csv},
                                               {"tsv", Format::tsv},
                                               {"text", Format::text},
                                               {"lines", Format::lines},
                                               {"html", Format::html}}};

std::string lower_ascii(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  }
  return out;
}

std::string_view without_space(std::string_view head) {
  const std::size_t begin = head.find_first_not_of(" \t\r\n");
  return begin == std::string_view::npos ? std::string_view{} : head.substr(begin);
}

std::optional<Format> by_name(std::string_view path) {
  static constexpr std::array<NamedFormat, 11> kExtensions{{{"jsonl", Format::jsonl},
                                                            {"ndjson", Format::jsonl},
                                                            {"json", Format::jsonl},
                                                            {"csv", Format::csv},
                                                            {"tsv", Format::tsv},
                                                            {"txt", Format::text},
                                                            {"md", Format::text},
                                                            {"rst", Format::text},
                                                            {"html", Format::html},
                                                            {"htm", Format::html},
                                                            {"xhtml", Format::html}}};
  std::string name = lower_ascii(path.substr(path.rfind('/') + 1));
  for (const char* packed : {".gz", ".zst", ".zstd"}) {
    if (name.ends_with(packed)) {
      name.resize(name.size() - std::string_view(packed).size());
      break;
    }
  }
  const std::size_t dot = name.rfind('.');
  const std::string extension = dot == std::string::npos || dot == 0 ? "" : name.substr(dot + 1);
  for (const auto& [known, format] : kExtensions) {
    if (extension == known) return format;
  }
  return std::nullopt;
}

// A brace alone begins many things that are not JSON.
bool begins_object(std::string_view start) {
  if (!start.starts_with('{')) return false;
  const std::string_view inside = without_space(start.substr(1));
  return inside.starts_with('"') || inside.starts_with('}');
}

}  // namespace

std::optional<Format> parse_format(const std::string& name) {
  if (name == "auto") return std::nullopt;
  std::string known = "auto";
  for (const auto& [its_name, format] : kFormats) {
    if (name == its_name) return format;
    known.append(", ").append(its_name);
  }
  throw Error(ErrorCode::usage, fmt::format("unknown input format \"{}\"; known are {}", name, known));
}

std::string_view name_of(Format format) {
  return std::find_if(kFormats.begin(), kFormats.end(), [&](const NamedFormat& named) { return named.second == format; })->first;
}

Format detect_format(std::string_view path, bool stream, std::string_view head) {
  if (const auto format = by_name(path)) return *format;
  const std::string_view start = without_space(head);
  if (begins_object(start)) return Format::jsonl;
  const std::string tag = lower_ascii(start.substr(0, 9));
  if (tag == "<!doctype" || tag.starts_with("<html")) return Format::html;
  return stream ? Format::lines : Format::text;
}

std::string refuse(Format format, std::string_view head, bool automatic, bool found) {
  if (head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF")) {
    return "UTF-16 text, not UTF-8; convert it first, e.g. with iconv -f UTF-16 -t UTF-8";
  }
  if (automatic && found && head.find('\0') != std::string_view::npos) return "looks binary: a NUL byte in its first 8 kB";
  if (automatic && format == Format::jsonl && without_space(head).starts_with('[')) {
    return "a JSON array, not JSON Lines; convert it first, e.g. with jq -c '.[]'";
  }
  return {};
}

}  // namespace leitong::records
