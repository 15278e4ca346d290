// Fingerprints out of files of every form that they come in.
#include "leitong/fingerprint_file.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>

#include "leitong/error.h"
#include "records/byte_stream.h"
#include "records/chunker.h"
#include "records/fingerprint_line.h"
#include "records/unpack.h"
#include "records/utf8.h"

static_assert(std::endian::native == std::endian::little, "raw values are mapped as they stand in the file");

namespace leitong {
namespace {

using records::Compression;

constexpr std::size_t head_size = 4096, file_magic = 16;
constexpr std::size_t chunk_size = std::size_t{1} << 20;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::string_view table_magic = "\x89LTB\r\n\x1a\n";  // docs/file-format.md, as is the next
constexpr std::string_view index_magic = "\x89LHX\r\n\x1a\n";
constexpr std::array<std::string_view, 5> formats = {"u64", "u128", "u256", "hex", "jsonl"};
constexpr std::array<std::string_view, 3> packings = {".gz", ".zst", ".zstd"};
constexpr std::string_view space = " \t\r\n\v\f";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(space);
  return begin == std::string_view::npos ? std::string_view{} : text.substr(begin, text.find_last_not_of(space) + 1 - begin);
}

std::string counted(std::uint64_t n, std::string_view what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

bool is_raw(std::string_view format) { return format.starts_with('u'); }
unsigned words_of(std::string_view raw_format) { return raw_format == "u64" ? 1 : raw_format == "u128" ? 2 : 4; }

// What the name says of a file: its format, empty if nothing, and whether it is packed.
struct Name {
  std::string format;
  bool packed = false;
};

Name read_name(const std::string& path) {
  Name out;
  std::string name = path.substr(path.rfind('/') + 1);
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  for (const std::string_view packing : packings) {
    if (!name.ends_with(packing)) continue;
    name.resize(name.size() - packing.size());
    out.packed = true;
    break;
  }
  const std::size_t dot = name.rfind('.');
  const std::string extension = dot == std::string::npos ? "" : name.substr(dot + 1);
  if (extension == "ndjson" || extension == "json") out.format = "jsonl";
  if (std::find(formats.begin(), formats.end(), extension) != formats.end()) out.format = extension;
  return out;
}

// Not by chance: raw values that begin with a line of digits, or with an object's brace and key, are one file in 10^20.
std::string by_content(std::string_view head) {
  if (head.starts_with(byte_order_mark)) head.remove_prefix(byte_order_mark.size());
  const std::string_view start = head.substr(std::min(head.find_first_not_of(space), head.size()));
  const std::string_view line = start.substr(0, start.find('\n'));
  const auto binary = [](char c) { return static_cast<unsigned char>(c) < 0x20 && space.find(c) == std::string_view::npos; };
  if (start.starts_with('{') && std::none_of(line.begin(), line.end(), binary)) {
    const std::size_t next = line.find_first_not_of(space, 1);
    if (next != std::string_view::npos && (line[next] == '"' || line[next] == '}')) return "jsonl";
  }
  return records::parse_hex(trimmed(line)).count != 0 ? "hex" : "";
}

// A few values may lack control characters by chance, but then they are hardly ever UTF-8: one value in about a thousand, two in a million.
bool looks_like_text(std::string_view head) {
  const auto plain = [](char c) { return (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) || space.find(c) != std::string_view::npos; };
  if (head.empty() || !std::all_of(head.begin(), head.end(), plain)) return false;
  return head.size() >= 64 || head.size() % 8 != 0 || records::valid_utf8(head);
}

// Files of other programs that might be taken for raw values, whose first bytes say what they are.
struct ForeignKind {
  std::string_view magic, what;
};
constexpr std::array foreign_kinds = {
    ForeignKind{"\x93NUMPY", "a numpy file, which begins with a header; write the values alone: array.astype('<u8').tofile('values.u64')"},
    ForeignKind{"PK\x03\x04",
                "a zip archive (numpy's .npz is one); unpack it, and write arrays with array.astype('<u8').tofile('values.u64')"},
    ForeignKind{"PAR1", "a Parquet file; write its column of fingerprints as raw values or as lines of digits"},
    ForeignKind{"ARROW1", "an Arrow file; write its column of fingerprints as raw values or as lines of digits"},
    ForeignKind{"\x89HDF\r\n\x1a\n", "an HDF5 file; write its fingerprints as raw values or as lines of digits"},
    ForeignKind{"SQLite format 3", "an SQLite database; write its column of fingerprints as lines of digits"},
    ForeignKind{"\xFD"
                "7zXZ",
                "packed with xz; unpack it first (xz -d)"},
};

// Empty: none of them.
std::string_view foreign_kind(std::string_view head) {
  for (const ForeignKind& kind : foreign_kinds)
    if (head.starts_with(kind.magic)) return kind.what;
  if (head.size() >= 10 && head.starts_with("BZh") && head.substr(4, 6) == "1AY&SY") return "packed with bzip2; unpack it first (bzip2 -d)";
  if (head.size() >= 8 && head.starts_with("\xFF\xFE") && head[3] == 0 && head[5] == 0 && head[7] == 0)
    return "text in UTF-16; make it UTF-8 first (iconv -f UTF-16 -t UTF-8)";
  return {};
}

}  // namespace

struct FingerprintFile::Impl {
  ~Impl() {
    if (map != nullptr) ::munmap(map, map_bytes);
  }

