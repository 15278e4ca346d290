// For tests: packed files, and the whole of an input read.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "leitong/error.h"
#include "records/input.h"
#include "support/temporary_directory.h"

namespace leitong::records {

inline std::string gzip(std::string_view bytes) {
  z_stream z{};
  deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&z, bytes.size()) + 64, '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  z.avail_in = static_cast<uInt>(bytes.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&z, Z_FINISH), Z_STREAM_END);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

inline std::string zstd(std::string_view bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 1);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  const std::size_t size = ZSTD_compress2(context, out.data(), out.size(), bytes.data(), bytes.size());
  ZSTD_freeCCtx(context);
  EXPECT_EQ(ZSTD_isError(size), 0U);
  out.resize(size);
  return out;
}

// A record or a reject with everything copied out of its chunk.
struct Seen {
  bool good = false;
  std::uint64_t record = 0;  // in the whole input
  std::uint32_t source = 0;
  std::uint64_t offset = 0, length = 0, line = 0;  // line: 0-based in the source
  std::string raw, id, text, reason;
  std::vector<std::string> fields;
  bool operator==(const Seen&) const = default;
};

struct ReadAll {
  std::vector<Seen> all;
  std::vector<Source> sources;
  std::uint64_t chunks = 0, packed = 0, largest_chunk = 0;

  [[nodiscard]] std::vector<std::string> texts() const {
    std::vector<std::string> out;
    for (const Seen& seen : all) {
      if (seen.good) out.push_back(seen.text);
    }
    return out;
  }
  [[nodiscard]] std::vector<std::string> ids() const {
    std::vector<std::string> out;
    for (const Seen& seen : all) {
      if (seen.good) out.push_back(seen.id);
    }
    return out;
  }
  [[nodiscard]] std::vector<std::string> reasons() const {
    std::vector<std::string> out;
    for (const Seen& seen : all) {
      if (!seen.good) out.push_back(seen.reason);
    }
    return out;
  }
};

// Adds what a chunk holds to `out`, in the order of index.
inline void collect(const Chunk& chunk, const Parsed& parsed, std::vector<std::uint64_t>& lines, std::vector<Seen>& out) {
  const std::size_t base = out.size();
  out.resize(base + parsed.count);
  const auto at = [&](std::uint32_t source) {
    if (lines.size() <= source) lines.resize(source + 1);
    return lines[source];
  };
  for (const Record& r : parsed.records) {
    out[base + r.index] = {true,
                           base + r.index,
                           r.source,
                           r.offset,
                           r.length,
                           at(r.source) + r.line,
                           std::string(r.raw),
                           std::string(r.id),
                           std::string(r.text),
                           {},
                           {}};
    for (const std::string_view field : r.fields) out[base + r.index].fields.emplace_back(field);
  }
  for (const Reject& r : parsed.rejects) {
    out[base + r.index] = {false, base + r.index, r.source, r.offset, 0, at(r.source) + r.line, {}, {}, {}, r.reason, {}};
  }
  EXPECT_EQ(parsed.records.size() + parsed.rejects.size(), parsed.count);
  EXPECT_EQ(parsed.lines.size(), chunk.pieces.size());
  for (std::size_t i = 0; i < chunk.pieces.size(); ++i) {
    at(chunk.pieces[i].source);
    lines[chunk.pieces[i].source] += parsed.lines[i];
  }
}

inline ReadAll read_all(const InputOptions& options, std::size_t chunk_bytes = std::size_t{1} << 20, const std::string& spool = {}) {
  ReadAll result;
  Input input(options, spool, nullptr, chunk_bytes);
  Chunk chunk;
  Parsed parsed;
  std::vector<std::uint64_t> lines;
  while (input.next(chunk)) {
    EXPECT_EQ(chunk.sequence, result.chunks);
    ++result.chunks;
    result.packed += chunk.packed_bytes;
    result.largest_chunk = std::max<std::uint64_t>(result.largest_chunk, chunk.bytes.size());
    input.parse(chunk, parsed);
    collect(chunk, parsed, lines, result.all);
  }
  result.sources = input.sources();
  return result;
}

// The message of what reading throws; empty: nothing.
inline std::string refusal(const InputOptions& options) {
  try {
    static_cast<void>(read_all(options));
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

// Compares strings; a wanted one that starts with '~' only has to be contained.
inline testing::AssertionResult are(const std::vector<std::string>& got, const std::vector<std::string>& wanted) {
  bool same = got.size() == wanted.size();
  for (std::size_t i = 0; same && i < got.size(); ++i) {
    same = wanted[i].starts_with('~') ? got[i].find(wanted[i].substr(1)) != std::string::npos : got[i] == wanted[i];
  }
  return same ? testing::AssertionSuccess()
              : testing::AssertionFailure() << testing::PrintToString(got) << " is not " << testing::PrintToString(wanted);
}

inline InputOptions options_for(const std::string& path, const std::string& format = "auto") {
  InputOptions options;
  options.paths = {path};
  options.format = format;
  return options;
}

}  // namespace leitong::records
