// Chinese words by a dictionary, the most probable route through it, and a hidden Markov model for what the dictionary lacks: the algorithm
// of the Python package jieba 0.42.1, token for token, with its ties, its floating point and its treatment of what is not Chinese.
//
// Build with -ffp-contract=off: a fused multiply-add would move ties.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "segment/jieba_data.h"
#include "segment/tokens.h"
#include "segment/user_words.h"

namespace leitong::segment {

// A dictionary to cut by. Cutting is const and thread-safe for different `out`; changing the words is neither. Copies share the data.
class Jieba {
 public:
  explicit Jieba(std::shared_ptr<const JiebaData> data);

  // Each replaces the content of `out`. `text` shorter than 4 GiB, else Error (limit); linear time. Every maximal invalid part of UTF-8 is
  // a character of its own that belongs to no word.
  void cut(std::string_view text, bool hmm, Tokens& out) const;             // jieba.cut(text, HMM=hmm)
  void cut_all(std::string_view text, Tokens& out) const;                   // jieba.cut(text, cut_all=True), with its empty tokens
  void cut_for_search(std::string_view text, bool hmm, Tokens& out) const;  // jieba.cut_for_search(text, HMM=hmm)

  // jieba.add_word: without a frequency, one with which the word is just cut out. The tag is only kept. Error (usage) for words that are
  // empty or not UTF-8, Error (limit) for frequencies beyond 2^53.
  void add_word(std::string_view word, std::optional<std::uint64_t> frequency = {}, const std::string& tag = {});
  void del_word(std::string_view word) { add_word(word, 0); }
  // jieba.suggest_freq: a frequency that joins `word`, or that splits the word which `parts` make; `tune` also sets it.
  std::uint64_t suggest_frequency(std::string_view word, bool tune = false);
  std::uint64_t suggest_frequency(std::span<const std::string_view> parts, bool tune = false);
  // jieba.load_userdict: lines of "word", "word tag", "word frequency", "word frequency tag". `name` is for messages. Error (format) for
  // what is not UTF-8; the lines before it stay added.
  void load_user_words(std::string_view content, const std::string& name);

  // The frequency; 0 of what only begins words, nothing for what does not even do that.
  [[nodiscard]] std::optional<std::uint64_t> frequency(std::u32string_view word) const;
  // The user's tag of a word, else the dictionary's; "" without either.
  [[nodiscard]] std::string_view tag(std::string_view word) const;
  [[nodiscard]] std::uint64_t total() const { return total_; }
  [[nodiscard]] const JiebaData& data() const { return *data_; }

 private:
  friend class Cutter;
  // What a byte can be for a block. Plain characters and letters (digits too) alone make no word of several characters, so that nothing
  // must be looked up.
  enum class ByteClass : std::uint8_t { other, letter, plain, mark, han };
  void classify_bytes();
  void set_total(std::uint64_t total);

  std::shared_ptr<const JiebaData> data_;
  UserWords user_;
  std::uint64_t total_ = 0;
  double log_total_ = 0;
  std::array<ByteClass, 256> classes_{};
  std::vector<double> scores_;  // log(frequency / total) by rank; of rank 0: minus infinity; at the end, of the frequency 1
};

}  // namespace leitong::segment
