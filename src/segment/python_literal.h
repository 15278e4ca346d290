// Reads what jieba's tables are written in: a Python dictionary literal of strings to numbers, or to such dictionaries.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace leitong::segment {

struct LiteralEntry {
  std::u32string key;
  double number = 0;
  std::vector<std::pair<std::u32string, double>> entries;  // of the inner dictionary, if it is one
};

// The first dictionary in `source`. `file` is for messages. Throws Error (format).
std::vector<LiteralEntry> read_python_dictionary(std::string_view source, const std::string& file);

// The strings in double quotes between `after` and the next "))".
std::vector<std::string> read_python_strings(std::string_view source, std::string_view after, const std::string& file);

}  // namespace leitong::segment
