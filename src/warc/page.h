// A record of an archive → what it holds: an answer with a page or a text to be read, or the reason why not. Pure, any number of threads.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "warc/archive_reader.h"

namespace leitong::warc {

// What a record was taken as, or passed by as. Each record of an archive is exactly one of them.
enum class Kind : std::uint8_t {
  page,          // HTML
  plain,         // text/plain
  conversion,    // text that somebody took out (WET)
  other_status,  // an answer, but not 200
  other_media,   // neither HTML nor text
  empty,         // an answer without a body
  revisit,
  request,
  metadata,
  warcinfo,
  continuation,
  other_type,
  count
};
inline constexpr std::size_t kinds = static_cast<std::size_t>(Kind::count);
[[nodiscard]] std::string_view name_of(Kind kind);
[[nodiscard]] inline bool is_text(Kind kind) { return kind <= Kind::conversion; }

// By the header alone; none: the block must be looked at.
[[nodiscard]] std::optional<Kind> kind_of_header(const ArchiveRecord& record);

struct Page {
  Kind kind = Kind::other_type;
  std::string id;    // WARC-Record-ID without < and >; of ARC a name made of the record
  std::string url;   // without < and >, as some write it
  std::string date;  // WARC-Date
  std::string media;
  std::string charset;    // that the answer's header declares; empty: none. Of a conversion UTF-8
  std::string_view body;  // into the record's block or `storage`
  int status = 0;
  bool truncated = false;  // WARC-Truncated, or the record or its body breaks off
  bool too_long = false;   // the decoded body is beyond the limit
};
void read_page(const ArchiveRecord& record, std::size_t limit, Page& page, std::string& storage);

// The record as a whole WARC record, the two line ends behind it too. One that is whole is given byte for byte; of one that is cut the
// length is made right, and it says that it is truncated; one of ARC gets a header.
[[nodiscard]] std::string as_warc(const ArchiveRecord& record);

}  // namespace leitong::warc
