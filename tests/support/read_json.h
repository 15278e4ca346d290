// Tests: lines of JSON whose values must be there.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "records/json_value.h"

namespace leitong {

class JsonLine {
 public:
  explicit JsonLine(std::string_view line) {
    if (!parser_.parse(line, root_)) throw std::runtime_error("not JSON: " + std::string(line));
  }
  records::JsonValue operator[](std::string_view key) const { return root_[key]; }
  template <class T>
  [[nodiscard]] T at(std::string_view key) const {
    return as<T>(root_[key]);
  }
  template <class T>
  static T as(records::JsonValue value) {
    T out{};
    if (!value.get(out)) throw std::runtime_error("a value is missing or of another kind");
    return out;
  }
  [[nodiscard]] std::string text(std::string_view key) const { return std::string(at<std::string_view>(key)); }
  [[nodiscard]] std::uint64_t number(std::string_view key) const { return at<std::uint64_t>(key); }

 private:
  records::JsonParser parser_;
  records::JsonValue root_;
};

}  // namespace leitong
