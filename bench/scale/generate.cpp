// Writes N text-like documents of about 2 kB as JSON Lines to standard output, one in ten a near-duplicate of an earlier one:
//
//     generate N --en FILE --zh FILE [--seed S] [--bytes 2000] [--from I] [--most-edited 10] [--pairs]
//
// A document is a sequence of units: one to four consecutive words (or one to six Han characters) from a random place of a real text, so
// that words, neighbours and punctuation have natural frequencies. It is a pure function of (seed, number): a copy makes its original again
// from the number and edits it, and no document is remembered. Ids: "d12" (fresh), "d34-of-12-e5" (copy of d12 with 5 % of the units
// edited), "d56-of-12-e0" (exact).
// --pairs writes "copy original percent" lines instead of documents. --from I starts at document I (for parts of one collection).
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr std::size_t slack = 256;             // bytes that may be copied beyond a unit
constexpr std::size_t longest_unit = 192;      // bytes
constexpr std::size_t source_bytes = 4 << 20;  // of each language: mostly in the cache
constexpr unsigned copy_inverse = 10;          // one document in ten is a copy
constexpr unsigned exact_inverse = 6;          // one copy in six is exact
constexpr unsigned probes = 8;                 // for an original that is no copy itself

__extension__ using Wide = unsigned __int128;

std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

struct Random {
  std::uint64_t state;
  std::uint64_t next() { return mix(state += 0x9E3779B97F4A7C15ULL); }
  // Uniform in [0, n) from the upper 32 bits; n < 2^32.
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(((next() >> 32) * n) >> 32); }
};

[[noreturn]] void fail(const std::string& message) {
  std::fprintf(stderr, "generate: %s\n", message.c_str());
  std::exit(2);
}

// One language: a text without characters that JSON must escape, and where its words (characters) begin.
struct Source {
  std::string text;
  std::vector<std::uint32_t> starts;
  unsigned most = 1;  // words of a unit
};