  void open();
  void refuse_other_kinds(std::string_view head) const;
  std::string choose_format(std::string_view head, const Name& name) const;
  void map_values(int descriptor, std::uint64_t bytes);
  void read_values(records::ByteStream& stream);
  void check_whole(std::uint64_t bytes) const;
  void read_lines(std::unique_ptr<records::ByteStream> stream, std::uint64_t start);
  void read_piece(std::string_view bytes);
  void add_line(std::string_view line);
  void add_value(const records::HexValue& value, std::string_view id);
  void add_id(std::string_view id);
  void add_bad(std::string reason);
  void check_memory() const;
  [[nodiscard]] std::uint64_t held() const {
    return 8 * (values.capacity() + rows.capacity() + id_ends.capacity() + numbers.capacity()) + id_text.size();
  }
  [[nodiscard]] std::uint64_t size() const { return values.size() / words; }

  std::string path, format;
  FingerprintFileOptions options;
  unsigned words = 1;
  void* map = nullptr;
  std::uint64_t map_bytes = 0;
  std::vector<std::uint64_t> values;
  std::vector<std::uint64_t> rows;  // of each fingerprint; empty as long as they are 0, 1, 2, …
  bool gaps = false;
  std::uint64_t line = 0;
  std::unique_ptr<records::FingerprintJson> json;
  std::string id_text;
  std::vector<std::uint64_t> id_ends, numbers;
  std::optional<std::uint64_t> row_without_number;
  std::uint64_t bad = 0, without = 0;
  std::vector<BadLine> bad_lines;
  std::string broken_off;
  bool guessed = false;
};

std::string FingerprintFile::Impl::choose_format(std::string_view head, const Name& name) const {
  if (options.format != "auto") return options.format;
  if (!name.format.empty()) return name.format;
  if (std::string found = by_content(head); !found.empty()) return found;
  if (looks_like_text(head))
    throw Error(ErrorCode::usage, path +
                                      ": looks like text, but neither its name nor its first line says of which form; say --format hex or "
                                      "jsonl (or u64, if it is raw)");
  return "u64";
}

void FingerprintFile::Impl::refuse_other_kinds(std::string_view head) const {
  if (head.starts_with(table_magic))
    throw Error(ErrorCode::usage, path +
                                      ": a file of dedup's stages, not of fingerprints; sketch files are joined with --output FILE, and "
                                      "`leitong fingerprint` prints fingerprints");
  if (head.starts_with(index_magic))
    throw Error(ErrorCode::usage, path + ": an index, not a file of fingerprints; `leitong search` asks it");
  if (is_raw(options.format)) return;  // who says so may have values that begin with anything
  if (const std::string_view what = foreign_kind(head); !what.empty())
    throw Error(ErrorCode::usage, fmt::format("{}: {}; if it does hold raw values, say --format u64, u128 or u256", path, what));
}

void FingerprintFile::Impl::open() {
  if (options.format != "auto" && std::find(formats.begin(), formats.end(), options.format) == formats.end())
    throw Error(ErrorCode::usage,
                fmt::format("\"{}\" is no form of fingerprints; known are auto, u64, u128, u256, hex, jsonl", options.format));
  std::string error;
  std::unique_ptr<records::FileStream> file = records::open_file(path, true, error, options.stop);
  if (!file) throw Error(ErrorCode::io, fmt::format("{}: {}", path, error));
  const int descriptor = file->descriptor();
  struct stat status{};
  if (::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode))
    throw Error(ErrorCode::usage, path + ": a directory; fingerprints are read from a file");
  const bool mappable = S_ISREG(status.st_mode) && ::lseek(descriptor, 0, SEEK_CUR) == 0;

