// The two files of program B of article 001: idf values and stop words, read as the program reads them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "java/word_table.h"

namespace leitong::java {

struct JavaIdf {
  WordTable words;
  std::vector<double> values;  // by number of the word
  double average = 0;          // of all lines that were read, repeated words included; NaN without any
  std::uint64_t skipped = 0;   // lines that were passed over
  // What the Java program keeps silent about: a line that ended the reading.
  std::vector<std::string> warnings;

  [[nodiscard]] std::optional<double> find(std::u16string_view word, std::uint32_t java_hash) const {
    const auto number = words.find(word, java_hash);
    return number ? std::optional(values[*number]) : std::nullopt;
  }
};

// Lines of exactly two fields with one space between them; others are skipped. The last value of a word wins. The first field that is no
// Java double ends the reading, without an error: the values so far stay, and a warning names `name` and the line.
[[nodiscard]] JavaIdf read_java_idf(std::string_view utf8, const std::string& name);

// One word a line, untrimmed; empty lines are skipped.
[[nodiscard]] WordTable read_java_stop_words(std::string_view utf8);

}  // namespace leitong::java
