// Jieba: Chinese words token for token as the Python package jieba 0.42.1 gives them, with its user dictionaries and keywords.
//
// A profile with words = "jieba" cuts by this (leitong/segment.h); here is the rest of the package's interface. Not thread-safe: one a
// thread; they share the compiled dictionary.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace leitong {

class Jieba {
 public:
  // `data`: a compiled dictionary by name or path (leitong/data.h); empty: "jieba". Errors as of find_data and of a damaged file.
  explicit Jieba(const std::string& data = {});
  ~Jieba();
  Jieba(Jieba&&) noexcept;
  Jieba& operator=(Jieba&&) noexcept;

  enum class Mode {
    cut,           // jieba.cut(text): the most probable words, unknown ones by the hidden Markov model
    plain,         // jieba.cut(text, HMM=False)
    all,           // jieba.cut(text, cut_all=True): every word there is
    search,        // jieba.cut_for_search(text)
    search_plain,  // jieba.cut_for_search(text, HMM=False)
  };
  struct Token {
    std::string_view text;      // of the argument, except in mode all, which joins Latin letters that user words stand between
    std::uint32_t begin, end;   // bytes of the argument; of such a joined token both lie beyond its end
    std::uint32_t first, last;  // code points, as jieba.tokenize counts them; `last` is behind the token
    std::string_view tag;       // the dictionary's part of speech; empty for a word that it lacks
  };
  // `utf8` must outlive the tokens, which are valid until the next call. Every maximal invalid part of UTF-8 is a token. Linear time.
  [[nodiscard]] std::span<const Token> operator()(std::string_view utf8, Mode mode = Mode::cut);

  // jieba.add_word: without a frequency, one with which the word is just cut out. jieba.del_word: frequency 0.
  void add_word(std::string_view word, std::optional<std::uint64_t> frequency = {}, std::string_view tag = {});
  void del_word(std::string_view word);
  // jieba.suggest_freq: a frequency that joins the word, or that splits the word which the parts make; `tune` also sets it.
  std::uint64_t suggest_freq(std::string_view word, bool tune = false);
  std::uint64_t suggest_freq(std::span<const std::string_view> parts, bool tune = false);
  // jieba.load_userdict: lines "word", "word tag", "word frequency" or "word frequency tag". Error(io), Error(format) with the line.
  void load_userdict(const std::string& path);

  struct Keyword {
    std::string word;
    double weight;
  };
  // jieba.analyse.extract_tags without a filter by part of speech: the `top` words (0: all) of the greatest tf·idf, heaviest first.
  [[nodiscard]] std::vector<Keyword> extract_tags(std::string_view utf8, std::size_t top = 20) const;
  // jieba.analyse.set_stop_words: the lines of a file join the stop words of extract_tags. Error(io).
  void add_stop_words(const std::string& path);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace leitong
