// Runs of tokens that a text shares with any of many texts. Every common run of at least `span` tokens is found, wherever it stands in
// either, except where a limit that is counted says otherwise.
//
// Of each indexed text some n-grams (grams) are chosen by winnowing (Schleimer, Wilkerson and Aiken, "Winnowing: local algorithms for
// document fingerprinting", SIGMOD 2003): of every `window` consecutive grams one, so that every run of gram + window - 1 = span tokens
// holds a chosen one. A searched text is looked up at every position: the choice is made on one side only, which needs no agreement and
// lets a short text be found by a single gram. A gram that is met is extended to the maximal common run at once.
//
// Tokens are 64-bit hashes; equal hashes count as equal tokens.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace leitong::similarity {

struct RunShape {
  std::uint32_t span = 0;      // least length of a run
  std::uint32_t gram = 0;      // tokens hashed together, two thirds of span: rare enough to lead to few places, and few are needed
  std::uint32_t window = 0;    // gram + window - 1 = span
  std::uint32_t shortest = 0;  // an indexed text below span must be held whole; one below this is not looked for
};
[[nodiscard]] RunShape run_shape(std::uint32_t span);  // span > 0

struct Gram {
  std::uint64_t hash = 0;
  std::uint32_t position = 0;  // of its first token in the text
  bool repeats = false;        // the text has more of its kind that are left out
};
// Appends the grams by which a text is found, in order of position: none for fewer than shape.shortest tokens. Of gram tokens, or for a
// text that has not so many, one of `shortest` tokens. Of equal grams the first most_repeats are taken; returns how many are left out.
// O(tokens) on average.
inline constexpr std::uint32_t most_repeats = 10;
std::uint64_t choose_grams(std::span<const std::uint64_t> tokens, const RunShape& shape, std::vector<Gram>& out);

// A gram in more places of the indexed texts than are looked at.
struct CommonGram {
  std::uint64_t hash = 0;
  std::uint64_t places = 0;           // in all
  std::uint64_t first = 0, last = 0;  // the first place and the last that is looked at, counted in tokens through all texts
};
inline constexpr std::uint32_t most_places = 100;

// Finds the common grams of a sequence that ascends by (hash, place).
class CommonGrams {
 public:
  void add(std::uint64_t hash, std::uint64_t place);
  [[nodiscard]] std::vector<CommonGram> take();  // ascending by hash

 private:
  void close();
  CommonGram current_;
  std::vector<CommonGram> common_;
};

// The chosen grams of one length, by hash.
class GramTable {
 public:
  struct Place {
    std::uint64_t hash = 0;
    std::uint32_t position = 0;  // counted through the texts of the index
    std::uint32_t text = 0;      // and the bits below
  };
  static constexpr std::uint32_t common_bit = 1U << 31;  // first place of a common gram
  static constexpr std::uint32_t repeat_bit = 1U << 30;  // the text has more places of the gram, which are left out
  static constexpr std::uint32_t text_bits = repeat_bit - 1;

  void reserve(std::size_t places) { places_.reserve(places); }
  void add(const Place& place) { places_.push_back(place); }
  void sort();
  [[nodiscard]] const std::vector<Place>& places() const { return places_; }
  // Drops what lies beyond the last place of a common gram (`base`: of this index's first token), and makes the tables for finding.
  void finish(std::span<const CommonGram> common, std::uint64_t base);

  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&filter_[hash >> filter_shift_]); }
  [[nodiscard]] bool may_hold(std::uint64_t hash) const { return (filter_[hash >> filter_shift_] >> (hash >> bit_shift_ & 63) & 1) != 0; }
  // All places of a gram, ascending.
  [[nodiscard]] std::span<const Place> find(std::uint64_t hash) const;

 private:
  std::vector<Place> places_;
  std::vector<std::uint32_t> directory_;  // first place of each range of hashes
  std::vector<std::uint64_t> filter_;     // a bit for each hash that is there, and for one in sixteen or more that is not
  unsigned directory_shift_ = 63, filter_shift_ = 63, bit_shift_ = 0;
};

