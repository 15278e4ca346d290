// Small JSON objects for metadata and summaries: writing in the order of the calls, reading by keys that must be there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/file_name.h"
#include "records/json_value.h"

namespace leitong::records {

// Writes one JSON object: JsonObject o; o.text("a", "b").number("n", 1); o.str() is {"a":"b","n":1}.
class JsonObject {
 public:
  JsonObject& text(std::string_view key, std::string_view value);
  JsonObject& number(std::string_view key, std::uint64_t value);
  JsonObject& real(std::string_view key, double value);
  JsonObject& boolean(std::string_view key, bool value);
  JsonObject& null(std::string_view key);
  JsonObject& raw(std::string_view key, std::string_view json);  // a JSON value as it is
  JsonObject& texts(std::string_view key, const std::vector<std::string>& values);
  JsonObject& name(std::string_view key, std::string_view file) { return text(key, shown_name(file)); }  // leitong/file_name.h
  JsonObject& names(std::string_view key, const std::vector<std::string>& files);
  [[nodiscard]] std::string str() const { return out_ + "}"; }

 private:
  std::string& key(std::string_view name);
  std::string out_ = "{";
};

// Reads one JSON document that Leitong wrote; a missing or mistyped key is Error(format) naming `where`.
class JsonReader {
 public:
  JsonReader(const std::string& json, std::string where);
  [[nodiscard]] JsonValue root() const { return root_; }
  [[nodiscard]] std::string text(JsonValue object, std::string_view key) const;
  [[nodiscard]] std::uint64_t number(JsonValue object, std::string_view key) const;
  [[nodiscard]] std::int64_t signed_number(JsonValue object, std::string_view key) const;
  [[nodiscard]] double real(JsonValue object, std::string_view key) const;
  [[nodiscard]] bool boolean(JsonValue object, std::string_view key) const;
  [[nodiscard]] std::vector<std::string> texts(JsonValue object, std::string_view key) const;
  [[nodiscard]] std::vector<std::uint64_t> numbers(JsonValue object, std::string_view key) const;
  [[nodiscard]] std::string name(JsonValue object, std::string_view key) const { return named_by(text(object, key)); }
  [[nodiscard]] std::vector<std::string> names(JsonValue object, std::string_view key) const;
  [[nodiscard]] JsonElements array(JsonValue object, std::string_view key) const;

 private:
  template <typename T>
  T get(JsonValue object, std::string_view key) const;
  template <typename T>
  T as(JsonValue element, std::string_view key, const char* what) const;
  std::string where_;
  JsonParser parser_;
  JsonValue root_;
};

}  // namespace leitong::records
