#include "server/coding.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <array>
#include <charconv>
#include <new>

#include "server/http.h"
#include "server/problem.h"

namespace leitong::server {
namespace {

constexpr int gzip_window = 15 + 16, longest_zstd_window = 23;
constexpr std::uint64_t free_expansion = 4ULL << 20, most_expansion = 200;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Calls use(name, quality) for each member of an Accept-Encoding.
template <class Use>
void each_accepted(std::string_view list, const Use& use) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view one = list.substr(0, comma);
    list.remove_prefix(std::min(comma + 1, list.size()));
    const std::size_t semicolon = std::min(one.find(';'), one.size());
    const std::string_view weight = semicolon < one.size() ? trimmed(one.substr(semicolon + 1)) : std::string_view();
    double quality = 1;
    if (weight.starts_with("q=")) std::from_chars(weight.data() + 2, weight.data() + weight.size(), quality);
    use(trimmed(one.substr(0, semicolon)), quality);
  }
}

[[noreturn]] void broken(Coding coding, std::string_view why) {
  throw Problem(422, "encoding", fmt::format("the body says Content-Encoding: {}, but {}", name_of(coding), why));
}

}  // namespace

Coding coding_of(std::string_view content_encoding) {
  const std::string_view name = trimmed(content_encoding);
  if (name.empty() || is_same_name(name, "identity")) return Coding::identity;
  if (is_same_name(name, "gzip") || is_same_name(name, "x-gzip")) return Coding::gzip;
  if (is_same_name(name, "zstd")) return Coding::zstd;
  throw Problem(415, "encoding", "Content-Encoding may be gzip or zstd, one of them, or be left out");
}

Coding accepted_coding(std::string_view accept_encoding) {
  Coding best = Coding::identity;
  double most = 0;
  each_accepted(accept_encoding, [&](std::string_view name, double quality) {
    const Coding coding = is_same_name(name, "zstd") ? Coding::zstd : is_same_name(name, "gzip") ? Coding::gzip : Coding::identity;
    if (coding == Coding::identity || quality <= 0 || quality < most || (quality == most && best == Coding::zstd)) return;
    best = coding;
    most = quality;
  });
  return best;
}

std::string_view name_of(Coding coding) {
  constexpr std::array<std::string_view, 3> names{"identity", "gzip", "zstd"};
  return names[static_cast<std::size_t>(coding)];
}

struct Unpacker::Impl {
  Impl(Coding c, std::uint64_t m) : coding(c), most(m) {
    if (coding == Coding::gzip && ::inflateInit2(&gzip, gzip_window) != Z_OK) throw std::bad_alloc();
    if (coding == Coding::zstd) {
      zstd = ::ZSTD_createDCtx();
      if (zstd == nullptr) throw std::bad_alloc();
      ::ZSTD_DCtx_setParameter(zstd, ZSTD_d_windowLogMax, longest_zstd_window);
    }
  }
  ~Impl() {
    if (coding == Coding::gzip) ::inflateEnd(&gzip);
    ::ZSTD_freeDCtx(zstd);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void made(std::size_t bytes) {
    given += bytes;
    if (given > most) throw over_limit("body", most, fmt::format("the body has more than {} bytes when it is unpacked", most));
    if (given > free_expansion && given > taken * most_expansion)
      throw over_limit("expansion", most_expansion, fmt::format("the body grows to more than {} times its size", most_expansion));
  }
  void inflate(std::string_view bytes, std::string& out) {
    gzip.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    gzip.avail_in = static_cast<uInt>(bytes.size());
    while (gzip.avail_in > 0 || gzip.avail_out == 0) {
      if (between) {  // another member follows
        if (gzip.avail_in == 0) return;
        ::inflateReset(&gzip);
      }
      gzip.next_out = reinterpret_cast<Bytef*>(piece.data());
      gzip.avail_out = static_cast<uInt>(piece.size());
      const int result = ::inflate(&gzip, Z_NO_FLUSH);
      if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) broken(coding, "it is not");
      between = result == Z_STREAM_END;
      made(piece.size() - gzip.avail_out);
      out.append(piece.data(), piece.size() - gzip.avail_out);
      if (result == Z_BUF_ERROR) return;
    }
  }
  void unzstd(std::string_view bytes, std::string& out) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    for (bool full = false; in.pos < in.size || full;) {
      ZSTD_outBuffer to{piece.data(), piece.size(), 0};
      const std::size_t left = ::ZSTD_decompressStream(zstd, &to, &in);
      if (::ZSTD_isError(left) != 0U) broken(coding, ::ZSTD_getErrorName(left));
      between = left == 0;
      full = to.pos == to.size;
      made(to.pos);
      out.append(piece.data(), to.pos);
    }
  }

  Coding coding;
  std::uint64_t most, taken = 0, given = 0;
  z_stream gzip{};
  ZSTD_DCtx* zstd = nullptr;
  bool between = false;  // frames: the stream may end here
  std::array<char, 65536> piece{};
};