std::string clean(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) fail("cannot read " + path);
  std::string raw((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  std::string out;
  for (const char c : raw) {
    const auto byte = static_cast<unsigned char>(c);
    const bool gap = byte <= ' ' || c == '"' || c == '\\' || byte == 127;
    if (gap && (out.empty() || out.back() == ' ')) continue;
    out.push_back(gap ? ' ' : c);
    if (out.size() >= source_bytes && gap) break;
  }
  if (out.size() < 100000) fail(path + " is too short: at least 100 kB of text are needed");
  return out;
}

Source load(const std::string& path, bool han) {
  Source source;
  source.text = clean(path);
  source.most = han ? 6 : 4;
  const std::string& t = source.text;
  for (std::size_t i = 1; i + longest_unit < t.size(); ++i) {
    const auto byte = static_cast<unsigned char>(t[i]);
    const bool begins = han ? (byte >= 0xC0 || (t[i - 1] == ' ' && byte < 0x80)) : (t[i - 1] == ' ' && byte < 0x80);
    if (begins) source.starts.push_back(static_cast<std::uint32_t>(i));
  }
  if (source.starts.size() < 1000) fail(path + " has too few words");
  source.text.append(slack, ' ');
  return source;
}

// Appends to a buffer that is large enough; copies in blocks, beyond the unit's end.
struct Writer {
  char* at;
  void bytes(std::string_view s) {
    std::memcpy(at, s.data(), s.size());
    at += s.size();
  }
  void number(std::uint64_t n) {
    std::array<char, 20> digits;
    std::size_t first = digits.size();
    do {
      digits[--first] = static_cast<char>('0' + n % 10);
      n /= 10;
    } while (n != 0);
    bytes({digits.data() + first, digits.size() - first});
  }
  void unit(std::string_view s) {
    std::memcpy(at, s.data(), 32);
    if (s.size() > 32) std::memcpy(at + 32, s.data() + 32, longest_unit - 32);
    at += s.size();
  }
};

// The units of one random sequence, drawn some at a time so that their cache misses overlap.
class Units {
 public:
  Units(const Source& source, std::uint64_t seed) : source_(source), random_{seed} {}
  std::string_view next() {
    if (used_ == batch_size) draw();
    return drawn_[used_++];
  }

 private:
  static constexpr std::size_t batch_size = 32;
  void draw() {
    std::array<const std::uint32_t*, batch_size> first;
    std::array<std::uint32_t, batch_size> words;
    const auto places = static_cast<std::uint32_t>(source_.starts.size()) - source_.most;
    for (std::size_t i = 0; i < batch_size; ++i) {
      const std::uint64_t bits = random_.next();
      first[i] = source_.starts.data() + (((bits >> 32) * places) >> 32);
      words[i] = 1 + static_cast<std::uint32_t>(((bits & 0xFFFF) * source_.most) >> 16);
      __builtin_prefetch(first[i]);
    }
    for (std::size_t i = 0; i < batch_size; ++i) {
      const char* data = source_.text.data() + *first[i];
      const std::size_t length = first[i][words[i]] - *first[i];
      drawn_[i] = {data, length > longest_unit ? longest_unit / 8 : length};
      __builtin_prefetch(data);
    }
    used_ = 0;
  }
  const Source& source_;
  Random random_;
  std::array<std::string_view, batch_size> drawn_;
  std::size_t used_ = batch_size;
};

struct Copy {
  std::uint64_t original = 0;
  unsigned percent = 0;
  bool is = false;
};

class Generator {
 public:
  Generator(Source en, Source zh, std::uint64_t seed, std::size_t bytes, unsigned most_edited)
      : en_(std::move(en)), zh_(std::move(zh)), seed_(mix(seed + 1)), bytes_(bytes), most_edited_(most_edited) {}

  // Whether document i is a copy, and of what: an earlier document that is none.
  [[nodiscard]] Copy copy(std::uint64_t i) const {
    if (!is_copy(i)) return {};
    Random random{mix(seed_ ^ (i * 0xA0761D6478BD642FULL))};
    for (unsigned probe = 0; probe < probes; ++probe) {
      const auto j = static_cast<std::uint64_t>((static_cast<Wide>(random.next()) * i) >> 64);
      if (is_copy(j)) continue;
      const bool exact = random.below(exact_inverse) == 0;
      return {j, exact ? 0 : 1 + random.below(most_edited_), true};
    }
    return {};
  }

  void document(std::uint64_t i, Writer& out) const {
    const Copy what = copy(i);
    out.bytes("{\"id\":\"d");
    out.number(i);
    if (what.is) {
      out.bytes("-of-");
      out.number(what.original);
      out.bytes("-e");
      out.number(what.percent);
    }
    out.bytes("\",\"text\":\"");
    what.is ? text(what.original, what.percent, i, out) : text(i, 0, i, out);
    out.bytes("\"}\n");
  }

  [[nodiscard]] std::size_t longest() const { return 3 * bytes_ + 16 * longest_unit + 256; }

 private:
  [[nodiscard]] bool is_copy(std::uint64_t i) const { return i > 0 && mix(seed_ + i * 0xD6E8FEB86659FD93ULL) % copy_inverse == 0; }

  // The text of document i; as a copy with some percent of its units substituted, dropped or followed by another. The units' own random
  // sequence is the original's, the edits have another, so that an edit does not change the units after it.
  void text(std::uint64_t i, unsigned percent, std::uint64_t number, Writer& out) const {
    Random start{mix(seed_ ^ mix(i + 0x1234567))};
    const Source& source = start.below(5) < 2 ? zh_ : en_;
    const std::size_t length = bytes_ * 2 / 5 + start.below(static_cast<std::uint32_t>(bytes_ * 6 / 5));
    Units units(source, start.next());
    const char* const stop = out.at + length;
    if (percent == 0) {
      while (out.at < stop) out.unit(units.next());
    } else {
      edited(units, Units(source, mix(seed_ ^ mix(number + 0x9E3779B9))), Random{mix(seed_ ^ mix(number + 0x7654321))}, percent, length,
             out);
    }
  }

  static void edited(Units& units, Units others, Random edits, unsigned percent, std::size_t length, Writer& out) {
    if (edits.below(8) == 0) {
      for (unsigned left = 2 + edits.below(8); left > 0; --left) out.unit(others.next());  // a header
    }
    const char* const stop = out.at + length;
    while (out.at < stop) {
      const bool edit = edits.below(100) < percent;
      const auto kind = edit ? edits.below(4) : 4U;
      const std::string_view unit = units.next();
      if (kind >= 3) out.unit(unit);                        // otherwise it goes
      if (kind != 2 && kind != 4) out.unit(others.next());  // another comes: in its place or after it
    }
  }

  Source en_, zh_;
  std::uint64_t seed_;
  std::size_t bytes_;
  unsigned most_edited_;  // percent of the units
};

void write_all(const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t wrote = write(STDOUT_FILENO, data, size);
    if (wrote <= 0) std::exit(1);  // the reader has gone
    data += wrote;
    size -= static_cast<std::size_t>(wrote);
  }
}

