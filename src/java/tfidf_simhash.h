// Program B of article 001: words weighed by tf·idf, added in the order of Java's HashMap, which decides the last bits of the sums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "java/java_hash_order.h"
#include "java/java_simhash.h"
#include "java/java_word_files.h"

namespace leitong::java {

// Program B's isInvalid: shorter than two units, or digits alone, or digits and one of 年 | 月 日 (with the bar).
[[nodiscard]] bool is_invalid_word(std::u16string_view word);

// One text after another: clear(), add() every word, finish(). Keeps its buffers. Not for several threads at once.
class TfIdfSimHash {
 public:
  struct Word {
    std::u16string_view word;  // without spaces
    std::uint32_t count = 0;
    bool has_idf = false;
    double weight = 0;  // count times idf, or times the average of all idf values
    std::uint64_t hash = 0;
  };

  // Both must outlive this object.
  TfIdfSimHash(const JavaIdf& idf, const WordTable& stop_words);

  void clear();
  // Stop words (looked up before spaces are removed) and invalid words are left out. `word` must live until finish().
  void add(std::u16string_view word);
  [[nodiscard]] std::uint64_t finish();

  // After finish(): in the order of the sums.
  [[nodiscard]] const std::vector<Word>& words() const { return words_; }
  [[nodiscard]] const DoubleVote& vote() const { return vote_; }
  // A bucket of nine or more words: Java's order, and with it the last bits, may differ (java_hash_order.h).
  [[nodiscard]] bool order_is_uncertain() const { return counted_.has_tree() || weighed_.has_tree(); }

 private:
  struct Counted {
    std::u16string_view word;
    std::uint32_t count;
    bool has_idf;
    double idf;
  };
  // What the two files say of a word of up to four units, by those units: one place to look at instead of six.
  struct Facts {
    std::uint64_t units = 0;  // 0: free
    double idf = 0;
    bool has_idf = false, stop = false;
  };
  // A word as it came. What the files say of it is asked at the end: by then its place has come from memory.
  struct Raw {
    std::u16string_view word;
    std::uint64_t units;
    std::uint32_t count;
  };
  // Where a word of up to four units stands among these.
  struct Seen {
    std::uint64_t units = 0;
    std::uint32_t raw = 0;
    std::uint32_t text = 0;  // the text that it belongs to; of another one: free
  };
  static constexpr std::uint32_t left_out = 0xFFFFFFFF;

  [[nodiscard]] Facts& facts_place(std::uint64_t units);
  [[nodiscard]] std::size_t seen_place(std::uint64_t units) const;
  void grow_seen();
  [[nodiscard]] std::uint32_t item_of(const Raw& raw);
  void set_order();

  const JavaIdf& idf_;
  const WordTable& stop_words_;
  std::vector<Facts> facts_;  // a power of two, at most half full
  JavaHashOrder counted_, weighed_;
  std::vector<Raw> raw_;
  std::vector<Counted> counts_;
  std::vector<Seen> seen_ = std::vector<Seen>(512);  // a power of two, at most half full
  std::size_t seen_count_ = 0;
  std::uint32_t text_ = 1;
  std::deque<std::u16string> without_spaces_;
  std::vector<std::uint32_t> first_order_, order_;
  std::vector<Word> words_;
  std::vector<DoubleVote::Ballot> ballots_;
  DoubleVote vote_;
};

}  // namespace leitong::java
