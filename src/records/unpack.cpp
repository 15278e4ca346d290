#include "records/unpack.h"

#define ZLIB_CONST
#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <new>

#include "records/pack.h"

namespace leitong::records {
namespace {

constexpr std::size_t packed_buffer = std::size_t{1} << 17;
constexpr std::uint64_t free_expansion = 64ULL << 20;
constexpr int window_log_max = 27;

bool is_gzip(std::string_view head) { return head.size() >= 3 && head.substr(0, 3) == "\x1f\x8b\x08"; }

bool is_zstd(std::string_view head) {
  if (head.size() < 4) return false;
  if (head.substr(0, 4) == "\x28\xb5\x2f\xfd") return true;
  return (head[0] & 0xF0) == 0x50 && head.substr(1, 3) == "\x2a\x4d\x18";  // a skippable frame
}

// What both formats share: the packed buffer, the positions and the limit on expansion.
class Unpacked : public ByteStream {
 public:
  Unpacked(std::unique_ptr<ByteStream> packed, std::uint64_t max_expansion)
      : packed_(std::move(packed)), max_expansion_(max_expansion), buffer_(packed_buffer) {}
  [[nodiscard]] std::uint64_t packed() const override { return fed_ - (end_ - begin_); }

  std::size_t read(char* out, std::size_t size) override {
    std::size_t done = 0;
    while (done < size && !ended_ && fault_.empty()) {
      const std::size_t got = step(out + done, std::min(size - done, free_expansion / 16));
      done += got;
      unpacked_ += got;
      if (unpacked_ > free_expansion && unpacked_ / max_expansion_ > packed()) {
        fail(fmt::format("unpacks to more than {} times its size (limit --max-expansion {})", max_expansion_, max_expansion_));
      }
    }
    return done;
  }

 protected:
  // Unpacks some bytes; 0 is not the end. Sets ended_ or fault_ at the end.
  virtual std::size_t step(char* out, std::size_t size) = 0;

  bool refill() {
    if (begin_ < end_) return true;
    begin_ = 0;
    end_ = packed_->read(buffer_.data(), buffer_.size());
    fed_ += end_;
    return end_ != 0;
  }
  void fail(std::string_view what) { fault_ = fmt::format("{}, after {} unpacked bytes", what, unpacked_); }
  void cut_off(std::string_view kind) {
    fail(packed_->fault().empty() ? fmt::format("{} data ends too early (file cut off?) at packed byte {}", kind, packed())
                                  : packed_->fault());
  }
  void broken(std::string_view kind, std::string_view detail) {
    fail(fmt::format("broken {} data near packed byte {}: {}", kind, packed(), detail));
  }
  [[nodiscard]] std::string_view pending() const { return {buffer_.data() + begin_, end_ - begin_}; }

  bool ended_ = false;
  std::size_t begin_ = 0, end_ = 0;

 private:
  std::unique_ptr<ByteStream> packed_;
  std::uint64_t max_expansion_;
  std::vector<char> buffer_;
  std::uint64_t fed_ = 0;
  std::uint64_t unpacked_ = 0;
};

class GzipStream final : public Unpacked {
 public:
  GzipStream(std::unique_ptr<ByteStream> packed, std::uint64_t max_expansion) : Unpacked(std::move(packed), max_expansion) {
    if (inflateInit2(&z_, 15 + 16) != Z_OK) throw std::bad_alloc();
  }
  ~GzipStream() override { inflateEnd(&z_); }
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;

 protected:
  std::size_t step(char* out, std::size_t size) override {
    if (!refill()) {
      between_ ? finish() : cut_off("gzip");
      return 0;
    }
    if (between_ && !next_member()) return 0;
    z_.next_in = reinterpret_cast<const Bytef*>(pending().data());
    z_.avail_in = static_cast<uInt>(pending().size());
    z_.next_out = reinterpret_cast<Bytef*>(out);
    z_.avail_out = static_cast<uInt>(size);
    const int code = inflate(&z_, Z_NO_FLUSH);
    begin_ = end_ - z_.avail_in;
    if (code == Z_STREAM_END) {
      between_ = true;
      inflateReset(&z_);
    } else if (code == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
      broken("gzip", z_.msg != nullptr ? z_.msg : "not deflate data");
    }
    return size - z_.avail_out;
  }

