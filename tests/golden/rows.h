// Reads the golden vectors: gzipped JSON Lines with UTF-16 strings, lone surrogates included. Only for tests.
//
// They are looked for in the folder golden of LEITONG_SHARED; a test without them is skipped, and says so.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace leitong::golden {

struct Value {
  enum class Kind { null, boolean, number, string, array, object } kind = Kind::null;
  bool boolean = false;
  double number = 0;
  std::u16string text;
  std::vector<Value> items;
  std::map<std::string, Value> fields;  // keys of objects as UTF-8

  [[nodiscard]] bool is_null() const { return kind == Kind::null; }
  [[nodiscard]] const Value& operator[](std::string_view key) const;  // throws std::out_of_range
  [[nodiscard]] const Value& operator[](std::size_t i) const { return items.at(i); }
  [[nodiscard]] long long integer() const { return static_cast<long long>(number); }
  [[nodiscard]] std::string utf8() const;
};

[[nodiscard]] Value parse(std::string_view json);  // throws std::runtime_error

// The folder, or an empty string.
[[nodiscard]] std::string folder();
// A file of the folder, unpacked if its name ends with .gz.
[[nodiscard]] std::string read(const std::string& name);
[[nodiscard]] std::vector<Value> rows(const std::string& name);

}  // namespace leitong::golden

#define LEITONG_NEED_GOLDEN() \
  if (leitong::golden::folder().empty()) GTEST_SKIP() << "no golden vectors: LEITONG_SHARED names no folder that holds golden/"
