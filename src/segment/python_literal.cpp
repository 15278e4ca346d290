#include "segment/python_literal.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

#include "leitong/error.h"
#include "text/utf8.h"

namespace leitong::segment {
namespace {

class Reader {
 public:
  Reader(std::string_view source, const std::string& file) : source_(source), file_(file) {}

  std::vector<LiteralEntry> dictionary() {
    at_ = std::min(source_.find('{'), source_.size());
    std::vector<LiteralEntry> all;
    entries([&](std::u32string key) {
      LiteralEntry entry{std::move(key), 0, {}};
      if (peek() == '{') {
        entries([&](std::u32string inner) { entry.entries.emplace_back(std::move(inner), number()); });
      } else {
        entry.number = number();
      }
      all.push_back(std::move(entry));
    });
    return all;
  }

 private:
  template <typename Value>
  void entries(const Value& value) {
    expect('{');
    while (peek() != '}') {
      std::u32string key = string();
      expect(':');
      value(std::move(key));
      if (peek() != '}') expect(',');
    }
    ++at_;
  }

  [[noreturn]] void fail(const char* what) const {
    const auto line = 1 + std::count(source_.begin(), source_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    throw Error(ErrorCode::format, file_ + ":" + std::to_string(line) + ": " + what + "; is this jieba's table?");
  }

  char peek() {
    while (at_ < source_.size() && (source_[at_] == ' ' || source_[at_] == '\n' || source_[at_] == '\r' || source_[at_] == '\t')) ++at_;
    if (at_ == source_.size()) fail("unexpected end");
    return source_[at_];
  }

  void expect(char c) {
    if (peek() != c) fail("unexpected character");
    ++at_;
  }

  double number() {
    peek();
    double value = 0;
    const char* begin = source_.data() + at_;
    const auto [end, error] = std::from_chars(begin, source_.data() + source_.size(), value);
    if (error != std::errc() || !(value <= 0)) fail("expected a logarithm of a probability");
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  std::u32string string() {
    peek();
    if (source_[at_] == 'u') ++at_;
    expect('\'');
    std::u32string out;
    while (at_ < source_.size() && source_[at_] != '\'') out.push_back(character());
    expect('\'');
    return out;
  }

  char32_t character() {
    if (source_[at_] != '\\') {
      const text::Decoded c = text::decode_utf8(source_, at_);
      at_ += c.size;
      return c.value;
    }
    unsigned value = 0;
    const std::size_t digits = at_ + 2;
    if (digits + 4 > source_.size() || source_[at_ + 1] != 'u') fail("unknown escape");
    const auto [end, error] = std::from_chars(source_.data() + digits, source_.data() + digits + 4, value, 16);
    if (error != std::errc() || end != source_.data() + digits + 4) fail("broken escape");
    at_ = digits + 4;
    return value;
  }

  std::string_view source_;
  const std::string& file_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<LiteralEntry> read_python_dictionary(std::string_view source, const std::string& file) {
  return Reader(source, file).dictionary();
}

std::vector<std::string> read_python_strings(std::string_view source, std::string_view after, const std::string& file) {
  std::size_t at = source.find(after);
  const std::size_t end = at == std::string_view::npos ? at : source.find("))", at);
  if (end == std::string_view::npos)
    throw Error(ErrorCode::format, file + ": no '" + std::string(after) + "' there; is this jieba's file?");
  std::vector<std::string> strings;
  while ((at = source.find('"', at)) < end) {
    const std::size_t close = std::min(source.find('"', at + 1), end);
    strings.emplace_back(source.substr(at + 1, close - at - 1));
    at = close + 1;
  }
  return strings;
}

}  // namespace leitong::segment
