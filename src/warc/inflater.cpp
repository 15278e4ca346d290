#include "warc/inflater.h"

#define ZLIB_CONST
#include <brotli/decode.h>
#include <libdeflate.h>
#include <lz4frame.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <limits>
#include <new>

namespace leitong::warc {
namespace {

constexpr int window_log_max = 27;  // 128 MiB
constexpr std::size_t most_at_once = std::size_t{1} << 30;

class ZlibInflater final : public Inflater {
 public:
  explicit ZlibInflater(int window_bits) {
    if (inflateInit2(&z_, window_bits) != Z_OK) throw std::bad_alloc();
  }
  ~ZlibInflater() override { inflateEnd(&z_); }
  ZlibInflater(const ZlibInflater&) = delete;
  ZlibInflater& operator=(const ZlibInflater&) = delete;

  Step step(std::string_view in, char* out, std::size_t size) override {
    z_.next_in = reinterpret_cast<const Bytef*>(in.data());
    z_.avail_in = static_cast<uInt>(std::min(in.size(), most_at_once));
    z_.next_out = reinterpret_cast<Bytef*>(out);
    z_.avail_out = static_cast<uInt>(std::min(size, most_at_once));
    const int code = inflate(&z_, Z_NO_FLUSH);
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    Step done;
    done.taken = static_cast<std::size_t>(reinterpret_cast<const char*>(z_.next_in) - in.data());
    done.made = static_cast<std::size_t>(reinterpret_cast<char*>(z_.next_out) - out);
    if (code == Z_STREAM_END) done.state = State::done;
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
      done.state = State::broken;
      fault_ = z_.msg != nullptr ? z_.msg : "not deflate data";
    }
    return done;
  }
  void reset() override { inflateReset(&z_); }

 private:
  z_stream z_{};
};

class ZstdInflater final : public Inflater {
 public:
  explicit ZstdInflater(std::string_view dictionary) : context_(ZSTD_createDCtx()) {
    if (context_ == nullptr) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(context_, ZSTD_d_windowLogMax, window_log_max);
    if (!dictionary.empty()) ZSTD_DCtx_loadDictionary(context_, dictionary.data(), dictionary.size());
  }
  ~ZstdInflater() override { ZSTD_freeDCtx(context_); }
  ZstdInflater(const ZstdInflater&) = delete;
  ZstdInflater& operator=(const ZstdInflater&) = delete;

  Step step(std::string_view in, char* out, std::size_t size) override {
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out, size, 0};
    const std::size_t code = ZSTD_decompressStream(context_, &to, &from);
    Step done{from.pos, to.pos, code == 0 ? State::done : State::more};
    if (ZSTD_isError(code) != 0) {
      if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation) throw std::bad_alloc();
      done.state = State::broken;
      fault_ = ZSTD_getErrorName(code);
    }
    return done;
  }
  void reset() override { ZSTD_DCtx_reset(context_, ZSTD_reset_session_only); }

 private:
  ZSTD_DCtx* context_;
};

class Lz4Inflater final : public Inflater {
 public:
  Lz4Inflater() {
    if (LZ4F_isError(LZ4F_createDecompressionContext(&context_, LZ4F_VERSION)) != 0) throw std::bad_alloc();
  }
  ~Lz4Inflater() override { LZ4F_freeDecompressionContext(context_); }
  Lz4Inflater(const Lz4Inflater&) = delete;
  Lz4Inflater& operator=(const Lz4Inflater&) = delete;

  Step step(std::string_view in, char* out, std::size_t size) override {
    std::size_t taken = in.size(), made = size;
    const std::size_t code = LZ4F_decompress(context_, out, &made, in.data(), &taken, nullptr);
    if (LZ4F_isError(code) != 0) {
      fault_ = LZ4F_getErrorName(code);
      return {0, 0, State::broken};
    }
    return {taken, made, code == 0 ? State::done : State::more};
  }
  void reset() override { LZ4F_resetDecompressionContext(context_); }

 private:
  LZ4F_dctx* context_ = nullptr;
};