Unpacker::Unpacker(Coding coding, std::uint64_t most) : impl_(std::make_unique<Impl>(coding, most)) {}
Unpacker::~Unpacker() = default;
Unpacker::Unpacker(Unpacker&&) noexcept = default;

void Unpacker::unpack(std::string_view bytes, bool last, std::string& out) {
  constexpr std::size_t at_once = std::size_t{1} << 30;  // zlib counts in 32 bits
  Impl& impl = *impl_;
  impl.taken += bytes.size();
  if (impl.coding == Coding::identity) {
    impl.made(bytes.size());
    out += bytes;
    return;
  }
  for (; !bytes.empty(); bytes.remove_prefix(std::min(at_once, bytes.size()))) {
    const std::string_view part = bytes.substr(0, at_once);
    if (impl.coding == Coding::gzip)
      impl.inflate(part, out);
    else
      impl.unzstd(part, out);
  }
  if (last && !impl.between && impl.taken > 0) broken(impl.coding, "it ends in the middle");
}

struct Packer::Impl {
  explicit Impl(Coding c) : coding(c) {
    if (coding == Coding::gzip && ::deflateInit2(&gzip, 5, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
    if (coding == Coding::zstd && (zstd = ::ZSTD_createCCtx()) == nullptr) throw std::bad_alloc();
  }
  ~Impl() {
    if (coding == Coding::gzip) ::deflateEnd(&gzip);
    ::ZSTD_freeCCtx(zstd);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void deflate(std::string_view bytes, bool last, std::string& out) {
    gzip.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    gzip.avail_in = static_cast<uInt>(bytes.size());
    do {
      gzip.next_out = reinterpret_cast<Bytef*>(piece.data());
      gzip.avail_out = static_cast<uInt>(piece.size());
      ::deflate(&gzip, last ? Z_FINISH : Z_SYNC_FLUSH);
      out.append(piece.data(), piece.size() - gzip.avail_out);
    } while (gzip.avail_out == 0);
  }
  void to_zstd(std::string_view bytes, bool last, std::string& out) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    for (std::size_t left = 1; left != 0;) {
      ZSTD_outBuffer to{piece.data(), piece.size(), 0};
      left = ::ZSTD_compressStream2(zstd, &to, &in, last ? ZSTD_e_end : ZSTD_e_flush);
      if (::ZSTD_isError(left) != 0U) throw std::bad_alloc();
      out.append(piece.data(), to.pos);
    }
  }

  Coding coding;
  z_stream gzip{};
  ZSTD_CCtx* zstd = nullptr;
  std::array<char, 65536> piece{};
};

Packer::Packer(Coding coding) : impl_(std::make_unique<Impl>(coding)) {}
Packer::~Packer() = default;
Packer::Packer(Packer&&) noexcept = default;

void Packer::pack(std::string_view bytes, bool last, std::string& out) {
  if (impl_->coding == Coding::identity)
    out += bytes;
  else if (impl_->coding == Coding::gzip)
    impl_->deflate(bytes, last, out);
  else
    impl_->to_zstd(bytes, last, out);
}

}  // namespace leitong::server