  const Name name = read_name(path);
  auto packed = std::make_unique<records::HeadStream>(std::move(file));
  const std::string& known = options.format != "auto" ? options.format : name.format;
  refuse_other_kinds(packed->peek(file_magic));
  // Raw values may begin with anything: if a name or the user says that they are raw, only a name makes a packing of it.
  const bool may_be_packed = !is_raw(known) || name.packed;
  const Compression compression = may_be_packed ? records::detect_compression(packed->peek(file_magic)) : Compression::none;
  if (const std::string wrong = records::contradicts_name(path, compression); !wrong.empty() && !is_raw(options.format))
    throw Error(ErrorCode::format, path + ": " + wrong);
  std::unique_ptr<records::ByteStream> stream = records::unpack(std::move(packed), compression, options.max_expansion);
  auto head = std::make_unique<records::HeadStream>(std::move(stream));
  const std::string_view start = head->peek(head_size);
  if (compression != Compression::none) refuse_other_kinds(start);
  format = choose_format(start, name);
  if (is_raw(format)) {
    words = words_of(format);
    if (compression != Compression::none)
      throw Error(ErrorCode::usage, path + ": packed raw values cannot be mapped; unpack them first (gzip -d, zstd -d)" +
                                        (known.empty() ? ", or say --format u64 if they are not packed" : ""));
    guessed = known.empty() && !start.empty();
    return mappable ? map_values(descriptor, static_cast<std::uint64_t>(status.st_size)) : read_values(*head);
  }
  const std::uint64_t mark = start.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  char skipped[byte_order_mark.size()];
  static_cast<void>(head->read(skipped, mark));
  read_lines(std::move(head), mark);
}

void FingerprintFile::Impl::check_whole(std::uint64_t bytes) const {
  const std::uint64_t row = 8ULL * words, over = bytes % row;
  if (over == 0) return;
  throw Error(ErrorCode::format,
              fmt::format("{}: its {} bytes are not a whole number of rows of {} bytes ({}): {} and {} over; if it is whole, say "
                          "what it is with --format u64, u128, u256, hex or jsonl",
                          path, bytes, row, format, counted(bytes / row, "row"), counted(over, "byte")));
}

void FingerprintFile::Impl::map_values(int descriptor, std::uint64_t bytes) {
  check_whole(bytes);
  if (bytes == 0) return;
  void* data = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_NORESERVE, descriptor, 0);
  if (data == MAP_FAILED) throw Error(ErrorCode::io, fmt::format("{}: cannot be mapped: {}", path, std::strerror(errno)));
  map = data;
  map_bytes = bytes;
}

