// gzip and zstd streams to plain bytes, within limits.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "records/byte_stream.h"
#include "records/input.h"

namespace leitong::records {

// By the first bytes, not by the name.
[[nodiscard]] Compression detect_compression(std::string_view head);

// Not empty: the name says that the file is packed and its bytes are not. A file of "broken JSON" would be the wrong thing to look for.
[[nodiscard]] std::string contradicts_name(std::string_view path, Compression compression);

// Wraps `packed`. Any number of gzip members or zstd frames, skippable ones included, count as one stream. Faults: broken or cut off data
// (with the offset), a zstd window beyond 128 MiB, and more than 64 MiB unpacked that are more than max_expansion times the packed bytes.
[[nodiscard]] std::unique_ptr<ByteStream> unpack(std::unique_ptr<ByteStream> packed, Compression compression, std::uint64_t max_expansion);

}  // namespace leitong::records
