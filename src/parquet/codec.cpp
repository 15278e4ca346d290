#include "parquet/codec.h"

#include <fmt/format.h>
#include <lz4.h>
#include <lz4frame.h>
#include <snappy.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>

#include "leitong/error.h"

namespace leitong::parquet {
namespace {

constexpr std::string_view names[] = {"uncompressed", "snappy", "gzip", "lzo", "brotli", "lz4 (deprecated)", "zstd", "lz4_raw"};

[[noreturn]] void broken(std::string_view codec, std::string_view why) {
  throw Error(ErrorCode::format, fmt::format("broken {} data: {}", codec, why));
}

// As many members as there are: some writers split what they pack.
void unpack_gzip(std::string_view packed, char* out, std::size_t size) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 32) != Z_OK) throw Error(ErrorCode::limit, "there is no memory to unpack gzip data");
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> owner(&stream, inflateEnd);
  char nothing = 0;  // a page may be empty, but zlib wants a place
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(size == 0 ? &nothing : out);
  stream.avail_out = static_cast<uInt>(size);
  for (;;) {
    const int result = inflate(&stream, Z_FINISH);
    if (result != Z_STREAM_END)
      broken("gzip", stream.avail_out == 0 ? "there is more than the page should have" : "it is damaged or cut off");
    if (stream.avail_in == 0) break;
    if (inflateReset(&stream) != Z_OK) broken("gzip", "it is damaged");
  }
  if (stream.avail_out != 0) broken("gzip", "there is less than the page should have");
}

void unpack_snappy(std::string_view packed, char* out, std::size_t size) {
  std::size_t told = 0;
  if (!snappy::GetUncompressedLength(packed.data(), packed.size(), &told) || told != size)
    broken("snappy", "its size is not that of the page");
  if (!snappy::RawUncompress(packed.data(), packed.size(), out)) broken("snappy", "it is damaged or cut off");
}

void unpack_lz4_block(std::string_view packed, char* out, std::size_t size) {
  const int got = LZ4_decompress_safe(packed.data(), out, static_cast<int>(packed.size()), static_cast<int>(size));
  if (got < 0 || static_cast<std::size_t>(got) != size) broken("lz4_raw", "it is damaged or not of the page's size");
}

}  // namespace

std::string codec_name(std::int32_t codec) {
  if (codec < 0 || codec >= static_cast<std::int32_t>(std::size(names))) return fmt::format("number {}", codec);
  return std::string(names[codec]);
}

bool can_unpack(std::int32_t codec) { return codec >= 0 && codec <= 7 && codec != 3 && codec != 4 && codec != 5; }

struct Unpacker::Impl {
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> zstd{nullptr, ZSTD_freeDCtx};
};

Unpacker::Unpacker() : impl_(std::make_unique<Impl>()) {}
Unpacker::~Unpacker() = default;

void Unpacker::unpack(Codec codec, std::string_view packed, char* out, std::size_t size) {
  if (packed.size() > std::numeric_limits<int>::max() || size > std::numeric_limits<int>::max())
    broken(codec_name(static_cast<int>(codec)), "it is too large");
  switch (codec) {
    case Codec::none:
      if (packed.size() != size) broken("uncompressed", "its two sizes differ");
      std::copy(packed.begin(), packed.end(), out);
      return;
    case Codec::snappy:
      return unpack_snappy(packed, out, size);
    case Codec::gzip:
      return unpack_gzip(packed, out, size);
    case Codec::lz4_raw:
      return unpack_lz4_block(packed, out, size);
    case Codec::zstd: {
      if (!impl_->zstd) impl_->zstd.reset(ZSTD_createDCtx());
      const std::size_t got = ZSTD_decompressDCtx(impl_->zstd.get(), out, size, packed.data(), packed.size());
      if (ZSTD_isError(got) != 0) broken("zstd", ZSTD_getErrorName(got));
      if (got != size) broken("zstd", "there is less than the page should have");
      return;
    }
    default:
      throw Error(ErrorCode::unsupported, fmt::format("compressed with {}, which is not read here", codec_name(static_cast<int>(codec))));
  }
}

void Unpacker::unpack_lz4_frame(std::string_view packed, char* out, std::size_t size) {
  LZ4F_dctx* made = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&made, LZ4F_VERSION)) != 0) throw Error(ErrorCode::limit, "there is no memory for lz4");
  const std::unique_ptr<LZ4F_dctx, decltype(&LZ4F_freeDecompressionContext)> context(made, LZ4F_freeDecompressionContext);
  std::size_t begin = 0, filled = 0;
  for (;;) {
    std::size_t taken = packed.size() - begin, given = size - filled;
    const std::size_t hint = LZ4F_decompress(context.get(), out + filled, &given, packed.data() + begin, &taken, nullptr);
    if (LZ4F_isError(hint) != 0) broken("lz4", LZ4F_getErrorName(hint));
    begin += taken;
    filled += given;
    if (hint == 0 && begin == packed.size()) break;
    if (taken == 0 && given == 0) broken("lz4", "it is cut off, or larger than it should be");
  }
  if (filled != size) broken("lz4", "there is less than there should be");
}

struct Packer::Impl {
  Codec codec;
  int level;
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> zstd{nullptr, ZSTD_freeCCtx};

  void gzip(std::string_view bytes, std::string& out) const {
    z_stream stream{};
    if (deflateInit2(&stream, std::clamp(level, 1, 9), Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw Error(ErrorCode::limit, "there is no memory to pack gzip data");
    }
    const std::unique_ptr<z_stream, decltype(&deflateEnd)> owner(&stream, deflateEnd);
    out.resize(deflateBound(&stream, bytes.size()));
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END) throw Error(ErrorCode::limit, "a page could not be packed with gzip");
    out.resize(stream.total_out);
  }
};

Packer::Packer(Codec codec, int level) : impl_(std::make_unique<Impl>()) {
  impl_->codec = codec;
  impl_->level = level;
  if (codec == Codec::zstd) impl_->zstd.reset(ZSTD_createCCtx());
  if (!can_unpack(static_cast<std::int32_t>(codec))) {
    throw Error(ErrorCode::usage, fmt::format("pages cannot be packed with {}: take none, snappy, gzip, zstd or lz4_raw",
                                              codec_name(static_cast<std::int32_t>(codec))));
  }
}
Packer::~Packer() = default;

void Packer::pack(std::string_view bytes, std::string& out) {
  switch (impl_->codec) {
    case Codec::snappy:
      snappy::Compress(bytes.data(), bytes.size(), &out);
      return;
    case Codec::gzip:
      return impl_->gzip(bytes, out);
    case Codec::lz4_raw: {
      out.resize(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(bytes.size()))));
      out.resize(static_cast<std::size_t>(
          LZ4_compress_default(bytes.data(), out.data(), static_cast<int>(bytes.size()), static_cast<int>(out.size()))));
      return;
    }
    case Codec::zstd: {
      out.resize(ZSTD_compressBound(bytes.size()));
      const std::size_t size = ZSTD_compressCCtx(impl_->zstd.get(), out.data(), out.size(), bytes.data(), bytes.size(), impl_->level);
      if (ZSTD_isError(size) != 0) throw Error(ErrorCode::limit, fmt::format("a page could not be packed: {}", ZSTD_getErrorName(size)));
      out.resize(size);
      return;
    }
    default:
      out = bytes;
  }
}

}  // namespace leitong::parquet
