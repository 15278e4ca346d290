// Plain bytes to gzip and zstd, and the ends of names that promise these.
#pragma once

#include <string>
#include <string_view>

#include "leitong/output.h"

namespace leitong::records {

// .gz; .zst, .zstd; letter case does not count.
[[nodiscard]] Compression compression_of_name(std::string_view path);
[[nodiscard]] std::string_view without_packing(std::string_view path);  // the name without such an end
[[nodiscard]] std::string_view suffix_of(Compression compression);      // "", ".gz", ".zst"

// Appends `bytes` as one gzip member or zstd frame (with a checksum), which says neither time nor name: equal bytes give equal ones. What
// several calls append is one stream to every reader. About 3 MiB of memory beside the result.
void pack(std::string_view bytes, Compression compression, std::string& out);

}  // namespace leitong::records
