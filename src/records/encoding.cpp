#include "records/encoding.h"

#include <fmt/format.h>
#include <iconv.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "leitong/error.h"
#include "records/encoding_labels.h"
#include "records/utf8.h"

namespace leitong::records {
namespace {

constexpr std::size_t window_size = std::size_t{1} << 16;  // what a guess is made of
constexpr char invalid = '\xFF';

struct Named {
  std::string_view name;
  const char* iconv;
  std::size_t unit;         // bytes that an invalid sequence is skipped by
  std::string_view labels;  // its other names: in lower case, without - and _, between blanks
};

// GB2312 and GBK are parts of GB18030; what calls itself Big5 often has characters of Hong Kong.
constexpr std::array<Named, 12> named_encodings{
    {{"", "UTF-8", 1, " utf8 "},
     {"GB18030", "GB18030", 1, " gb18030 gbk gb2312 cp936 ms936 windows936 xgbk euccn gb231280 chinese "},
     {"Big5", "BIG5-HKSCS", 1, " big5 big5hkscs cp950 ms950 windows950 xxbig5 cnbig5 "},
     {"UTF-16", "UTF-16", 2, " utf16 ucs2 unicode "},
     {"UTF-16LE", "UTF-16LE", 2, " utf16le ucs2le "},
     {"UTF-16BE", "UTF-16BE", 2, " utf16be ucs2be "},
     {"UTF-32LE", "UTF-32LE", 4, " utf32le utf32 ucs4le "},
     {"UTF-32BE", "UTF-32BE", 4, " utf32be ucs4be "},
     {"Shift_JIS", "CP932", 1, " shiftjis sjis cp932 ms932 windows31j xsjis "},
     {"EUC-JP", "EUC-JP", 1, " eucjp xeucjp "},
     {"EUC-KR", "UHC", 1, " euckr uhc cp949 ms949 windows949 ksc56011987 korean "},
     {"windows-1252", "WINDOWS-1252", 1, " windows1252 cp1252 latin1 iso88591 ascii usascii "}}};

std::string label_of(std::string_view name) {
  std::string label;
  for (const char c : name)
    if (c != '-' && c != '_' && c != ' ') label.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c);
  return label;
}

const Named* find_named(std::string_view name) {
  const std::string label = fmt::format(" {} ", label_of(name));
  const auto found = std::ranges::find_if(named_encodings, [&](const Named& named) {
    return named.labels.find(label) != std::string_view::npos || (!name.empty() && named.name == name);
  });
  return found == named_encodings.end() ? nullptr : found;
}

// A converter of the system to UTF-8.
class Iconv {
 public:
  explicit Iconv(const std::string& encoding) {
    const Named* named = find_named(encoding);
    descriptor_ = iconv_open("UTF-8", named != nullptr ? named->iconv : encoding.c_str());
  }
  ~Iconv() {
    if (is_open()) iconv_close(descriptor_);
  }
  Iconv(const Iconv&) = delete;
  Iconv& operator=(const Iconv&) = delete;
  [[nodiscard]] bool is_open() const { return descriptor_ != reinterpret_cast<iconv_t>(-1); }
  // As iconv; 0 or errno.
  int convert(const char*& in, std::size_t& in_size, char*& out, std::size_t& out_size) {
    return iconv(descriptor_, const_cast<char**>(&in), &in_size, &out, &out_size) == static_cast<std::size_t>(-1) ? errno : 0;
  }
  // A character that was kept back because one that combines with it might follow.
  void flush(char*& out, std::size_t& out_size) { iconv(descriptor_, nullptr, nullptr, &out, &out_size); }

 private:
  iconv_t descriptor_;
};

class ConvertedStream final : public ByteStream {
 public:
  ConvertedStream(std::unique_ptr<ByteStream> inner, const std::string& encoding)
      : inner_(std::move(inner)), iconv_(encoding), in_(window_size), out_(2 * window_size) {
    if (!iconv_.is_open())
      throw Error(ErrorCode::unsupported,
                  fmt::format("this system cannot convert {} (its iconv lacks it: install its further converters, on Debian "
                              "libc-gconv-modules-extra, or convert the input elsewhere)",
                              encoding));
    if (const Named* named = find_named(encoding); named != nullptr) unit_ = named->unit;
  }

