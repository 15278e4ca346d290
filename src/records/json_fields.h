// One line of JSON Lines to the values of the wanted fields. The whole line is checked against RFC 8259 (not only the way to the fields),
// in one pass and without recursion into what is not wanted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace leitong::records {

enum class JsonKind : std::uint8_t { missing, string, number, boolean, null, container };

struct JsonPiece {
  JsonKind kind = JsonKind::missing;
  bool escaped = false;  // a string with at least one backslash
  std::string_view raw;  // strings with their quotes
};

// Where the wanted fields are: dotted paths. "meta.text" is the member "text" of the object "meta" or, if there is none, the member
// "meta.text" of the record itself. In an array 0, 1, ... is an element of it and * each of them: "messages.*.content".
class JsonPaths {
 public:
  // At most 64 paths; throws Error(usage) for more, or for an empty one.
  explicit JsonPaths(const std::vector<std::string>& paths);
  struct Path {
    std::string name;
    std::vector<std::string> segments;
    bool many = false;  // one of them is *
  };
  [[nodiscard]] const std::vector<Path>& paths() const { return paths_; }

 private:
  std::vector<Path> paths_;
};

// State of the parser, to be reused from line to line.
class JsonFields {
 public:
  static constexpr unsigned max_depth = 1024;

  // False if `line` is not one JSON object (is_other_value: it is another JSON value); error() and error_offset() then say why. `line` must
  // be valid UTF-8, and 16 bytes behind it must be readable. Of repeated keys the first counts.
  bool extract(const JsonPaths& paths, std::string_view line);
  [[nodiscard]] const JsonPiece& value(std::size_t path) const;             // of a path with * the first
  [[nodiscard]] std::span<const JsonPiece> values(std::size_t path) const;  // of a path without * the one, if only a missing one
  [[nodiscard]] bool is_other_value() const { return error_ == not_an_object; }
  [[nodiscard]] const char* error() const { return error_; }
  [[nodiscard]] bool is_cut_off() const { return cut_off_; }  // the error is that the line ends: it may be the beginning of a good one
  [[nodiscard]] std::size_t error_offset() const { return static_cast<std::size_t>(error_at_ - begin_); }

 private:
  struct Slot {
    JsonPiece nested, literal;
    std::vector<JsonPiece> all;  // of a path with *
    unsigned seen = 0;           // segments of the path already met: a repeated key is not looked at again
  };
  struct Match {
    std::uint64_t take = 0, literal = 0, descend = 0;  // bit i: path i
  };

  bool object(std::size_t level, std::uint64_t active);
  bool array(std::size_t level, std::uint64_t active);
  bool member(std::size_t level, std::uint64_t active);
  bool matched_value(std::size_t level, const Match& matched);
  Match match(std::size_t level, std::uint64_t active, const JsonPiece& key);
  Match match_element(std::size_t level, std::uint64_t active, std::uint64_t index);
  bool any_value(JsonPiece& out);
  bool scalar(JsonPiece& out);
  bool container();
  bool key(JsonPiece& out);
  bool string(JsonPiece& out);
  bool escape();
  bool number(JsonPiece& out);
  bool word(const char* expected, std::size_t size, JsonKind kind, JsonPiece& out);
  void space() {
    while (p_ < end_ && (*p_ == ' ' || *p_ == '\t' || *p_ == '\n' || *p_ == '\r')) ++p_;
  }
  [[nodiscard]] char peek() const { return p_ < end_ ? *p_ : '\0'; }
  bool fail(const char* what);

  static constexpr char not_an_object[] = "not an object";  // an array: its address, which is compared, is one in all files

  const JsonPaths* paths_ = nullptr;
  std::vector<Slot> slots_;
  const char *begin_ = nullptr, *p_ = nullptr, *end_ = nullptr;
  const char* error_ = nullptr;
  const char* error_at_ = nullptr;
  bool cut_off_ = false;
  unsigned depth_ = 0;
  std::uint64_t in_object_[max_depth / 64] = {};  // bit d: the open container of depth d is an object
  std::string key_buffer_;
};

// Dotted paths of what `object`, a valid JSON object, holds, as JsonPaths understands them; at most `most` of them are in `names` then.
void add_field_names(std::string_view object, std::size_t most, std::vector<std::string>& names);

// The characters that a string value means, written to `out`, which must have room for raw.size() + 16 bytes; returns their number.
// A surrogate without its other half becomes the three bytes that UTF-8 would give it if it were a character: texts keep what they were,
// for profiles that are defined on UTF-16; every other reader takes the bytes for invalid ones. `raw` is as JsonPiece::raw of a string.
std::size_t unescape_json(std::string_view raw, char* out);

}  // namespace leitong::records
