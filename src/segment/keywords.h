// The keywords of a text by tf-idf: jieba.analyse.extract_tags without part-of-speech filter.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "segment/jieba.h"

namespace leitong::segment {

struct Keyword {
  std::string word;
  double weight;
};

class Keywords {
 public:
  explicit Keywords(const Jieba& jieba);  // which must outlive it; with jieba's own stop words

  // jieba.analyse.set_stop_words: adds the lines of a file.
  void add_stop_words(std::string_view content);
  // The `top` heaviest (0: all), heaviest first, of equal ones the earlier in the text. Thread-safe.
  [[nodiscard]] std::vector<Keyword> extract(std::string_view text, std::size_t top = 20) const;

 private:
  const Jieba& jieba_;
  std::unordered_set<std::string> stop_words_;
};

}  // namespace leitong::segment