  std::size_t read(char* out, std::size_t size) override {
    std::size_t done = 0;
    while (done < size) {
      if (ready_ == end_ && !fill()) break;
      const std::size_t part = std::min(size - done, end_ - ready_);
      std::memcpy(out + done, out_.data() + ready_, part);
      done += part;
      ready_ += part;
    }
    if (done < size) fault_ = inner_->fault();
    return done;
  }
  [[nodiscard]] std::uint64_t packed() const override { return inner_->packed(); }

 private:
  // Converts until something is ready; false at the end.
  bool fill() {
    ready_ = end_ = 0;
    while (end_ == 0 && !ended_) {
      refill();
      step();
    }
    return end_ != 0;
  }

  void refill() {
    if (in_ended_) return;
    std::memmove(in_.data(), in_.data() + in_begin_, in_end_ - in_begin_);
    in_end_ -= in_begin_;
    in_begin_ = 0;
    const std::size_t room = in_.size() - in_end_, got = inner_->read(in_.data() + in_end_, room);
    in_end_ += got;
    in_ended_ = got < room;
  }

  // What was read, as far as there is room for what it becomes.
  void step() {
    char* to = out_.data();
    std::size_t room = out_.size();
    int error = 0;
    while (true) {
      const char* from = in_.data() + in_begin_;
      std::size_t size = in_end_ - in_begin_;
      error = iconv_.convert(from, size, to, room);
      in_begin_ = in_end_ - size;
      const bool cut = error == EINVAL && in_ended_;
      if ((error != EILSEQ && !cut) || room < 16) break;
      iconv_.flush(to, room);
      *to++ = invalid;
      --room;
      in_begin_ += std::min(cut ? size : unit_, size);
    }
    if (error == 0 && in_ended_ && room >= 16) {
      iconv_.flush(to, room);
      ended_ = true;
    }
    end_ = static_cast<std::size_t>(to - out_.data());
  }

