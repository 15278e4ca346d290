#include "text/tokenize.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "processor/instruction_set.h"
#include "text/plain.h"
#include "text/scan.h"
#include "text/simplify.h"
#include "text/utf8.h"
#include "text/wide.h"

namespace leitong::text {
namespace {

constexpr std::size_t block = 64;
constexpr std::size_t readable = block + 2;  // what the kernel may look at
constexpr std::size_t batch = 512;           // tokens that the kernel finds before they are appended
constexpr std::size_t calm = 24;             // bytes without a hard character after which the fast path takes over again
constexpr std::size_t slack = 3 * block;     // the kernel writes whole blocks beyond the end

struct Scratch {
  std::array<std::uint32_t, batch + 136> begins, ends;
  NormalText text;
};

ScanFunction choose_scan() {
#if defined(__x86_64__)
  if (processor::use_avx512()) return scan_avx512;
  if (processor::use_avx2()) return scan_avx2;
#endif
  return scan_portable;
}

unsigned byte(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

// ASCII that is no token, joins nothing and composes with nothing before it: the text may be cut before it.
bool is_ascii_separator(unsigned c) {
  const bool word = (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_';
  return c < 0x80 && !word && c != '.' && c != '\'' && c != ':' && c != ',' && c != ';' && c != '"';
}

bool is_han(std::string_view text, std::size_t i) {
  if (i + 2 >= text.size() || byte(text, i) < 0xE4 || byte(text, i) > 0xE9) return false;
  const bool tail = (byte(text, i + 1) & 0xC0) == 0x80 && (byte(text, i + 2) & 0xC0) == 0x80;
  return tail && (byte(text, i) != 0xE4 || byte(text, i + 1) >= 0xB8);
}

Wide wide_at(std::string_view text, std::size_t i) {
  return i + 2 < text.size() ? wide_class(byte(text, i), byte(text, i + 1), byte(text, i + 2)) : Wide::hard;
}

// The last place in [begin, hard) before which the text can be cut, else `begin`. The kernel has accepted all that is there.
std::size_t cut_before(std::string_view text, std::size_t begin, std::size_t hard) {
  for (std::size_t i = hard; i > begin;) {
    if (byte(text, i - 1) < 0x80) {
      --i;
      if (is_ascii_separator(byte(text, i))) return i;
    } else {
      i -= 3;
      if (wide_at(text, i) == Wide::separator || is_han(text, i)) return i;
    }
  }
  return begin;
}

// The first place after the hard character before which the text can be cut and from which the next ones are known.
std::size_t cut_after(std::string_view text, std::size_t hard) {
  std::size_t cut = text.size();
  bool found = false;
  for (std::size_t i = hard + decode_utf8(text, hard).size; i < text.size();) {
    if (found && i - cut >= calm) return cut;
    const unsigned c = byte(text, i);
    std::size_t size = 1;
    bool separator = is_ascii_separator(c);
    if (c >= 0x80) {
      size = 3;
      const Wide wide = wide_at(text, i);
      separator = wide == Wide::separator || is_han(text, i);
      if (!separator && wide == Wide::hard) {
        size = decode_utf8(text, i).size;
        found = false;
      }
    }
    if (separator && !found) {
      found = true;
      cut = i;
    }
    i += size;
  }
  return found ? cut : text.size();
}

// One text on its fast way: stretches by the kernel, and what it does not know by the plain path.
class FastTokenizer {
 public:
  FastTokenizer(std::string_view text, const TokenizeOptions& options, ScanFunction scan_function, Scratch& scratch, Tokens& out)
      : text_(text), options_(options), scan_function_(scan_function), scratch_(scratch), out_(out) {}

  void run() {
    for (std::size_t at = 0; at < text_.size();) at = stretch(at);
  }

 private:
  // From `begin` on; returns where the next stretch begins.
  std::size_t stretch(std::size_t begin) {
    reserve_bytes(out_, out_at_ + (text_.size() - begin) + slack);
    const std::uint32_t out_begin = out_at_;
    std::size_t hard = 0;
    const bool stopped = scan_stretch(begin, hard);
    if (!stopped) {
      if (scan_.begun > scan_.ended) scan_.ends[scan_.ended++] = scan_.out_at;
      flush();
      return text_.size();
    }
    const std::size_t from = cut_before(text_, begin, hard), to = cut_after(text_, hard);
    const std::uint32_t out_from = out_begin + static_cast<std::uint32_t>(from - begin);
    flush();
    while (!out_.tokens.empty() && out_.tokens.back().begin >= out_from) out_.tokens.pop_back();
    out_at_ = static_cast<std::uint32_t>(append_plain(text_.substr(from, to - from), options_, out_from, scratch_.text, out_));
    return to;
  }

  // True if a hard character stopped it.
  bool scan_stretch(std::size_t begin, std::size_t& hard) {
    const auto* const in = reinterpret_cast<const unsigned char*>(text_.data());
    scan_ = {};
    scan_.in = in + begin;
    scan_.out_at = out_at_;
    scan_.out = reinterpret_cast<unsigned char*>(out_.bytes.data()) + out_at_;
    scan_.begins = scratch_.begins.data();
    scan_.ends = scratch_.ends.data();
    scan_.limit = batch;
    scan_.simplified = options_.fold_traditional ? simplified_han() : nullptr;
    if (text_.size() - begin >= readable) {
      scan_.in_end = in + (text_.size() - readable + 1);
      if (scan_to_end()) {
        hard = static_cast<std::size_t>(scan_.in - in);
        return true;
      }
    }
    // The last bytes, with spaces behind them.
    const std::size_t tail = static_cast<std::size_t>(scan_.in - in), size = text_.size() - tail;
    std::array<unsigned char, 3 * block> buffer;
    buffer.fill(' ');
    if (size != 0) std::memcpy(buffer.data(), in + tail, size);
    scan_.in = buffer.data();
    scan_.in_end = buffer.data() + size;
    const bool stopped = scan_to_end();
    hard = tail + static_cast<std::size_t>(scan_.in - buffer.data());
    return stopped;
  }

  bool scan_to_end() {
    for (;;) {
      const ScanStop stop = scan_function_(scan_);
      if (stop != ScanStop::full) return stop == ScanStop::hard;
      flush();
    }
  }

  // Appends the tokens found; one that is still open stays.
  void flush() {
    const std::size_t before = out_.tokens.size(), count = scan_.ended;
    out_.tokens.resize(before + count);
    Range* const to = out_.tokens.data() + before;
    for (std::size_t i = 0; i < count; ++i) to[i] = {scan_.begins[i], scan_.ends[i]};
    if (scan_.underscores) drop_underscores(before);
    if (scan_.begun > count) scan_.begins[0] = scan_.begins[count];
    scan_.begun -= count;
    scan_.ended = 0;
    scan_.underscores = scan_.underscores && scan_.begun != 0;
  }

  // A word of underscores alone holds no letter or digit.
  void drop_underscores(std::size_t first) {
    const char* const bytes = out_.bytes.data();
    const auto is_underscores = [&](const Range& t) {
      return bytes[t.begin] == '_' && std::all_of(bytes + t.begin, bytes + t.end, [](char c) { return c == '_'; });
    };
    const auto begin = out_.tokens.begin() + static_cast<std::ptrdiff_t>(first);
    out_.tokens.erase(std::remove_if(begin, out_.tokens.end(), is_underscores), out_.tokens.end());
  }

  std::string_view text_;
  const TokenizeOptions& options_;
  ScanFunction scan_function_;
  Scratch& scratch_;
  Tokens& out_;
  Scan scan_{};
  std::uint32_t out_at_ = 0;
};

}  // namespace

void tokenize(std::string_view utf8, const TokenizeOptions& options, Tokens& out) {
  static const ScanFunction chosen = choose_scan();
  tokenize_by(chosen, utf8, options, out);
}

void tokenize_by(ScanFunction scan, std::string_view utf8, const TokenizeOptions& options, Tokens& out) {
  thread_local Scratch scratch;  // NOLINT(misc-use-internal-linkage): it is local
  out.tokens.clear();
  out.source.clear();
  reserve_bytes(out, 0);
  if (options.with_source) {
    append_plain(utf8, options, 0, scratch.text, out);
    return;
  }
  FastTokenizer(utf8, options, scan, scratch, out).run();
}

}  // namespace leitong::text
