#include "java/java_word_files.h"

#include <algorithm>
#include <cstddef>

#include "java/java_string.h"
#include "text/utf16.h"

namespace leitong::java {
namespace {

// BufferedReader.readLine: lines end with \n, \r or \r\n; the last one may have no end.
class Lines {
 public:
  explicit Lines(std::u16string_view text) : rest_(text) {}
  bool next(std::u16string_view& line) {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find_first_of(u"\r\n"), rest_.size());
    line = rest_.substr(0, end);
    const bool two = rest_.substr(end, 2) == u"\r\n";
    rest_.remove_prefix(std::min(end + (two ? 2 : 1), rest_.size()));
    ++number_;
    return true;
  }
  [[nodiscard]] std::size_t number() const { return number_; }

 private:
  std::u16string_view rest_;
  std::size_t number_ = 0;
};

// line.split(" ") when it has exactly two parts: String.split drops empty parts at the end.
bool split_in_two(std::u16string_view line, std::u16string_view& first, std::u16string_view& second) {
  while (!line.empty() && line.back() == u' ') line.remove_suffix(1);
  const std::size_t space = line.find(u' ');
  if (space == std::u16string_view::npos) return false;
  first = line.substr(0, space);
  second = line.substr(space + 1);
  return second.find(u' ') == std::u16string_view::npos;
}

}  // namespace

JavaIdf read_java_idf(std::string_view utf8, const std::string& name) {
  const std::u16string units = text::to_utf16(utf8);
  JavaIdf idf;
  double sum = 0;
  std::int32_t lines_read = 0;
  Lines lines(units);
  for (std::u16string_view line, word, field; lines.next(line);) {
    if (!split_in_two(line, word, field)) {
      ++idf.skipped;
      continue;
    }
    const std::optional<double> value = java_parse_double(field);
    if (!value) {
      idf.warnings.push_back(name + ":" + std::to_string(lines.number()) + ": \"" + text::to_utf8(field) +
                             "\" is no number; as in the Java program, this line and all behind it are not used");
      break;
    }
    const std::uint32_t number = idf.words.add(word);
    if (number == idf.values.size()) idf.values.emplace_back();
    idf.values[number] = *value;
    sum += *value;
    ++lines_read;
  }
  idf.average = sum / lines_read;
  return idf;
}

WordTable read_java_stop_words(std::string_view utf8) {
  const std::u16string units = text::to_utf16(utf8);
  WordTable words;
  Lines lines(units);
  for (std::u16string_view line; lines.next(line);) {
    if (!line.empty()) words.add(line);
  }
  return words;
}

}  // namespace leitong::java