  std::unique_ptr<ByteStream> inner_;
  Iconv iconv_;
  std::size_t unit_ = 1;
  std::vector<char> in_, out_;
  std::size_t in_begin_ = 0, in_end_ = 0, ready_ = 0, end_ = 0;
  bool in_ended_ = false, ended_ = false;
};

// Bytes before the rest of a stream.
class Preceded final : public ByteStream {
 public:
  Preceded(std::string bytes, std::unique_ptr<ByteStream> rest) : bytes_(std::move(bytes)), rest_(std::move(rest)) {}
  std::size_t read(char* out, std::size_t size) override {
    const std::size_t part = std::min(size, bytes_.size() - at_);
    std::memcpy(out, bytes_.data() + at_, part);
    at_ += part;
    if (part == size) return size;
    if (!bytes_.empty()) bytes_ = {}, at_ = 0;
    const std::size_t got = part + rest_->read(out + part, size - part);
    if (got < size) fault_ = rest_->fault();
    return got;
  }
  [[nodiscard]] std::uint64_t packed() const override { return rest_->packed(); }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
  std::unique_ptr<ByteStream> rest_;
};

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

// Eight bytes at a time.
std::size_t find_beyond_ascii(const char* bytes, std::size_t size) {
  std::size_t i = 0;
  for (std::uint64_t eight = 0; i + 8 <= size; i += 8) {
    std::memcpy(&eight, bytes + i, 8);
    if ((eight & 0x8080808080808080ULL) != 0) break;
  }
  while (i < size && is_ascii(bytes[i])) ++i;
  return i;
}

// Characters beyond ASCII by how they would read in an encoding.
struct Reading {
  std::size_t common = 0, rare = 0, broken = 0;
  std::size_t low = 0;  // with a second byte of ASCII
  [[nodiscard]] std::size_t characters() const { return common + rare; }
  [[nodiscard]] double share() const {
    const std::size_t all = characters() + 5 * broken;
    return all == 0 ? 0 : static_cast<double>(common) / static_cast<double>(all);
  }
};

struct Bytes {
  unsigned low, high;
  [[nodiscard]] bool hold(unsigned byte) const { return byte >= low && byte <= high; }
};

// Two-byte encodings of Chinese: rows of common characters (levels one, and punctuation) and what a second byte may be.
struct DoubleByte {
  std::string_view name;
  Bytes common[2];  // first bytes
  Bytes common_second[2];
  Bytes second[2];
  bool four_bytes;  // digits in the second place begin a character of four bytes
};
constexpr std::array<DoubleByte, 2> double_byte{
    {{"GB18030", {{0xB0, 0xD7}, {0xA1, 0xA3}}, {{0xA1, 0xFE}, {0xA1, 0xFE}}, {{0x40, 0x7E}, {0x80, 0xFE}}, true},
     {"Big5", {{0xA4, 0xC6}, {0xA1, 0xA3}}, {{0x40, 0x7E}, {0xA1, 0xFE}}, {{0x40, 0x7E}, {0xA1, 0xFE}}, false}}};

// A character that is cut off by the end of the bytes is not counted.
Reading read_as(const DoubleByte& encoding, std::string_view bytes) {
  Reading reading;
  const auto at = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(bytes[i])); };
  const auto in = [](const Bytes(&ranges)[2], unsigned byte) { return ranges[0].hold(byte) || ranges[1].hold(byte); };
  std::size_t i = 0;
  while (i < bytes.size()) {
    const unsigned first = at(i);
    if (first < 0x80) {
      ++i;
      continue;
    }
    if (i + 1 == bytes.size()) break;
    const unsigned second = at(i + 1);
    const bool leads = first >= 0x81 && first <= 0xFE;
    if (leads && in(encoding.second, second)) {
      ++(in(encoding.common, first) && in(encoding.common_second, second) ? reading.common : reading.rare);
      reading.low += second < 0x80 ? 1 : 0;
      i += 2;
    } else if (leads && encoding.four_bytes && second >= 0x30 && second <= 0x39) {
      if (i + 4 > bytes.size()) break;
      const bool good = at(i + 2) >= 0x81 && at(i + 2) <= 0xFE && at(i + 3) >= 0x30 && at(i + 3) <= 0x39;
      ++(good ? reading.rare : reading.broken);
      i += good ? 4 : 1;
    } else {
      ++reading.broken;
      ++i;
    }
  }
  return reading;
}

Reading read_as_utf8(std::string_view bytes) {
  Reading reading;
  while (!bytes.empty()) {
    const std::size_t good = valid_utf8_prefix(bytes);
    for (std::size_t i = 0; i < good; ++i) reading.common += (static_cast<unsigned char>(bytes[i]) >= 0xC0) ? 1 : 0;
    bytes.remove_prefix(good);
    if (bytes.empty()) break;
    const std::size_t bad = invalid_utf8_length(bytes);
    if (bad == bytes.size() && bad < 4) break;  // cut off by the end
    ++reading.broken;
    bytes.remove_prefix(bad);
  }
  return reading;
}

// Korean text would read as GB18030 too; its first bytes end at 0xC8, where less than two thirds of the Chinese ones are.
bool may_be_korean(std::string_view bytes) {
  std::size_t pairs = 0, beyond = 0;
  for (std::size_t i = 0; i + 1 < bytes.size(); ++i) {
    const auto first = static_cast<unsigned char>(bytes[i]);
    if (first < 0xB0) continue;
    ++pairs;
    beyond += first > 0xC8 ? 1 : 0;
    ++i;
  }
  return pairs >= 40 && beyond * 20 < pairs;
}