class BrotliInflater final : public Inflater {
 public:
  BrotliInflater() { make(); }
  ~BrotliInflater() override { BrotliDecoderDestroyInstance(state_); }
  BrotliInflater(const BrotliInflater&) = delete;
  BrotliInflater& operator=(const BrotliInflater&) = delete;

  Step step(std::string_view in, char* out, std::size_t size) override {
    std::size_t left = in.size(), room = size;
    const auto* from = reinterpret_cast<const std::uint8_t*>(in.data());
    auto* to = reinterpret_cast<std::uint8_t*>(out);
    const BrotliDecoderResult code = BrotliDecoderDecompressStream(state_, &left, &from, &room, &to, nullptr);
    Step done{in.size() - left, size - room, code == BROTLI_DECODER_RESULT_SUCCESS ? State::done : State::more};
    if (code == BROTLI_DECODER_RESULT_ERROR) {
      done.state = State::broken;
      fault_ = BrotliDecoderErrorString(BrotliDecoderGetErrorCode(state_));
    }
    return done;
  }
  void reset() override {
    BrotliDecoderDestroyInstance(state_);
    make();
  }

 private:
  void make() {
    state_ = BrotliDecoderCreateInstance(nullptr, nullptr, nullptr);
    if (state_ == nullptr) throw std::bad_alloc();
  }

  BrotliDecoderState* state_ = nullptr;
};

// The decompressor as it is passed around: its type is the library's.
libdeflate_decompressor* of(void* decompressor) { return static_cast<libdeflate_decompressor*>(decompressor); }

}  // namespace

std::unique_ptr<Inflater> make_inflater(Coding coding, std::string_view dictionary) {
  switch (coding) {
    case Coding::gzip:
      return std::make_unique<ZlibInflater>(15 + 16);
    case Coding::zlib:
      return std::make_unique<ZlibInflater>(15);
    case Coding::deflate:
      return std::make_unique<ZlibInflater>(-15);
    case Coding::zstd:
      return std::make_unique<ZstdInflater>(dictionary);
    case Coding::lz4:
      return std::make_unique<Lz4Inflater>();
    case Coding::brotli:
      break;
  }
  return std::make_unique<BrotliInflater>();
}

WholeGzip::WholeGzip() : decompressor_(libdeflate_alloc_decompressor()) {
  if (decompressor_ == nullptr) throw std::bad_alloc();
}

WholeGzip::~WholeGzip() { libdeflate_free_decompressor(of(decompressor_)); }

WholeGzip::Result WholeGzip::operator()(std::string_view in, char* out, std::size_t size, std::size_t& taken, std::size_t& made) {
  const libdeflate_result code = libdeflate_gzip_decompress_ex(of(decompressor_), in.data(), in.size(), out, size, &taken, &made);
  if (code == LIBDEFLATE_SUCCESS) return Result::done;
  return code == LIBDEFLATE_INSUFFICIENT_SPACE ? Result::too_small : Result::other;
}

Unpacked unpack_all(std::string_view in, Coding coding, std::size_t limit, std::string& out) {
  constexpr std::size_t least = 4096;
  out.clear();
  const std::unique_ptr<Inflater> inflater = make_inflater(coding);
  bool between = false;
  while (true) {
    if (between && in.empty()) return {true, false};
    const std::size_t held = out.size();
    if (held > limit) return {false, true};
    out.resize(std::max({held + least, 2 * held, std::min(4 * in.size(), limit)}));
    const Inflater::Step step = inflater->step(in, out.data() + held, out.size() - held);
    out.resize(held + step.made);
    in.remove_prefix(step.taken);
    if (step.state == Inflater::State::broken) return {between, false};  // behind a whole member: what else stands there
    between = step.state == Inflater::State::done;
    // Only of gzip and zstd several may follow each other.
    if (between && coding != Coding::gzip && coding != Coding::zstd) return {true, out.size() > limit};
    if (between) inflater->reset();
    if (!between && step.taken == 0 && step.made == 0) return {false, false};
  }
}

}  // namespace leitong::warc