// A pipe cannot be mapped.
void FingerprintFile::Impl::read_values(records::ByteStream& stream) {
  std::uint64_t bytes = 0;
  for (bool more = true; more;) {
    const std::uint64_t at = bytes / 8;
    const std::size_t want = std::max<std::size_t>(chunk_size, values.size() * 8 / 2) / 8 * 8;
    values.resize(at + want / 8);
    check_memory();
    const std::size_t got = stream.read(reinterpret_cast<char*>(values.data() + at), want);
    bytes += got;
    more = got == want;
  }
  if (!stream.fault().empty()) throw Error(ErrorCode::io, fmt::format("{}: {}", path, stream.fault()));
  check_whole(bytes);
  values.resize(bytes / 8);
}

void FingerprintFile::Impl::read_lines(std::unique_ptr<records::ByteStream> stream, std::uint64_t start) {
  words = 0;
  if (format == "jsonl") json = std::make_unique<records::FingerprintJson>(options.field, options.id_field);
  InputOptions limits;
  limits.max_document_bytes = options.max_line_bytes;
  records::Chunker chunker(std::move(stream), records::Format::lines, limits, 0, start);
  records::Chunk chunk;
  for (bool ended = false; !ended;) {
    chunk.pieces.clear();
    ended = chunker.fill(chunk, chunk_size);
    for (const records::Chunk::Piece& piece : chunk.pieces) {
      if (piece.whole) {
        broken_off = piece.reject;
        if (options.strict) throw Error(ErrorCode::format, fmt::format("{}: {} (--strict)", path, broken_off));
      } else if (!piece.reject.empty()) {
        add_bad(piece.reject);
        ++line;
      } else {
        read_piece({chunk.bytes.data() + piece.begin, piece.end - piece.begin});
      }
    }
    check_memory();
  }
  words = std::max(words, 1U);
}

void FingerprintFile::Impl::read_piece(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t newline = bytes.find('\n');
    const std::string_view one = trimmed(bytes.substr(0, newline));
    bytes.remove_prefix(newline == std::string_view::npos ? bytes.size() : newline + 1);
    if (!one.empty()) add_line(one);
    ++line;
  }
}

void FingerprintFile::Impl::add_line(std::string_view text) {
  std::string_view digits = text, id;
  if (json) {
    records::FingerprintJson::Line parsed = json->parse(text);
    if (parsed.kind == records::FingerprintJson::Kind::bad) return add_bad(std::move(parsed.reason));
    if (parsed.kind == records::FingerprintJson::Kind::none) {
      ++without;
      return;
    }
    digits = parsed.digits;
    id = parsed.id;
  }
  records::HexValue value = records::parse_hex(digits);
  if (value.count == 0) return add_bad(std::move(value.reason));
  if (words == 0) words = value.count;
  if (words != value.count) return add_bad(fmt::format("{} digits, where the first fingerprint has {}", 16 * value.count, 16 * words));
  add_value(value, id);
}

void FingerprintFile::Impl::add_value(const records::HexValue& value, std::string_view id) {
  if (!gaps && line != size()) {
    gaps = true;
    for (std::uint64_t i = 0; i < size(); ++i) rows.push_back(i);
  }
  if (gaps) rows.push_back(line);
  values.insert(values.end(), value.words.begin(), value.words.begin() + words);
  if (json) add_id(id);
}

void FingerprintFile::Impl::add_id(std::string_view id) {
  if (options.ids == KeepIds::text) {
    id_text += id;
    id_ends.push_back(id_text.size());
  } else if (options.ids == KeepIds::numbers && !row_without_number) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
    if (!id.empty() && error == std::errc() && end == id.data() + id.size()) {
      numbers.push_back(number);
    } else {
      row_without_number = line;
      numbers = {};
    }
  }
}