// Share of the two-byte units that are ASCII, or characters and signs of Chinese and Japanese.
double share_as_utf16(std::string_view bytes, bool little) {
  std::size_t good = 0;
  const std::size_t units = bytes.size() / 2;
  for (std::size_t i = 0; i < units; ++i) {
    const auto a = static_cast<unsigned char>(bytes[2 * i]), b = static_cast<unsigned char>(bytes[2 * i + 1]);
    const unsigned unit = little ? static_cast<unsigned>(b) << 8 | a : static_cast<unsigned>(a) << 8 | b;
    const bool ascii = (unit >= 0x20 && unit < 0x7F) || unit == '\n' || unit == '\r' || unit == '\t';
    const bool swapped_ascii = (unit & 0xFF) == 0;  // almost always
    good += ascii || (!swapped_ascii && ((unit >= 0x3000 && unit <= 0x9FFF) || unit >= 0xFF00)) ? 1 : 0;
  }
  return units == 0 ? 0 : static_cast<double>(good) / static_cast<double>(units);
}

std::string order_of_utf16(std::string_view head) {
  return share_as_utf16(head, false) > share_as_utf16(head, true) ? "UTF-16BE" : "UTF-16LE";
}

bool is_utf16(std::string_view head) {
  constexpr std::size_t fewest = 32;  // bytes, where no NUL shows that they are two by two
  const bool zeros = head.find('\0') != std::string_view::npos;
  if (head.size() % 2 != 0 || head.size() < (zeros ? 2 : fewest)) return false;
  if (!zeros && read_as_utf8(head).broken == 0) return false;
  const double little = share_as_utf16(head, true), big = share_as_utf16(head, false);
  return std::max(little, big) >= 0.9 && std::min(little, big) <= 0.6;
}

std::string_view byte_order(std::string_view head) {
  using namespace std::string_view_literals;
  static constexpr std::pair<std::string_view, std::string_view> marks[] = {{"\xFF\xFE\0\0"sv, "UTF-32LE"},
                                                                            {"\0\0\xFE\xFF"sv, "UTF-32BE"},
                                                                            {"\xFF\xFE"sv, "UTF-16LE"},
                                                                            {"\xFE\xFF"sv, "UTF-16BE"},
                                                                            {"\x84\x31\x95\x33"sv, "GB18030"}};
  for (const auto& [mark, name] : marks)
    if (head.starts_with(mark)) return name;
  return {};
}

// Every character of ASCII is itself: what stands before the first other byte can be read before the encoding is known.
bool extends_ascii(const std::string& encoding) {
  Iconv iconv(encoding);
  std::string ascii, back(256, '\0');
  for (char c = ' '; c < '\x7f'; ++c) ascii.push_back(c);
  ascii += "\t\r\n";
  const char* from = ascii.data();
  std::size_t size = ascii.size(), room = back.size();
  char* to = back.data();
  if (!iconv.is_open() || iconv.convert(from, size, to, room) != 0) return false;
  iconv.flush(to, room);
  return std::string_view(back.data(), to) == ascii;
}

// The value of charset= (or encoding=) in the part of a page before `end`.
std::string_view attribute(std::string_view tag, std::string_view name) {
  constexpr std::string_view blank = " \t\r\n";
  const std::size_t at = tag.find(name);
  if (at == std::string_view::npos) return {};
  std::string_view rest = tag.substr(at + name.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(blank), rest.size()));
  if (!rest.starts_with('=')) return {};
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n\"'", 1), rest.size()));
  return rest.substr(0, rest.find_first_of(" \t\r\n\"';>/?"));
}

}  // namespace

std::optional<std::string> parse_encoding(const std::string& name) {
  if (name == "auto") return std::nullopt;
  const Named* named = find_named(name);
  const std::string canonical = named != nullptr ? std::string(named->name) : name;
  if (canonical.empty() && named != nullptr) return canonical;
  if (named == nullptr && (name.empty() || name.find('/') != std::string::npos || !Iconv(name).is_open()))
    throw Error(ErrorCode::usage, fmt::format("unknown encoding \"{}\"; known are auto, UTF-8, GB18030, GBK, Big5, UTF-16, UTF-16LE, "
                                              "UTF-16BE, Shift_JIS, EUC-KR and what iconv --list names",
                                              name));
  return canonical;
}