 private:
  void finish() { ended_ = true; }

  // After a member: another one, or the zeros that tapes and block devices leave behind, which gzip itself ignores too.
  bool next_member() {
    while (begin_ < end_ && pending().front() == '\0') {
      ++begin_;
      zeros_ = true;
    }
    if (begin_ == end_) return false;
    if (zeros_ || pending().front() != '\x1f') {
      broken("gzip", "other bytes follow the compressed data");
      return false;
    }
    between_ = false;
    return true;
  }

  z_stream z_{};
  bool between_ = false;
  bool zeros_ = false;
};

class ZstdStream final : public Unpacked {
 public:
  ZstdStream(std::unique_ptr<ByteStream> packed, std::uint64_t max_expansion)
      : Unpacked(std::move(packed), max_expansion), context_(ZSTD_createDCtx()) {
    if (context_ == nullptr) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(context_, ZSTD_d_windowLogMax, window_log_max);
  }
  ~ZstdStream() override { ZSTD_freeDCtx(context_); }
  ZstdStream(const ZstdStream&) = delete;
  ZstdStream& operator=(const ZstdStream&) = delete;

 protected:
  std::size_t step(char* out, std::size_t size) override {
    const bool flushing = full_;  // the decoder may still hold bytes although it has eaten all input
    if (!flushing && !refill()) {
      between_ ? static_cast<void>(ended_ = true) : cut_off("zstd");
      return 0;
    }
    ZSTD_inBuffer in{pending().data(), pending().size(), 0};
    ZSTD_outBuffer unpacked{out, size, 0};
    const std::size_t code = ZSTD_decompressStream(context_, &unpacked, &in);
    begin_ += in.pos;
    if (ZSTD_isError(code) != 0) {
      report(code);
      return unpacked.pos;
    }
    between_ = code == 0;
    full_ = !between_ && unpacked.pos == size;
    return unpacked.pos;
  }

 private:
  void report(std::size_t code) {
    const ZSTD_ErrorCode error = ZSTD_getErrorCode(code);
    if (error == ZSTD_error_memory_allocation) throw std::bad_alloc();
    if (error == ZSTD_error_frameParameter_windowTooLarge) {
      fail("zstd data needs a window beyond the limit of 128 MiB; repack it without --long or --ultra (zstd -d --long=31, then zstd)");
    } else {
      broken("zstd", ZSTD_getErrorName(code));
    }
  }

  ZSTD_DCtx* context_;
  bool between_ = false;
  bool full_ = false;
};

}  // namespace

Compression detect_compression(std::string_view head) {
  if (is_gzip(head)) return Compression::gzip;
  if (is_zstd(head)) return Compression::zstd;
  return Compression::none;
}

std::string contradicts_name(std::string_view path, Compression compression) {
  if (compression != Compression::none) return {};
  const Compression named = compression_of_name(path);
  if (named == Compression::none) return {};
  const char* kind = named == Compression::gzip ? "gzip" : "zstd";
  return fmt::format("not valid {} data, although its name says so; if it is not packed, rename it", kind);
}

std::unique_ptr<ByteStream> unpack(std::unique_ptr<ByteStream> packed, Compression compression, std::uint64_t max_expansion) {
  const std::uint64_t limit = std::max<std::uint64_t>(max_expansion, 1);
  if (compression == Compression::gzip) return std::make_unique<GzipStream>(std::move(packed), limit);
  if (compression == Compression::zstd) return std::make_unique<ZstdStream>(std::move(packed), limit);
  return packed;
}

}  // namespace leitong::records
