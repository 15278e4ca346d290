// Reading JSON: one document at a time, and its values by their keys. Only here (json_value.cpp) the parser is known by name: its header
// takes longer to compile than most of the files that read a value.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace leitong::records {

struct JsonMember;
class JsonValue;
using JsonElements = std::vector<JsonValue>;
using JsonMembers = std::vector<JsonMember>;

// A value of a document, or none: what is asked of none is none again, so that a path needs one check at its end.
class JsonValue {
 public:
  JsonValue() = default;  // none
  explicit operator bool() const { return handle_ != Handle{}; }
  // A member by its key, of repeated ones the first; none: there is no such member, or this is no object.
  JsonValue operator[](std::string_view key) const;

  // False, and `out` as it was: it is of another kind. Whole numbers are read as every type that can hold them.
  bool get(std::string_view& out) const;
  bool get(std::uint64_t& out) const;
  bool get(std::int64_t& out) const;
  bool get(double& out) const;
  bool get(bool& out) const;
  bool get(JsonElements& out) const;  // of an array
  bool get(JsonMembers& out) const;   // of an object, in its order
  [[nodiscard]] bool is_null() const;
  [[nodiscard]] std::string minified() const;  // as JSON without spaces; of none: empty

 private:
  friend class JsonParser;
  using Handle = std::array<std::uintptr_t, 2>;  // the parser's own, all zero for none
  explicit JsonValue(const Handle& handle) : handle_(handle) {}
  template <class T>
  bool read(T& out) const;

  Handle handle_{};
};

struct JsonMember {
  std::string_view key;
  JsonValue value;
};

// Values and their texts are valid as long as the parser, and until it parses again.
class JsonParser {
 public:
  JsonParser();
  ~JsonParser();

  // False, and `root` is none: this is no JSON. Throws std::bad_alloc.
  bool parse(std::string_view json, JsonValue& root);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace leitong::records