std::optional<Encoding> encoding_of_head(const std::optional<std::string>& asked, std::string_view head) {
  if (asked && asked->empty()) return Encoding{};
  if (head.starts_with("\xEF\xBB\xBF")) return Encoding{};
  if (const std::string_view name = byte_order(head); !name.empty()) return Encoding{std::string(name), "byte order mark"};
  if (asked) return Encoding{*asked == "UTF-16" ? order_of_utf16(head) : *asked, ""};
  if (is_utf16(head)) return Encoding{order_of_utf16(head), "detected"};
  return std::nullopt;
}

std::string declared_encoding(std::string_view head) {
  std::string lower(head.substr(0, 4096));
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  // What stands in a comment declares nothing.
  for (std::size_t at = lower.find("<!--"); at != std::string::npos; at = lower.find("<!--", at)) {
    const std::size_t end = lower.find("-->", at + 4);
    lower.erase(at, end == std::string::npos ? end : end + 3 - at);
  }
  std::string_view rest(lower), name;
  if (rest.starts_with("<?xml")) name = attribute(rest.substr(0, rest.find('>')), "encoding");
  for (std::size_t at = rest.find("<meta"); at != std::string_view::npos && name.empty(); at = rest.find("<meta")) {
    rest.remove_prefix(at + 5);
    name = attribute(rest.substr(0, rest.find('>')), "charset");
  }
  const std::string known(encoding_of_label(name).value_or(std::string_view()));
  return !known.empty() && extends_ascii(known) ? known : std::string();
}

std::optional<std::string> guess_encoding(std::string_view bytes) {
  const Reading utf8 = read_as_utf8(bytes);
  if (utf8.broken == 0 || utf8.common > 2 * utf8.broken) return "";  // a few broken characters make no other encoding
  Reading best;
  std::optional<std::string> name;
  for (const DoubleByte& encoding : double_byte) {
    const Reading reading = read_as(encoding, bytes);
    if (reading.share() > best.share()) best = reading, name = encoding.name;
  }
  constexpr double least = 0.5;
  if (best.share() < least || (best.broken > 1 && 50 * best.broken > best.characters())) return std::nullopt;
  if (name == "GB18030" && may_be_korean(bytes)) return std::nullopt;
  // Two fifths of Big5's characters have a second byte below 0x80; Japanese in EUC-JP has none.
  if (name == "Big5" && best.characters() >= 20 && 20 * best.low < best.characters()) return std::nullopt;
  return name;
}

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

// Appends `bytes` as UTF-8, each invalid sequence as U+FFFD; false: the system's iconv lacks the encoding.
bool append_converted(std::string_view bytes, const std::string& encoding, std::string& out) {
  Iconv iconv(encoding);
  if (!iconv.is_open()) return false;
  const Named* named = find_named(encoding);
  const std::size_t unit = named != nullptr ? named->unit : 1;
  const char* from = bytes.data();
  std::size_t left = bytes.size(), used = out.size();
  while (true) {
    out.resize(used + left + left / 2 + 64);
    char* to = out.data() + used;
    std::size_t room = out.size() - used;
    const int error = iconv.convert(from, left, to, room);
    if (error != E2BIG && room >= 16) iconv.flush(to, room);
    used = static_cast<std::size_t>(to - out.data());
    if (error == EILSEQ || error == EINVAL) {
      out.resize(used);
      out += replacement;
      used = out.size();
      const std::size_t skipped = error == EINVAL ? left : std::min(unit, left);
      from += skipped;
      left -= skipped;
    }
    if (left == 0) break;
  }
  out.resize(used);
  return true;
}

