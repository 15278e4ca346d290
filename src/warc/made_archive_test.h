// Archives made for tests: records, members, and what a reader finds in them.
#pragma once

#include <lz4frame.h>
#include <zdict.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warc/archive_reader.h"
#include "warc/page.h"

namespace leitong::warc {

inline std::string gzip_member(std::string_view bytes, int window_bits = 15 + 16) {
  z_stream z{};
  deflateInit2(&z, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&z, bytes.size()) + 32, '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  z.avail_in = static_cast<uInt>(bytes.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  deflate(&z, Z_FINISH);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

inline std::string zstd_frame(std::string_view bytes, std::string_view dictionary = {}) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  if (!dictionary.empty()) ZSTD_CCtx_loadDictionary(context, dictionary.data(), dictionary.size());
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress2(context, out.data(), out.size(), bytes.data(), bytes.size()));
  ZSTD_freeCCtx(context);
  return out;
}

inline std::string lz4_frame(std::string_view bytes) {
  std::string out(LZ4F_compressFrameBound(bytes.size(), nullptr), '\0');
  out.resize(LZ4F_compressFrame(out.data(), out.size(), bytes.data(), bytes.size(), nullptr));
  return out;
}

// A skippable frame with this magic.
inline std::string skippable_frame(std::string_view content, std::uint32_t magic = 0x184D2A5D) {
  std::string out(8, '\0');
  const auto size = static_cast<std::uint32_t>(content.size());
  std::memcpy(out.data(), &magic, 4);
  std::memcpy(out.data() + 4, &size, 4);
  return out.append(content);
}

inline std::string warc_record(std::string_view type, std::string_view name, std::string_view block, std::string_view more = {},
                               std::string_view version = "WARC/1.0") {
  return std::string(version)
      .append("\r\nWARC-Type: ")
      .append(type)
      .append("\r\nWARC-Record-ID: <urn:uuid:")
      .append(name)
      .append(">\r\nWARC-Target-URI: http://example.com/")
      .append(name)
      .append("\r\nWARC-Date: 2024-05-06T07:08:09Z\r\n")
      .append(more)
      .append("Content-Length: ")
      .append(std::to_string(block.size()))
      .append("\r\n\r\n")
      .append(block)
      .append("\r\n\r\n");
}

inline std::string http_block(std::string_view body, std::string_view header = "Content-Type: text/html\r\n") {
  return std::string("HTTP/1.1 200 OK\r\n").append(header).append("\r\n").append(body);
}

inline std::string response(std::string_view name, std::string_view body, std::string_view header = "Content-Type: text/html\r\n") {
  return warc_record("response", name, http_block(body, header), "Content-Type: application/http; msgtype=response\r\n");
}

inline ReadBytes reader_of(std::string_view bytes) {
  return [bytes, at = std::size_t{0}](char* out, std::size_t size) mutable {
    const std::size_t part = std::min(size, bytes.size() - at);
    std::memcpy(out, bytes.data() + at, part);
    at += part;
    return part;
  };
}

// All that a reader finds: each record's header and block together, each damage as "! reason".
struct FoundRecords {
  std::vector<std::string> records;
  std::vector<bool> cut;
  std::vector<Place> places;
  std::vector<std::string> damage;
  std::size_t too_long = 0;
  bool last = false;  // the last damage said that nothing follows
};

inline FoundRecords read_archive(std::string_view bytes, const ArchiveLimits& limits = {}, ReadBytes read = {}) {
  ArchiveReader reader(read ? std::move(read) : reader_of(bytes), 0, limits);
  FoundRecords all;
  while (true) {
    const ArchiveReader::Finding found = reader.next();
    if (found.found == ArchiveReader::Found::end) return all;
    if (found.found == ArchiveReader::Found::record) {
      all.records.push_back(std::string(found.record.header).append(found.record.block));
      all.cut.push_back(found.record.cut);
      all.places.push_back(found.record.place);
    }
    if (found.found == ArchiveReader::Found::too_long) ++all.too_long;
    if (found.found != ArchiveReader::Found::damage) continue;
    all.damage.push_back(found.reason);
    all.last = found.last;
  }
}

}  // namespace leitong::warc