void FingerprintFile::Impl::add_bad(std::string reason) {
  if (options.strict) throw Error(ErrorCode::format, fmt::format("{}:{}: {} (--strict)", path, line + 1, reason));
  ++bad;
  if (bad_lines.size() < most_listed) bad_lines.push_back({line + 1, std::move(reason)});
}

void FingerprintFile::Impl::check_memory() const {
  if (options.most_memory == 0 || held() <= options.most_memory) return;
  throw Error(
      ErrorCode::limit,
      fmt::format(
          "{}: its fingerprints do not fit the memory budget of {} MiB; raise --memory, or give a file of raw values (u64, u128, u256), "
          "which is mapped and may be of any size",
          path, options.most_memory >> 20));
}

FingerprintFile::FingerprintFile() : impl_(std::make_unique<Impl>()) {}
FingerprintFile::FingerprintFile(const std::string& path, const FingerprintFileOptions& options) : FingerprintFile() {
  impl_->path = path;
  impl_->options = options;
  impl_->open();
}
FingerprintFile::~FingerprintFile() = default;
FingerprintFile::FingerprintFile(FingerprintFile&&) noexcept = default;
FingerprintFile& FingerprintFile::operator=(FingerprintFile&&) noexcept = default;

FingerprintFile FingerprintFile::of_hex(const std::vector<std::string>& digits) {
  FingerprintFile file;
  Impl& impl = *file.impl_;
  impl.format = "hex";
  impl.words = 0;
  for (const std::string& one : digits) {
    const records::HexValue value = records::parse_hex(trimmed(one));
    if (value.count == 0) throw Error(ErrorCode::usage, fmt::format("\"{}\" is no fingerprint: {}", one, value.reason));
    if (impl.words != 0 && impl.words != value.count)
      throw Error(ErrorCode::usage, fmt::format("\"{}\" has {} digits, the first fingerprint {}", one, 16 * value.count, 16 * impl.words));
    impl.words = value.count;
    impl.add_value(value, {});
    ++impl.line;
  }
  impl.words = std::max(impl.words, 1U);
  return file;
}

std::span<const std::uint64_t> FingerprintFile::values() const {
  if (impl_->map != nullptr) return {static_cast<const std::uint64_t*>(impl_->map), impl_->map_bytes / 8};
  return impl_->values;
}
unsigned FingerprintFile::words() const { return impl_->words; }
std::uint64_t FingerprintFile::row(std::uint64_t i) const { return impl_->gaps ? impl_->rows[i] : i; }
bool FingerprintFile::has_gaps() const { return impl_->gaps; }
std::string_view FingerprintFile::format() const { return impl_->format; }
const std::string& FingerprintFile::path() const { return impl_->path; }
std::uint64_t FingerprintFile::held_bytes() const { return impl_->held(); }

bool FingerprintFile::has_ids() const { return !impl_->id_text.empty(); }
std::string_view FingerprintFile::id(std::uint64_t i) const {
  if (impl_->id_ends.empty()) return {};
  const std::uint64_t begin = i == 0 ? 0 : impl_->id_ends[i - 1];
  return std::string_view(impl_->id_text).substr(begin, impl_->id_ends[i] - begin);
}
std::span<const std::uint64_t> FingerprintFile::numbers() const { return impl_->numbers; }
std::optional<std::uint64_t> FingerprintFile::row_without_number() const { return impl_->row_without_number; }

bool FingerprintFile::guessed() const { return impl_->guessed; }
std::uint64_t FingerprintFile::lines() const { return is_raw(impl_->format) ? 0 : impl_->line; }

std::uint64_t FingerprintFile::bad() const { return impl_->bad; }
std::span<const FingerprintFile::BadLine> FingerprintFile::bad_lines() const { return impl_->bad_lines; }
std::uint64_t FingerprintFile::without() const { return impl_->without; }
const std::string& FingerprintFile::broken_off() const { return impl_->broken_off; }

}  // namespace leitong
