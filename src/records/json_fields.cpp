#include "records/json_fields.h"

#include <algorithm>
#include <cstring>

#include "leitong/error.h"
#include "records/json_value.h"
#include "records/string_scan.h"

namespace leitong::records {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The four digits after \u, already checked.
std::uint32_t code_unit(const char* digits) {
  std::uint32_t unit = 0;
  for (int i = 0; i < 4; ++i) unit = unit << 4 | static_cast<std::uint32_t>(hex_digit(digits[i]));
  return unit;
}

char* put_utf8(std::uint32_t c, char* out) {
  if (c < 0x80) {
    *out++ = static_cast<char>(c);
  } else if (c < 0x800) {
    *out++ = static_cast<char>(0xC0 | c >> 6);
    *out++ = static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    *out++ = static_cast<char>(0xE0 | c >> 12);
    *out++ = static_cast<char>(0x80 | (c >> 6 & 0x3F));
    *out++ = static_cast<char>(0x80 | (c & 0x3F));
  } else {
    *out++ = static_cast<char>(0xF0 | c >> 18);
    *out++ = static_cast<char>(0x80 | (c >> 12 & 0x3F));
    *out++ = static_cast<char>(0x80 | (c >> 6 & 0x3F));
    *out++ = static_cast<char>(0x80 | (c & 0x3F));
  }
  return out;
}

// `p` is behind "\u"; returns behind the last digit used.
const char* unescape_unit(const char* p, const char* end, char*& out) {
  std::uint32_t c = code_unit(p);
  p += 4;
  if (c >= 0xD800 && c < 0xDC00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u') {
    const std::uint32_t low = code_unit(p + 2);
    if (low >= 0xDC00 && low < 0xE000) {
      c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
      p += 6;
    }
  }
  out = put_utf8(c, out);  // of a surrogate without its partner: the three bytes that it would have
  return p;
}

// What the character after a backslash stands for; 0: a unit in hexadecimal digits follows, or it is none of JSON's. A table, for nobody
// could predict which escape comes next.
struct Escapes {
  char meaning[256] = {};

  constexpr Escapes() {
    constexpr char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    for (unsigned i = 0; i + 1 < sizeof names; ++i) meaning[static_cast<unsigned char>(names[i])] = meanings[i];
  }
  char operator[](char name) const { return meaning[static_cast<unsigned char>(name)]; }
};
constexpr Escapes escapes;

}  // namespace

JsonPaths::JsonPaths(const std::vector<std::string>& paths) {
  if (paths.size() > 64) throw Error(ErrorCode::usage, "more than 62 further fields are asked for; name fewer");
  for (const std::string& name : paths) {
    if (name.empty()) throw Error(ErrorCode::usage, "a field has an empty name; give the name of a key or column");
    Path path{name, {}, false};
    for (std::size_t begin = 0; begin <= name.size();) {
      const std::size_t dot = std::min(name.find('.', begin), name.size());
      path.segments.push_back(name.substr(begin, dot - begin));
      path.many = path.many || path.segments.back() == "*";
      begin = dot + 1;
    }
    paths_.push_back(std::move(path));
  }
}

bool JsonFields::extract(const JsonPaths& paths, std::string_view line) {
  paths_ = &paths;
  slots_.resize(paths.paths().size());
  for (Slot& slot : slots_) {
    slot.nested = slot.literal = JsonPiece{};
    slot.all.clear();
    slot.seen = 0;
  }
  begin_ = p_ = line.data();
  end_ = p_ + line.size();
  depth_ = 0;
  error_ = nullptr;
  cut_off_ = false;
  space();
  if (peek() != '{') {
    JsonPiece other;
    if (!any_value(other)) return false;
    space();
    return fail(p_ == end_ ? not_an_object : "something follows the value");
  }
  const std::uint64_t all = slots_.size() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << slots_.size()) - 1;
  if (!object(0, all)) return false;
  space();
  return p_ == end_ || fail("something follows the object");
}

const JsonPiece& JsonFields::value(std::size_t path) const {
  const Slot& slot = slots_[path];
  return slot.nested.kind == JsonKind::missing ? slot.literal : slot.nested;
}

std::span<const JsonPiece> JsonFields::values(std::size_t path) const {
  const Slot& slot = slots_[path];
  return slot.all.empty() ? std::span(&value(path), 1) : std::span<const JsonPiece>(slot.all);
}

bool JsonFields::fail(const char* what) {
  if (error_ == nullptr) {
    error_ = what;
    error_at_ = std::min(p_, end_);
    cut_off_ = cut_off_ || p_ >= end_;
  }
  return false;
}

// An object on the way to a wanted field. The recursion is as deep as the longest dotted path at most.
bool JsonFields::object(std::size_t level, std::uint64_t active) {
  if (++depth_ > max_depth) return fail("nested too deeply");
  ++p_;
  space();
  if (peek() != '}') {
    while (true) {
      if (!member(level, active)) return false;
      space();
      if (peek() != ',') break;
      ++p_;
      space();
    }
    if (peek() != '}') return fail("expected a comma or a closing brace");
  }
  ++p_;
  --depth_;
  return true;
}