struct Arguments {
  std::uint64_t count = 0, seed = 20261121, from = 0;
  std::size_t bytes = 2000;
  unsigned most_edited = 10;
  std::string en, zh;
  bool pairs = false;
};

Arguments parse(int argc, char** argv) {
  Arguments a;
  for (int i = 1; i < argc; ++i) {
    const std::string_view flag = argv[i];
    const auto value = [&]() -> const char* {
      return i + 1 < argc ? argv[++i] : (fail("a value is missing after " + std::string(flag)), "");
    };
    if (flag == "--pairs")
      a.pairs = true;
    else if (flag == "--seed")
      a.seed = std::strtoull(value(), nullptr, 10);
    else if (flag == "--from")
      a.from = std::strtoull(value(), nullptr, 10);
    else if (flag == "--bytes")
      a.bytes = std::strtoull(value(), nullptr, 10);
    else if (flag == "--most-edited")
      a.most_edited = static_cast<unsigned>(std::strtoul(value(), nullptr, 10));
    else if (flag == "--en")
      a.en = value();
    else if (flag == "--zh")
      a.zh = value();
    else if (!flag.starts_with("-") && a.count == 0)
      a.count = std::strtoull(argv[i], nullptr, 10);
    else
      fail("unknown argument " + std::string(flag));
  }
  if (a.count == 0 || a.en.empty() || a.zh.empty() || a.bytes < 100 || a.bytes > 1000000 || a.most_edited < 1 || a.most_edited > 100)
    fail("usage: generate N --en FILE --zh FILE [--seed S] [--bytes 100..1000000] [--from I] [--most-edited 1..100] [--pairs]");
  return a;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments args = parse(argc, argv);
  const Generator generator(load(args.en, false), load(args.zh, true), args.seed, args.bytes, args.most_edited);
  fcntl(STDOUT_FILENO, F_SETPIPE_SZ, 1 << 20);
  std::vector<char> buffer((1 << 20) + generator.longest());
  Writer out{buffer.data()};
  for (std::uint64_t i = args.from; i < args.from + args.count; ++i) {
    if (!args.pairs) {
      generator.document(i, out);
    } else if (const Copy what = generator.copy(i); what.is) {
      out.number(i), out.bytes(" "), out.number(what.original), out.bytes(" "), out.number(what.percent), out.bytes("\n");
    }
    if (static_cast<std::size_t>(out.at - buffer.data()) >= (1U << 20)) {
      write_all(buffer.data(), static_cast<std::size_t>(out.at - buffer.data()));
      out.at = buffer.data();
    }
  }
  write_all(buffer.data(), static_cast<std::size_t>(out.at - buffer.data()));
  return 0;
}
