#include "golden/rows.h"

#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "text/utf16.h"

namespace leitong::golden {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view json) : s_(json) {}

  Value value() {
    space();
    switch (peek()) {
      case '{':
        return object();
      case '[':
        return array();
      case '"': {
        Value v;
        v.kind = Value::Kind::string;
        v.text = string();
        return v;
      }
      case 't':
      case 'f':
      case 'n':
        return word();
      default:
        return number();
    }
  }

 private:
  char peek() const { return at_ < s_.size() ? s_[at_] : '\0'; }
  void space() {
    while (at_ < s_.size() && (s_[at_] == ' ' || s_[at_] == '\n' || s_[at_] == '\r' || s_[at_] == '\t')) ++at_;
  }
  void expect(char c) {
    space();
    if (peek() != c) throw std::runtime_error("bad JSON at " + std::to_string(at_));
    ++at_;
  }
  bool next_is(char c) {
    space();
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  std::u16string string() {
    expect('"');
    std::u16string out;
    while (peek() != '"') {
      if (at_ >= s_.size()) throw std::runtime_error("unfinished JSON string");
      if (peek() != '\\') {
        std::size_t end = at_;
        while (end < s_.size() && s_[end] != '"' && s_[end] != '\\') ++end;
        text::append_utf16(s_.substr(at_, end - at_), out);
        at_ = end;
        continue;
      }
      ++at_;
      out.push_back(escape());
    }
    ++at_;
    return out;
  }

  char16_t escape() {
    const char c = s_.at(at_++);
    switch (c) {
      case 'n':
        return u'\n';
      case 't':
        return u'\t';
      case 'r':
        return u'\r';
      case 'b':
        return u'\b';
      case 'f':
        return u'\f';
      case 'u': {
        const auto unit = static_cast<char16_t>(std::stoul(std::string(s_.substr(at_, 4)), nullptr, 16));
        at_ += 4;
        return unit;
      }
      default:
        return static_cast<char16_t>(c);
    }
  }

  Value object() {
    Value v;
    v.kind = Value::Kind::object;
    expect('{');
    if (next_is('}')) return v;
    do {
      space();
      std::string key = text::to_utf8(string());
      expect(':');
      v.fields.emplace(std::move(key), value());
    } while (next_is(','));
    expect('}');
    return v;
  }

  Value array() {
    Value v;
    v.kind = Value::Kind::array;
    expect('[');
    if (next_is(']')) return v;
    do v.items.push_back(value());
    while (next_is(','));
    expect(']');
    return v;
  }

  Value word() {
    Value v;
    for (const std::string_view w : {"true", "false", "null"}) {
      if (s_.substr(at_, w.size()) != w) continue;
      at_ += w.size();
      if (w != "null") v.kind = Value::Kind::boolean;
      v.boolean = w == "true";
      return v;
    }
    throw std::runtime_error("bad JSON word");
  }

  Value number() {
    const std::size_t end = std::min(s_.find_first_not_of("+-.0123456789eE", at_), s_.size());
    if (end == at_) throw std::runtime_error("bad JSON at " + std::to_string(at_));
    Value v;
    v.kind = Value::Kind::number;
    v.number = std::stod(std::string(s_.substr(at_, end - at_)));
    at_ = end;
    return v;
  }

  std::string_view s_;
  std::size_t at_ = 0;
};

}  // namespace

const Value& Value::operator[](std::string_view key) const { return fields.at(std::string(key)); }
std::string Value::utf8() const { return text::to_utf8(text); }

Value parse(std::string_view json) { return Parser(json).value(); }

std::string folder() {
  const char* const shared = std::getenv("LEITONG_SHARED");
  if (shared == nullptr) return "";
  const std::filesystem::path path = std::filesystem::path(shared) / "golden";
  return std::filesystem::is_directory(path) ? path.string() : "";
}

std::string read(const std::string& name) {
  const std::string path = folder() + "/" + name;
  gzFile file = gzopen(path.c_str(), "rb");  // reads plain files too
  if (file == nullptr) throw std::runtime_error("cannot open " + path);
  std::string out;
  char buffer[65536];
  int n;
  while ((n = gzread(file, buffer, sizeof buffer)) > 0) out.append(buffer, static_cast<std::size_t>(n));
  gzclose(file);
  if (n < 0) throw std::runtime_error("cannot read " + path);
  return out;
}

std::vector<Value> rows(const std::string& name) {
  const std::string all = read(name);
  std::vector<Value> out;
  std::string_view rest = all;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (end > 0) out.push_back(parse(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

}  // namespace leitong::golden
