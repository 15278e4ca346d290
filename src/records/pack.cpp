#include "records/pack.h"

#define ZLIB_CONST
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <new>

#include "leitong/error.h"

namespace leitong::records {
namespace {

constexpr int zstd_level = 3, gzip_level = 6;
constexpr int gzip_window = 15 + 16;  // zlib writes gzip's header

struct End {
  std::string_view text;
  Compression compression;
};
constexpr std::array<End, 3> ends{{{".gz", Compression::gzip}, {".zst", Compression::zstd}, {".zstd", Compression::zstd}}};

bool ends_like(std::string_view name, std::string_view end) {
  if (name.size() < end.size()) return false;
  return std::ranges::equal(name.substr(name.size() - end.size()), end,
                            [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a | 0x20) : a) == b; });
}

const End* end_of(std::string_view path) {
  const auto* const found = std::ranges::find_if(ends, [&](const End& end) { return ends_like(path, end.text); });
  return found == ends.end() ? nullptr : found;
}

void pack_zstd(std::string_view bytes, std::string& out) {
  const std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  if (!context) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, zstd_level);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  const std::size_t before = out.size();
  out.resize(before + ZSTD_compressBound(bytes.size()));
  const std::size_t size = ZSTD_compress2(context.get(), out.data() + before, out.size() - before, bytes.data(), bytes.size());
  if (ZSTD_isError(size) != 0) throw Error(ErrorCode::io, std::string("zstd cannot pack an output: ") + ZSTD_getErrorName(size));
  out.resize(before + size);
}

class Deflate {
 public:
  Deflate() {
    if (deflateInit2(&stream_, gzip_level, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  }
  ~Deflate() { deflateEnd(&stream_); }
  Deflate(const Deflate&) = delete;
  Deflate& operator=(const Deflate&) = delete;

  void run(std::string_view bytes, std::string& out) {
    constexpr std::size_t most = std::numeric_limits<uInt>::max() / 2;
    for (int done = Z_OK; done != Z_STREAM_END;) {
      if (stream_.avail_in == 0 && !bytes.empty()) {
        const std::size_t part = std::min(bytes.size(), most);
        stream_.next_in = reinterpret_cast<const Bytef*>(bytes.data());
        stream_.avail_in = static_cast<uInt>(part);
        bytes.remove_prefix(part);
      }
      const std::size_t before = out.size(), room = std::max<std::size_t>(stream_.avail_in / 2, 1U << 12);
      out.resize(before + room);
      stream_.next_out = reinterpret_cast<Bytef*>(out.data() + before);
      stream_.avail_out = static_cast<uInt>(room);
      done = deflate(&stream_, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
      out.resize(before + room - stream_.avail_out);
    }
  }

 private:
  z_stream stream_{};
};

}  // namespace

Compression compression_of_name(std::string_view path) {
  const End* end = end_of(path);
  return end == nullptr ? Compression::none : end->compression;
}

std::string_view without_packing(std::string_view path) {
  const End* end = end_of(path);
  return end == nullptr ? path : path.substr(0, path.size() - end->text.size());
}

std::string_view suffix_of(Compression compression) {
  const auto* const found = std::ranges::find(ends, compression, &End::compression);
  return found == ends.end() ? std::string_view() : found->text;
}

void pack(std::string_view bytes, Compression compression, std::string& out) {
  if (compression == Compression::none) {
    out += bytes;
  } else if (compression == Compression::zstd) {
    pack_zstd(bytes, out);
  } else {
    Deflate().run(bytes, out);
  }
}

}  // namespace leitong::records
