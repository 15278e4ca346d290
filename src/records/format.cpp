#include "records/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "leitong/error.h"
#include "records/pack.h"
#include "warc/archive_reader.h"

namespace leitong::records {
namespace {

using NamedFormat = std::pair<std::string_view, Format>;

constexpr std::array<NamedFormat, 9> formats{{{"jsonl", Format::jsonl},
                                              {"csv", Format::csv},
                                              {"tsv", Format::tsv},
                                              {"text", Format::text},
                                              {"lines", Format::lines},
                                              {"html", Format::html},
                                              {"parquet", Format::parquet},
                                              {"arrow", Format::arrow},
                                              {"warc", Format::warc}}};

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

// Of the file's name, in lower case, .gz and the like taken off.
std::string extension_of(std::string_view path) {
  const std::string name = lower_ascii(without_packing(path.substr(path.rfind('/') + 1)));
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos || dot == 0 ? "" : name.substr(dot + 1);
}

// What is not read: by bytes at a place (none: there are none that tell), by extensions between blanks.
struct Foreign {
  std::string_view what, advice;
  std::size_t offset;
  std::string_view magic;
  std::string_view extensions;
};

using namespace std::string_view_literals;

constexpr std::string_view untar = "unpack it (tar -xf FILE -C DIRECTORY) and give the directory"sv;
constexpr std::string_view unzip_hint = "unpack it (unzip FILE -d DIRECTORY) and give the directory"sv;
constexpr std::string_view save_as_text = "save or convert it as text, HTML, CSV or JSON Lines"sv;

constexpr std::array foreign{
    Foreign{"a tar archive", untar, 257, "ustar\0"sv, " tar tgz tbz tbz2 txz tzst "},
    Foreign{"a tar archive", untar, 257, "ustar  "sv, ""},
    Foreign{"a zip archive", unzip_hint, 0, "PK\x03\x04"sv, " zip "},
    Foreign{"a zip archive", unzip_hint, 0, "PK\x05\x06"sv, ""},
    Foreign{"an office document or book", save_as_text, 0, ""sv, " docx xlsx pptx odt ods epub "},
    Foreign{"a bzip2 file", "unpack it (bunzip2 FILE) or pipe it: bzip2 -dc FILE | leitong COMMAND -", 4, "1AY&SY"sv, " bz2 bz "},
    Foreign{"an xz file", "unpack it (unxz FILE) or pipe it: xz -dc FILE | leitong COMMAND -", 0,
            "\xFD"
            "7zXZ\0"sv,
            " xz lzma "},
    Foreign{"an lz4 file", "pipe it: lz4 -dc FILE | leitong COMMAND -", 0, "\x04\x22\x4D\x18"sv, " lz4 "},
    Foreign{"a 7z archive", "unpack it (7z x FILE) and give the directory", 0, "7z\xBC\xAF\x27\x1C"sv, " 7z "},
    Foreign{"a RAR archive", "unpack it (unrar x FILE) and give the directory", 0, "Rar!\x1A\x07"sv, " rar "},
    Foreign{"a file packed by compress", "pipe it: zcat FILE | leitong COMMAND -", 0, "\x1F\x9D"sv, " z "},
    Foreign{"a brotli file", "pipe it: brotli -dc FILE | leitong COMMAND -", 0, ""sv, " br "},
    // Only where another format was asked for.
    Foreign{"a Parquet file", "leave out --input-format, or say parquet", 0, "PAR1"sv, ""},
    Foreign{"an Arrow or Feather file", "leave out --input-format, or say arrow", 0, "ARROW1"sv, ""},
    Foreign{"a WARC file", "leave out --input-format, or say warc", 0, "WARC/"sv, ""},
    Foreign{"an Avro file", "convert it to JSON Lines (avro-tools tojson FILE)", 0, "Obj\x01"sv, " avro "},
    Foreign{"an ORC file", "convert it to JSON Lines (orc-contents FILE)", 0, ""sv, " orc "},
    Foreign{"a PDF document", "take its text out first (pdftotext FILE)", 0, "%PDF-"sv, " pdf "},
    Foreign{"an SQLite database", "export the table: sqlite3 -csv -header FILE 'select ...' > FILE.csv", 0, "SQLite format 3\0"sv, ""},
};

}  // namespace

std::optional<Format> format_of_name(std::string_view path) {
  static constexpr std::array<NamedFormat, 20> known_extensions{
      {{"jsonl", Format::jsonl},  {"ndjson", Format::jsonl}, {"json", Format::jsonl},   {"csv", Format::csv},
       {"tsv", Format::tsv},      {"txt", Format::text},     {"md", Format::text},      {"rst", Format::text},
       {"html", Format::html},    {"htm", Format::html},     {"xhtml", Format::html},   {"parquet", Format::parquet},
       {"parq", Format::parquet}, {"arrow", Format::arrow},  {"arrows", Format::arrow}, {"feather", Format::arrow},
       {"warc", Format::warc},    {"wet", Format::warc},     {"wat", Format::warc},     {"arc", Format::warc}}};
  const std::string extension = extension_of(path);
  for (const auto& [known, format] : known_extensions) {
    if (extension == known) return format;
  }
  return std::nullopt;
}

namespace {

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
  for (const auto& [its_name, format] : formats) {
    if (name == its_name) return format;
    known.append(", ").append(its_name);
  }
  throw Error(ErrorCode::usage, fmt::format("unknown input format \"{}\"; known are {}", name, known));
}

std::string_view name_of(Format format) {
  const auto named = std::ranges::find(formats, format, &NamedFormat::second);
  return named == formats.end() ? "memory" : named->first;
}

Format detect_format(std::string_view path, bool stream, std::string_view head) {
  if (const auto format = format_of_name(path)) return *format;
  const std::string_view start = without_space(head);
  if (begins_object(start)) return Format::jsonl;
  const std::string tag = lower_ascii(start.substr(0, 9));
  if (tag == "<!doctype" || tag.starts_with("<html")) return Format::html;
  return stream ? Format::lines : Format::text;
}

bool begins_archive(std::string_view head) { return warc::begins_record(head) || head.starts_with("filedesc:"); }

std::string foreign_format(std::string_view path, std::string_view head, bool automatic) {
  const std::string extension = fmt::format(" {} ", extension_of(path));
  const auto begins = [&](const Foreign& f) {
    return !f.magic.empty() && head.size() >= f.offset && head.substr(f.offset).starts_with(f.magic);
  };
  auto found = std::ranges::find_if(foreign, begins);
  // The name says more where both do: a document is a zip archive too.
  const auto named =
      std::ranges::find_if(foreign, [&](const Foreign& f) { return f.extensions.find(extension) != std::string_view::npos; });
  if (named != foreign.end() && (found != foreign.end() ? named->magic.empty() : automatic && !head.empty())) found = named;
  if (found == foreign.end()) return {};
  const std::string name(path == "-" ? "FILE" : path);
  std::string advice(found->advice);
  for (std::size_t at = advice.find("FILE"); at != std::string::npos; at = advice.find("FILE", at + name.size()))
    advice.replace(at, 4, name);
  return fmt::format("is {}{}, which is not read: {}", begins(*found) ? "" : "by its name ", found->what, advice);
}

std::string refuse(Format format, std::string_view head, bool automatic, bool found) {
  if (head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF")) {
    return "UTF-16 text, not UTF-8; --encoding auto or UTF-16 reads it";
  }
  if (automatic && found && head.find('\0') != std::string_view::npos) return "looks binary: a NUL byte in its first 8 kB";
  if (automatic && format == Format::jsonl && without_space(head).starts_with('[')) {
    return "a JSON array, not JSON Lines; convert it first, e.g. with jq -c '.[]'";
  }
  return {};
}

}  // namespace leitong::records
