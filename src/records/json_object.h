// Small JSON objects for metadata and summaries: writing in the order of the calls, reading with simdjson.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "leitong/file_name.h"

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
  [[nodiscard]] simdjson::dom::element root() const { return root_; }
  [[nodiscard]] std::string text(simdjson::dom::element object, std::string_view key) const;
  [[nodiscard]] std::uint64_t number(simdjson::dom::element object, std::string_view key) const;
  [[nodiscard]] std::int64_t signed_number(simdjson::dom::element object, std::string_view key) const;
  [[nodiscard]] double real(simdjson::dom::element object, std::string_view key) const;
  [[nodiscard]] bool boolean(simdjson::dom::element object, std::string_view key) const;
  [[nodiscard]] std::vector<std::string> texts(simdjson::dom::element object, std::string_view key) const;
  [[nodiscard]] std::string name(simdjson::dom::element object, std::string_view key) const { return named_by(text(object, key)); }
  [[nodiscard]] std::vector<std::string> names(simdjson::dom::element object, std::string_view key) const;
  [[nodiscard]] simdjson::dom::array array(simdjson::dom::element object, std::string_view key) const;

 private:
  template <typename T>
  T get(simdjson::dom::element object, std::string_view key) const;
  std::string where_;
  simdjson::dom::parser parser_;
  simdjson::dom::element root_;
};

}  // namespace leitong::records
