// Rows of a part that have some of the keys asked for: those with one of the keys `any`, and those with enough of the keys `some`.
//
// Prefix filter with counts (Chaudhuri, Ganti, Kaushik 2006; Wang, Li, Feng, "Can we beat the prefix filtering?", 2012): a row that has at
// least o of n keys has one of any n - o + 1 of them, and e + 1 of any n - o + 1 + e. So the rarest so many lists are read and rows counted
// that stand in them, and most chance meetings are refused without being looked at. How many a row must have depends on its class (its
// size), so each class has its own number of lists. Which lists are read changes only how long it takes.
//
// One for each thread, used for one query after the other.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "store/memtable.h"
#include "store/number_counts.h"
#include "store/postings.h"
#include "store/run.h"

namespace leitong::store {

struct WantedKeys {
  std::span<const std::uint32_t> any;   // keys
  std::span<const std::uint32_t> some;  // groups of keys, distinct
  // By class: look up so many of `some`. This finds all rows that have some.size() - needed + 1 keys of these groups and this class. 0:
  // rows of this class are not wanted.
  std::array<std::uint32_t, classes> needed{};
};

// How many keys a row was found to have of those that were looked up.
struct MetKeys {
  std::uint32_t count;
  std::uint32_t all;                                // keys of `some`
  const std::array<std::uint32_t, classes>& asked;  // keys of `some` that were looked up, by class
  // At most so many it has, if it has keys of this class only.
  [[nodiscard]] std::uint32_t most(std::uint32_t key_class) const { return std::min(all, count + all - asked[key_class]); }
};

class KeySearch {
 public:
  // `wanted` must stay. `most_rows`, `most_postings`: limits on what is found and read in all parts together.
  void begin(const WantedKeys& wanted, std::size_t most_rows, std::size_t most_postings);
  void in(const Run& run);
  void in(const Memtable& table, std::uint32_t visible);
  // Rows of the last part that were found, in the order in which they were met.
  [[nodiscard]] const std::vector<NumberCounts::Met>& found() const { return found_; }
  [[nodiscard]] MetKeys met(std::uint32_t count) const { return {count, static_cast<std::uint32_t>(wanted_->some.size()), asked_}; }
  [[nodiscard]] bool truncated() const { return truncated_; }

 private:
  struct List {
    std::size_t length;          // or somewhat more
    std::uint32_t group, chain;  // chain: of a table
  };
  void choose();
  bool count(std::uint32_t row, std::uint32_t weight);
  void take(std::uint32_t rows);

  const WantedKeys* wanted_ = nullptr;
  std::size_t most_rows_ = 0, most_postings_ = 0;  // left
  std::array<std::uint32_t, classes> asked_{};
  std::uint32_t most_asked_ = 0, least_ = 1, certain_ = 1;
  bool truncated_ = false;
  NumberCounts counts_;
  std::vector<List> lists_;  // rarest first, as far as they are read
  std::vector<Postings::Lists> rows_;
  std::vector<std::span<const std::uint32_t>> any_rows_;
  std::vector<std::uint32_t> groups_, chains_;
  std::vector<NumberCounts::Met> found_;
};

}  // namespace leitong::store