bool JsonFields::member(std::size_t level, std::uint64_t active) {
  JsonPiece name;
  if (!key(name)) return false;
  return matched_value(level, match(level, active, name));
}

// As object, for an array on the way.
bool JsonFields::array(std::size_t level, std::uint64_t active) {
  if (++depth_ > max_depth) return fail("nested too deeply");
  ++p_;
  space();
  if (peek() != ']') {
    for (std::uint64_t index = 0;; ++index) {
      if (!matched_value(level, match_element(level, active, index))) return false;
      space();
      if (peek() != ',') break;
      ++p_;
      space();
    }
    if (peek() != ']') return fail("expected a comma or a closing bracket");
  }
  ++p_;
  --depth_;
  return true;
}

// The value of a member or element, for the paths that end at it and those that go through it.
bool JsonFields::matched_value(std::size_t level, const Match& matched) {
  JsonPiece value;
  const char* begin = p_;
  if (matched.descend != 0 && (peek() == '{' || peek() == '[')) {
    if (!(peek() == '{' ? object(level + 1, matched.descend) : array(level + 1, matched.descend))) return false;
    value = {JsonKind::container, false, {begin, static_cast<std::size_t>(p_ - begin)}};
  } else if (!any_value(value)) {
    return false;
  }
  for (std::size_t i = 0; (matched.take | matched.literal) >> i != 0; ++i) {
    if ((matched.take >> i & 1) != 0) {
      if (slots_[i].nested.kind == JsonKind::missing) slots_[i].nested = value;
      if (paths_->paths()[i].many) slots_[i].all.push_back(value);
    }
    if ((matched.literal >> i & 1) != 0) slots_[i].literal = value;
    if (i == 63) break;
  }
  return true;
}

JsonFields::Match JsonFields::match(std::size_t level, std::uint64_t active, const JsonPiece& key) {
  Match found;
  std::string_view name = key.raw.substr(1, key.raw.size() - 2);
  if (key.escaped) {
    key_buffer_.resize(key.raw.size() + 16);
    name = {key_buffer_.data(), unescape_json(key.raw, key_buffer_.data())};
  }
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if ((active >> i & 1) == 0) continue;
    const JsonPaths::Path& path = paths_->paths()[i];
    Slot& slot = slots_[i];
    const std::uint64_t bit = std::uint64_t{1} << i;
    if (name == path.segments[level] && slot.seen <= level) {
      slot.seen = static_cast<unsigned>(level + 1);
      (level + 1 == path.segments.size() ? found.take : found.descend) |= bit;
    }
    if (level == 0 && path.segments.size() > 1 && slot.literal.kind == JsonKind::missing && name == path.name) found.literal |= bit;
  }
  return found;
}

JsonFields::Match JsonFields::match_element(std::size_t level, std::uint64_t active, std::uint64_t index) {
  Match found;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if ((active >> i & 1) == 0) continue;
    const JsonPaths::Path& path = paths_->paths()[i];
    const std::string& segment = path.segments[level];
    if (segment != "*" && (!is_digit(segment.front()) || segment != std::to_string(index))) continue;
    slots_[i].seen = static_cast<unsigned>(level + 1);  // what was met in the element before is no repetition
    (level + 1 == path.segments.size() ? found.take : found.descend) |= std::uint64_t{1} << i;
  }
  return found;
}

bool JsonFields::any_value(JsonPiece& out) {
  const char c = peek();
  if (c != '{' && c != '[') return scalar(out);
  const char* begin = p_;
  if (!container()) return false;
  out = {JsonKind::container, false, {begin, static_cast<std::size_t>(p_ - begin)}};
  return true;
}

// Skips a whole array or object without recursion: in_object_ is the stack.
bool JsonFields::container() {
  const unsigned floor = depth_;
  JsonPiece ignored;
  while (true) {  // at the beginning of a value
    const char c = peek();
    if (c == '{' || c == '[') {
      if (depth_ == max_depth) return fail("nested too deeply");
      const std::uint64_t bit = std::uint64_t{1} << (depth_ % 64);
      c == '{' ? in_object_[depth_ / 64] |= bit : in_object_[depth_ / 64] &= ~bit;
      ++depth_;
      ++p_;
      space();
      if (peek() != (c == '{' ? '}' : ']')) {
        if (c == '{' && !key(ignored)) return false;
        continue;
      }
    } else if (!scalar(ignored)) {
      return false;
    }
    // Behind a value, or at the closing sign of an empty container.
    while (depth_ > floor) {
      const bool in_object = (in_object_[(depth_ - 1) / 64] >> ((depth_ - 1) % 64) & 1) != 0;
      space();
      if (peek() == (in_object ? '}' : ']')) {
        ++p_;
        --depth_;
        continue;
      }
      if (peek() != ',') return fail("expected a comma or a closing bracket");
      ++p_;
      space();
      if (in_object && !key(ignored)) return false;
      break;
    }
    if (depth_ == floor) return true;
  }
}

