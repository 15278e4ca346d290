// The run of rows that stand as they are: few rows, which are compared one by one, or wide ones with half indexes of one or several words.
//
// Rows within k bits have a word w within t(w) whenever Σ(t(w) + 1) = k + 1, so the indexes of some words give every candidate; each is
// compared whole, and counts at the first word that it is near in.
#pragma once

#include "hamming/half_index.h"

namespace leitong::hamming {

class RowsRun final : public Run {
 public:
  RowsRun(const RunRows& rows, const RunShape& shape);
  RowsRun(std::shared_ptr<const storage::ColumnFile> file, std::uint64_t first, unsigned words);
  [[nodiscard]] std::uint64_t rows() const override { return n_; }
  [[nodiscard]] std::uint64_t bytes() const override;
  void find(std::span<const std::uint64_t> queries, unsigned k, std::vector<Found>& found) const override;
  void copy_rows(std::uint64_t* values, std::uint64_t* ids) const override;
  void nearest(std::span<const std::uint64_t> query, Nearest& best) const override;
  [[nodiscard]] double cost(unsigned k) const override { return divide(k).nanoseconds; }
  [[nodiscard]] std::string plan(unsigned k) const override;
  void write(storage::ColumnFileWriter& file, std::uint64_t first) const override;

 private:
  struct WordIndex {
    unsigned word;
    double alike;  // share of row pairs that are near in this word, in a sample
    HalfIndex index;
  };
  struct Division {
    unsigned used = 0;               // indexes, from the first; 0: all rows are compared
    std::array<unsigned, 4> most{};  // bits in the word of each
    double nanoseconds = 0;
  };
  [[nodiscard]] Division divide(unsigned k) const;
  void build_indexes(const RunShape& shape);
  [[nodiscard]] double alike_in(unsigned word) const;
  void scan(std::span<const std::uint64_t> queries, unsigned k, std::vector<Found>& found) const;
  struct Candidates;
  void ask_word(const Division& division, unsigned place, std::span<const std::uint64_t> queries, std::span<bool> full,
                Candidates& candidates) const;
  void find_by_word(const Division& division, unsigned place, std::span<const std::uint64_t> queries, unsigned k, std::span<bool> full,
                    std::vector<Found>& found) const;
  // Rows and their ids are about to be read. Of a mapped file: Error(format) if they are damaged.
  void touch_rows(std::uint64_t first, std::uint64_t count) const {
    if (file_ == nullptr) return;
    file_->touch(values_ + first * words_, count * words_);
    file_->touch(ids_ + first, count);
  }
  [[nodiscard]] double scan_cost() const { return compared_word * static_cast<double>(n_ * words_); }

  unsigned words_;
  std::uint64_t n_ = 0;
  Buffer<std::uint64_t> memory_;
  std::shared_ptr<const storage::ColumnFile> file_;
  const std::uint64_t* values_ = nullptr;
  const std::uint64_t* ids_ = nullptr;
  std::vector<WordIndex> indexes_;
};

}  // namespace leitong::hamming