// Texts to be found, in memory. Fill, finish, then search from any number of threads.
class RunIndex {
 public:
  // `base`: tokens of the texts that stand in other indexes before this one.
  explicit RunIndex(const RunShape& shape, std::uint64_t base = 0) : shape_(shape), base_(base) {}
  // Room for so many tokens and their grams at once; what is not used takes no memory.
  void reserve(std::uint64_t tokens);
  // The next text, with what choose_grams says of it. Fewer than 2^30 texts and 2^32 tokens in all.
  void add(std::span<const std::uint64_t> tokens, std::span<const Gram> grams);
  // `common`: of all texts of all indexes, ascending; null: this index has all texts, and finds them itself.
  void finish(const std::vector<CommonGram>* common);

  // Calls sink(hash, place) for all that was added.
  template <typename Sink>
  void for_each_place(const Sink& sink) const {
    for (const GramTable* table : {&grams_, &short_grams_})
      for (const GramTable::Place& place : table->places()) sink(place.hash, base_ + place.position);
  }

  [[nodiscard]] const RunShape& shape() const { return shape_; }
  [[nodiscard]] std::uint64_t base() const { return base_; }
  [[nodiscard]] std::size_t texts() const { return ends_.size(); }
  [[nodiscard]] std::size_t tokens() const { return tokens_.size(); }
  // The text in which a token stands, and the text's first token; both counted in this index.
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> text_at(std::uint32_t token) const;
  // What a text takes in memory.
  [[nodiscard]] static std::uint64_t bytes_of(std::size_t tokens, std::size_t grams);
  [[nodiscard]] const std::vector<CommonGram>& common() const { return common_; }

 private:
  friend class RunFinder;
  RunShape shape_;
  std::uint64_t base_;
  std::vector<std::uint64_t> tokens_;
  std::vector<std::uint32_t> ends_;  // of each text in tokens_
  GramTable grams_, short_grams_;
  std::vector<CommonGram> common_;
};

struct SharedRun {
  std::uint32_t a = 0, b = 0;  // its first token in the searched text and in the indexed one
  std::uint32_t length = 0;
  friend bool operator==(const SharedRun&, const SharedRun&) = default;
};
// Leaves out runs that cover nothing, in a or in b, that longer ones do not cover: repetitive texts share runs at every offset. Sorts by b.
void keep_covering(std::vector<SharedRun>& runs);
[[nodiscard]] std::uint32_t covered_a(std::span<const SharedRun> runs);  // tokens in any of them
[[nodiscard]] std::uint32_t covered_b(std::span<const SharedRun> runs);

struct TextRuns {
  std::uint32_t text = 0;       // in the order of adding
  bool bounded = false;         // there may be more: texts of endless repetition
  std::vector<SharedRun> runs;  // after keep_covering
};

// One a thread.
class RunFinder {
 public:
  explicit RunFinder(const RunIndex& index) : index_(index), met_(index.common_.size(), 0) {}
  // The indexed texts that share a run with this one, ascending: one of shape.span tokens, or all of a shorter indexed text. Valid until
  // the next call. O(tokens) and the lengths of the runs.
  [[nodiscard]] std::span<const TextRuns> find(std::span<const std::uint64_t> tokens);
  // How often each of index.common() was met whose first place is in this index.
  [[nodiscard]] const std::vector<std::uint64_t>& met() const { return met_; }

 private:
  void scan(const GramTable& table, std::uint32_t gram);
  void visit(std::uint32_t at, const GramTable::Place& place, std::uint32_t gram);
  void keep(std::uint32_t text, std::uint32_t text_tokens, const SharedRun& run);
  [[nodiscard]] bool is_bounded(std::uint32_t text) const;

  struct Work {
    std::size_t slot = 0;
    std::uint64_t tokens = 0;
  };
  const RunIndex& index_;
  std::span<const std::uint64_t> tokens_;
  std::unordered_map<std::uint64_t, std::uint32_t> ends_;  // by diagonal: where what was compared last ends in the searched text
  std::unordered_map<std::uint32_t, Work> work_;           // by text
  std::unordered_set<std::uint32_t> repeating_;            // texts that have more places of a gram that was met
  std::vector<TextRuns> found_;
  std::vector<std::uint64_t> met_;
};

}  // namespace leitong::similarity