bool JsonFields::key(JsonPiece& out) {
  if (peek() != '"') return fail("expected a key in quotes");
  if (!string(out)) return false;
  space();
  if (peek() != ':') return fail("expected a colon after a key");
  ++p_;
  space();
  return true;
}

bool JsonFields::scalar(JsonPiece& out) {
  switch (peek()) {
    case '"':
      return string(out);
    case 't':
      return word("true", 4, JsonKind::boolean, out);
    case 'f':
      return word("false", 5, JsonKind::boolean, out);
    case 'n':
      return word("null", 4, JsonKind::null, out);
    default:
      return number(out);
  }
}

bool JsonFields::word(const char* expected, std::size_t size, JsonKind kind, JsonPiece& out) {
  const std::size_t there = std::min(static_cast<std::size_t>(end_ - p_), size);
  const bool good = std::memcmp(p_, expected, there) == 0;
  cut_off_ = good && there < size;
  if (!good || cut_off_) return fail("expected a value");
  out = {kind, false, {p_, size}};
  p_ += size;
  return true;
}

bool JsonFields::number(JsonPiece& out) {
  const char* begin = p_;
  if (peek() == '-') ++p_;
  if (!is_digit(peek())) return fail("expected a value");
  if (peek() == '0') {
    ++p_;
  } else {
    while (is_digit(peek())) ++p_;
  }
  if (peek() == '.') {
    ++p_;
    if (!is_digit(peek())) return fail("expected a digit after the decimal point");
    while (is_digit(peek())) ++p_;
  }
  if (peek() == 'e' || peek() == 'E') {
    ++p_;
    if (peek() == '+' || peek() == '-') ++p_;
    if (!is_digit(peek())) return fail("expected a digit in the exponent");
    while (is_digit(peek())) ++p_;
  }
  out = {JsonKind::number, false, {begin, static_cast<std::size_t>(p_ - begin)}};
  return true;
}

bool JsonFields::string(JsonPiece& out) {
  const char* begin = p_++;
  bool escaped = false;
  while (true) {
    p_ += plain_run(p_, end_, nullptr);
    if (p_ >= end_) return fail("a string is not closed");
    if (*p_ == '"') break;
    if (*p_ != '\\') return fail("control character in a string");
    escaped = true;
    do {  // escapes often follow each other: text in \u escapes only
      if (!escape()) return false;
    } while (peek() == '\\');
  }
  ++p_;
  out = {JsonKind::string, escaped, {begin, static_cast<std::size_t>(p_ - begin)}};
  return true;
}

bool JsonFields::escape() {
  cut_off_ = end_ - p_ < 2;
  if (cut_off_) return fail("a string is not closed");
  if (escapes[p_[1]] != 0) {
    p_ += 2;
    return true;
  }
  if (p_[1] != 'u') return fail("unknown escape in a string");
  if (end_ - p_ < 6) {
    cut_off_ = std::all_of(p_ + 2, end_, [](char c) { return hex_digit(c) >= 0; });
    return fail("\\u needs four hexadecimal digits");
  }
  if ((hex_digit(p_[2]) | hex_digit(p_[3]) | hex_digit(p_[4]) | hex_digit(p_[5])) < 0) {
    return fail("\\u needs four hexadecimal digits");
  }
  p_ += 6;
  return true;
}

namespace {

// Strings, numbers and the like by their names; what is inside of objects and of an array's first element behind a dot.
void add_leaves(JsonValue value, const std::string& path, std::size_t most, std::vector<std::string>& names) {
  constexpr std::size_t deepest = 8;
  const auto dots = static_cast<std::size_t>(std::count(path.begin(), path.end(), '.'));
  const std::string prefix = path.empty() ? path : path + ".";
  if (names.size() >= most) return;
  JsonMembers members;
  JsonElements elements;
  if (dots < deepest && value.get(members)) {
    for (const auto& [name, member] : members) add_leaves(member, prefix + std::string(name), most, names);
  } else if (dots < deepest && value.get(elements) && !elements.empty()) {
    add_leaves(elements.front(), prefix + "*", most, names);
  } else if (!path.empty() && std::find(names.begin(), names.end(), path) == names.end()) {
    names.push_back(path);
  }
}

}  // namespace

void add_field_names(std::string_view object, std::size_t most, std::vector<std::string>& names) {
  JsonParser parser;
  JsonValue root;
  if (parser.parse(object, root)) add_leaves(root, "", most, names);
}

std::size_t unescape_json(std::string_view raw, char* out) {
  const char* p = raw.data() + 1;
  const char* end = raw.data() + raw.size() - 1;
  char* to = out;
  while (p < end) {
    const std::size_t plain = plain_run(p, end, to);
    p += plain;
    to += plain;
    while (p < end && *p == '\\') {
      const char meaning = escapes[p[1]];
      p += 2;
      if (meaning == 0) {
        p = unescape_unit(p, end, to);
      } else {
        *to++ = meaning;
      }
    }
  }
  return static_cast<std::size_t>(to - out);
}

}  // namespace leitong::records