void append_valid(std::string_view bytes, std::string& out) {
  while (!bytes.empty()) {
    const std::size_t good = valid_utf8_prefix(bytes);
    out += bytes.substr(0, good);
    bytes.remove_prefix(good);
    if (bytes.empty()) break;
    out += replacement;
    bytes.remove_prefix(invalid_utf8_length(bytes));
  }
}

// By what a page declares and by its bytes, which are not UTF-8 throughout.
std::string encoding_of_page(std::string_view bytes, std::string_view declared, bool html) {
  const std::string_view window = bytes.substr(std::min(find_beyond_ascii(bytes.data(), bytes.size()), bytes.size()), window_size);
  std::optional<std::string> guess = guess_encoding(window);
  if (guess == "" && read_as_utf8(window).common > 0) return "";  // a few broken characters
  if (guess == "") guess.reset();                                 // the beginning of one, at the end
  // What calls itself UTF-8 here is not: then the bytes speak.
  if (const auto named = encoding_of_label(declared); named && !named->empty()) return std::string(*named);
  if (std::string named = html ? declared_encoding(bytes) : std::string(); !named.empty()) return named;
  return guess.value_or("windows-1252");
}

}  // namespace

std::string_view page_as_utf8(std::string_view bytes, std::string_view declared, bool html, const std::optional<std::string>& asked,
                              std::string& storage) {
  const std::string_view start = bytes.substr(0, std::min<std::size_t>(bytes.size(), 8192) & ~std::size_t{1});
  const std::optional<Encoding> head = encoding_of_head(asked, start);
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  std::string encoding;
  if (head) {
    if (head->name.empty() && valid_utf8(bytes)) return bytes;
    encoding = head->name;
  } else {
    const auto named = encoding_of_label(declared);
    const bool shifts = named == "ISO-2022-JP" && bytes.find('\x1b') != std::string_view::npos;  // whose bytes are all ASCII
    const bool wide = named && named->starts_with("UTF-16") && bytes.find('\0') != std::string_view::npos;
    if (shifts || wide)
      encoding = *named;
    else if (valid_utf8(bytes))
      return bytes;
    else
      encoding = encoding_of_page(bytes, declared, html);
  }
  storage.clear();
  if (encoding.empty() || !append_converted(bytes, encoding, storage)) {
    storage.clear();
    append_valid(bytes, storage);
  }
  if (storage.starts_with("\xEF\xBB\xBF")) return std::string_view(storage).substr(3);
  return storage;
}

std::unique_ptr<ByteStream> convert(std::unique_ptr<ByteStream> inner, const std::string& encoding) {
  if (encoding.empty()) return inner;
  return std::make_unique<ConvertedStream>(std::move(inner), encoding);
}

std::size_t DetectingStream::read(char* out, std::size_t size) {
  std::size_t done = inner_->read(out, size);
  if (!decided_) {
    const std::size_t ascii = find_beyond_ascii(out, done);
    if (ascii < done) {
      decide({out + ascii, done - ascii});
      done = ascii + inner_->read(out + ascii, size - ascii);
    }
  }
  if (done < size) fault_ = inner_->fault();
  return done;
}

// `begun` was read already and is put back before the rest.
void DetectingStream::decide(std::string_view begun) {
  std::string bytes(begun);
  const std::size_t have = bytes.size();
  if (have < window_size) {
    bytes.resize(window_size);
    bytes.resize(have + inner_->read(bytes.data() + have, window_size - have));
  }
  const std::string_view window = std::string_view(bytes).substr(0, window_size);
  const std::optional<std::string> guess = guess_encoding(window);
  if (guess != "") {
    if (!declared_.empty()) {
      taken_ = {declared_, "declared in the page"};
    } else if (guess) {
      taken_ = {*guess, "detected"};
    } else if (page_) {
      taken_ = {"windows-1252", "assumed of a page that declares nothing"};
    }
  }
  inner_ = convert(std::make_unique<Preceded>(std::move(bytes), std::move(inner_)), taken_.name);
  decided_ = true;
}

}  // namespace leitong::records
