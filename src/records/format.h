// Which format a source is in.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "records/input.h"

namespace leitong::records {

// InputOptions::format; none for "auto". Throws Error(usage) for an unknown name.
[[nodiscard]] std::optional<Format> parse_format(const std::string& name);
[[nodiscard]] std::string_view name_of(Format format);
// By the end of the name (.gz, .zst and .zstd do not count); none: it says nothing.
[[nodiscard]] std::optional<Format> format_of_name(std::string_view path);
// "auto": by the name (.gz, .zst and .zstd at its end do not count), else by the first bytes, else lines for a stream (standard input,
// a pipe) and text for a file.
[[nodiscard]] Format detect_format(std::string_view path, bool stream, std::string_view head);
// Not empty: the source is an archive or a file of another program that is not read, and what to do with it. By its first bytes and, if
// `automatic` (the format is to be detected), by its name.
[[nodiscard]] std::string foreign_format(std::string_view path, std::string_view head, bool automatic);
inline constexpr std::size_t foreign_head = 264;  // bytes that tell
// Not empty: why a source that begins with these bytes cannot be read at all. `automatic`: the format was detected; `found`: in a
// directory.
[[nodiscard]] std::string refuse(Format format, std::string_view head, bool automatic, bool found);
[[nodiscard]] inline bool is_whole_file(Format format) { return format == Format::text || format == Format::html; }
[[nodiscard]] inline bool is_table(Format format) { return format == Format::csv || format == Format::tsv; }
// Rows and columns (columns.h) rather than bytes.
[[nodiscard]] inline bool is_columnar(Format format) {
  return format == Format::parquet || format == Format::arrow || format == Format::memory;
}
// By the first bytes, unpacked ones.
[[nodiscard]] bool begins_archive(std::string_view head);
[[nodiscard]] inline char delimiter_of(Format format) { return format == Format::tsv ? '\t' : ','; }

}  // namespace leitong::records
