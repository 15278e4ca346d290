// Searches a run for the row of an id in steps, so that several searches can wait for memory at the same time. Keys are hashes and evenly
// distributed, so interpolation search needs about five steps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "store/run.h"

namespace leitong::store {

class IdSearch {
 public:
  // The arguments must outlive the search.
  IdSearch(const Run& run, std::uint64_t key, std::string_view id) : run_(&run), key_(key), id_(id), high_(run.rows()), row_(run.rows()) {
    ask();
  }
  // Uses the memory that the previous step has prefetched. Returns false when the search is done.
  bool step();
  // The result once the search is done: the row, or rows() of the run if there is none.
  [[nodiscard]] std::uint64_t row() const { return row_; }
  [[nodiscard]] bool found() const { return row_ < run_->rows(); }

 private:
  static constexpr std::uint64_t rows_read = 8;  // ranges of at most this many rows are searched linearly

  void ask();
  void read();

  const Run* run_;
  std::uint64_t key_;
  std::string_view id_;
  // Rows with keys below low_key_ are before low_, and rows with keys of at least high_key_ are at high_ or later.
  std::uint64_t low_ = 0, high_, low_key_ = 0, high_key_ = ~std::uint64_t{0}, guess_ = 0;
  std::uint64_t row_;
  unsigned steps_ = 0;
};

inline void IdSearch::ask() {
  if (high_ - low_ <= rows_read) {
    run_->prefetch_key(low_);
    return;
  }
  guess_ = low_ + (high_ - low_) / 2;
  if (steps_ < 12 && high_key_ > low_key_) {
    const double share = static_cast<double>(key_ - low_key_) / static_cast<double>(high_key_ - low_key_);
    guess_ = low_ + static_cast<std::uint64_t>(share * static_cast<double>(high_ - low_ - 1));
    // The guess is moved to one side and then the other, so that both bounds close in.
    const std::uint64_t side = (high_ - low_) >> (steps_ < 2 ? 12U : 4U);
    guess_ = steps_ % 2 == 0 ? (guess_ > low_ + side ? guess_ - side : guess_) : std::min(guess_ + side, high_ - 1);
  }
  guess_ = std::clamp(guess_, low_, high_ - 1);
  run_->prefetch_key(guess_);
}

inline bool IdSearch::step() {
  if (high_ - low_ <= rows_read) {
    read();
    return false;
  }
  const std::uint64_t found = run_->key_at(guess_);
  if (found < key_) {
    low_ = guess_ + 1;
    low_key_ = found;
  } else {
    high_ = guess_;
    high_key_ = found;
    if (found == key_) {  // the rows with this key begin at `guess_` or shortly before
      read();
      return false;
    }
  }
  ++steps_;
  ask();
  return true;
}

inline void IdSearch::read() {
  if (high_ < run_->rows() && run_->key_at(high_) == key_) {
    while (high_ > low_ && run_->key_at(high_ - 1) == key_) --high_;
    low_ = high_;
  }
  for (; low_ < run_->rows(); ++low_) {
    const Row row = run_->head(low_);
    if (row.key > key_ || (row.key == key_ && row.id > id_)) return;
    if (row.key == key_ && row.id == id_) {
      row_ = low_;
      return;
    }
  }
}

}  // namespace leitong::store
