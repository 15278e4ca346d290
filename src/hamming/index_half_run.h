// The run of 64-bit rows.
#pragma once

#include "hamming/half_index.h"

namespace leitong::hamming {

class HalfRun final : public Run {
 public:
  HalfRun(const RunRows& rows, unsigned threads)
      : index_(rows.values, rows.ids, rows.first_id, {.threads = threads, .group_bits = {}, .first_bits = {}, .kernels = nullptr}) {}
  HalfRun(std::shared_ptr<const storage::ColumnFile> file, std::uint64_t first) : index_(std::move(file), first + columns_of_index) {}
  [[nodiscard]] std::uint64_t rows() const override { return index_.rows(); }
  [[nodiscard]] std::uint64_t bytes() const override { return index_.bytes(); }
  void find(std::span<const std::uint64_t> queries, unsigned k, std::vector<Found>& found) const override;
  [[nodiscard]] const HalfIndex* halves(unsigned k) const override { return scans(k) ? nullptr : &index_; }
  void copy_rows(std::uint64_t* values, std::uint64_t* ids) const override { index_.copy_rows(values, ids); }
  void nearest(std::span<const std::uint64_t> query, Nearest& best) const override { index_.nearest(query[0], best); }
  [[nodiscard]] double cost(unsigned k) const override { return scans(k) ? scan_cost() : index_.cost(k); }
  [[nodiscard]] std::string plan(unsigned k) const override;
  void write(storage::ColumnFileWriter& file, std::uint64_t first) const override;

 private:
  // Rows are put together from columns before they are compared.
  [[nodiscard]] double scan_cost() const { return 2 * compared_word * index_.rows(); }
  [[nodiscard]] bool scans(unsigned k) const;
  HalfIndex index_;
};

}  // namespace leitong::hamming
