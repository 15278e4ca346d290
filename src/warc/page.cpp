#include "warc/page.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <utility>

#include "warc/header.h"
#include "warc/http.h"

namespace leitong::warc {
namespace {

constexpr std::array<std::pair<std::string_view, Kind>, 6> types{{{"revisit", Kind::revisit},
                                                                  {"request", Kind::request},
                                                                  {"metadata", Kind::metadata},
                                                                  {"warcinfo", Kind::warcinfo},
                                                                  {"continuation", Kind::continuation},
                                                                  {"conversion", Kind::conversion}}};

std::string without_brackets(std::string value) {
  if (value.starts_with('<') && value.ends_with('>')) return value.substr(1, value.size() - 2);
  return value;
}

std::string_view arc_line_of(const ArchiveRecord& record) {
  std::string_view line = record.header;
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// A name in the form of a UUID (version 8), of what is named: the same record has the same.
std::string made_id(const ArchiveRecord& record) {
  const XXH64_hash_t seed = XXH3_64bits(record.header.data(), record.header.size());
  const XXH128_hash_t hash = XXH3_128bits_withSeed(record.block.data(), record.block.size(), seed);
  const std::string hex = fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
  return fmt::format("urn:uuid:{}-{}-8{}-8{}-{}", hex.substr(0, 8), hex.substr(8, 4), hex.substr(13, 3), hex.substr(17, 3),
                     hex.substr(20, 12));
}

bool begins_page(std::string_view body) {
  const std::string_view start = trimmed(body.substr(0, 256));
  const std::string tag = lower(start.substr(0, 9));
  return tag == "<!doctype" || tag.starts_with("<html") || tag.starts_with("<head") || tag.starts_with("<body");
}

Kind kind_of_media(std::string_view media, std::string_view body) {
  if (media == "text/html" || media == "application/xhtml+xml") return Kind::page;
  if (media == "text/plain") return Kind::plain;
  return media.empty() && begins_page(body) ? Kind::page : Kind::other_media;
}

void read_arc(const ArchiveRecord& record, Page& page) {
  page.id = made_id(record);
  if (const auto line = parse_arc_line(arc_line_of(record))) {
    page.url = line->url;
    page.date = arc_date(line->date);
    page.media = media_type(line->type);
  }
}

void read_warc(const ArchiveRecord& record, Page& page) {
  page.id = without_brackets(field(record.header, "WARC-Record-ID"));
  page.url = without_brackets(field(record.header, "WARC-Target-URI"));
  page.date = field(record.header, "WARC-Date");
  page.truncated = !field(record.header, "WARC-Truncated").empty();
}

// Whether a block is an answer of HTTP, with its header.
bool is_answer(const ArchiveRecord& record, std::string_view content_type) {
  return record.block.starts_with("HTTP/") || record.block.starts_with("ICY ") || media_type(content_type) == "application/http";
}

void read_answer(const ArchiveRecord& record, std::size_t limit, Page& page, std::string& storage) {
  const HttpAnswer answer = parse_http(record.block);
  page.status = answer.status;
  if (!answer.type.empty() || record.form == ArchiveRecord::Form::warc) page.media = media_type(answer.type);
  page.charset = charset_of(answer.type);
  page.kind = answer.status != 200 && answer.status != 0 ? Kind::other_status : kind_of_media(page.media, answer.body);
  // What is no text needs no decoding; a body without a type must be seen.
  if (page.kind == Kind::other_status || (page.kind == Kind::other_media && !page.media.empty())) return;
  const DecodedBody body = decode_body(answer, limit, storage);
  page.body = body.bytes;
  page.too_long = body.too_long;
  page.truncated = page.truncated || body.cut;
  page.kind = page.body.empty() ? Kind::empty : kind_of_media(page.media, page.body);
}

}  // namespace

std::string_view name_of(Kind kind) {
  static constexpr std::array<std::string_view, kinds> names{"pages",
                                                             "plain texts",
                                                             "conversions",
                                                             "answers with another status than 200",
                                                             "answers of another media type",
                                                             "answers without a body",
                                                             "revisits",
                                                             "requests",
                                                             "metadata",
                                                             "warcinfo",
                                                             "continuations",
                                                             "other types"};
  return names[static_cast<std::size_t>(kind)];
}

std::optional<Kind> kind_of_header(const ArchiveRecord& record) {
  if (record.form == ArchiveRecord::Form::arc) {
    if (record.header.starts_with("filedesc:")) return Kind::warcinfo;
    if (record.header.starts_with("dns:")) return Kind::other_type;
    return std::nullopt;
  }
  const std::string type = lower(field(record.header, "WARC-Type"));
  if (type == "response" || type == "resource" || type == "conversion") return std::nullopt;
  const auto found = std::ranges::find(types, type, [](const auto& named) { return named.first; });
  return found == types.end() ? Kind::other_type : found->second;
}

void read_page(const ArchiveRecord& record, std::size_t limit, Page& page, std::string& storage) {
  page = Page();
  const bool warc = record.form == ArchiveRecord::Form::warc;
  warc ? read_warc(record, page) : read_arc(record, page);
  page.truncated = page.truncated || record.cut;
  if (const auto kind = kind_of_header(record)) {
    page.kind = *kind;
    return;
  }
  const std::string type = warc ? lower(field(record.header, "WARC-Type")) : "response";
  const std::string content_type = warc ? field(record.header, "Content-Type") : "";
  if (type == "response" && is_answer(record, content_type)) return read_answer(record, limit, page, storage);
  if (warc) page.media = media_type(content_type), page.charset = charset_of(content_type);
  page.body = record.block;
  page.too_long = page.body.size() > limit;
  page.kind = page.body.empty() ? Kind::empty : kind_of_media(page.media, page.body);
  if (type == "conversion" && (page.media.empty() || page.kind == Kind::plain)) {
    page.kind = Kind::conversion;
    page.charset = page.charset.empty() ? "utf-8" : page.charset;
  }
}

std::string as_warc(const ArchiveRecord& record) {
  if (record.form == ArchiveRecord::Form::warc && !record.cut) return std::string(record.header).append(record.block).append("\r\n\r\n");
  std::string out;
  if (record.form == ArchiveRecord::Form::warc) {
    // Lines that the cut makes wrong are left out.
    for (std::string_view rest = record.header; !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
      const std::string_view line = rest.substr(0, end);
      rest.remove_prefix(end);
      const std::string_view name = trimmed(line.substr(0, line.find(':')));
      const bool wrong = same_word(name, "Content-Length") || same_word(name, "WARC-Truncated") || same_word(name, "WARC-Block-Digest");
      if (!wrong && !trimmed(line).empty()) out.append(line);
    }
    if (!out.ends_with('\n')) out += "\r\n";
    out += "WARC-Truncated: unspecified\r\n";
  } else {
    Page page;
    read_arc(record, page);
    const bool answer = record.block.starts_with("HTTP/");
    const std::string type = answer ? "application/http; msgtype=response" : page.media;
    out = fmt::format("WARC/1.0\r\nWARC-Type: {}\r\nWARC-Record-ID: <{}>\r\nWARC-Target-URI: {}\r\n", answer ? "response" : "resource",
                      page.id, page.url);
    if (!page.date.empty()) out += fmt::format("WARC-Date: {}\r\n", page.date);
    if (!type.empty()) out += fmt::format("Content-Type: {}\r\n", type);
    if (record.cut) out += "WARC-Truncated: unspecified\r\n";
  }
  return out.append(fmt::format("Content-Length: {}\r\n\r\n", record.block.size())).append(record.block).append("\r\n\r\n");
}

}  // namespace leitong::warc
