#include "store/merge.h"

#include <algorithm>
#include <utility>

namespace leitong::store {
namespace {

class RunSource final : public RowSource {
 public:
  explicit RunSource(std::shared_ptr<const Run> run) : run_(std::move(run)) {}
  bool next(Row& row) override {
    if (at_ == run_->rows()) return false;
    row = run_->row(at_++);
    run_->require_readable();  // an unreadable page reads as zeros, which must not be copied
    return true;
  }

 private:
  std::shared_ptr<const Run> run_;
  std::uint64_t at_ = 0;
};

class MemtableSource final : public RowSource {
 public:
  MemtableSource(std::shared_ptr<const Memtable> table, std::uint32_t visible) : table_(std::move(table)) {
    for (std::uint32_t row = 0; row < visible; ++row)
      if (table_->is_newest(row, visible)) order_.emplace_back(table_->row(row).key, row);
    std::sort(order_.begin(), order_.end(), [&](const auto& a, const auto& b) {
      return a.first != b.first ? a.first < b.first : table_->row(a.second).id < table_->row(b.second).id;
    });
  }
  bool next(Row& row) override {
    if (at_ == order_.size()) return false;
    // In key order the rows are scattered in memory. So entries are prefetched far ahead, and the rows themselves less far.
    if (at_ + 2 * look_ahead < order_.size()) table_->prefetch_entry(order_[at_ + 2 * look_ahead].second);
    if (at_ + look_ahead < order_.size()) table_->prefetch_row(order_[at_ + look_ahead].second);
    const auto [key, number] = order_[at_++];
    row = table_->row(number, key);
    return true;
  }

 private:
  static constexpr std::size_t look_ahead = 16;
  std::shared_ptr<const Memtable> table_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order_;
  std::size_t at_ = 0;
};

class Merged final : public RowSource {
 public:
  Merged(std::vector<std::unique_ptr<RowSource>> sources, bool drop_erased) : drop_erased_(drop_erased) {
    for (auto& source : sources) {
      Head head{{}, std::move(source), heads_.size()};
      if (head.source->next(head.row))
        heads_.push_back(std::move(head));
      else
        ended_.push_back(std::move(head.source));
    }
    std::make_heap(heads_.begin(), heads_.end(), comes_later);
  }

  bool next(Row& row) override {
    while (!heads_.empty()) {
      row = heads_.front().row;  // the newest row of the smallest id
      do {
        advance_front();
      } while (!heads_.empty() && heads_.front().row.key == row.key && heads_.front().row.id == row.id);
      if (!drop_erased_ || !row.erased()) return true;
    }
    return false;
  }

 private:
  struct Head {
    Row row;
    std::unique_ptr<RowSource> source;
    std::size_t age;  // a newer source has a greater number
  };
  static bool comes_later(const Head& a, const Head& b) {
    if (a.row.key != b.row.key) return a.row.key > b.row.key;
    if (a.row.id != b.row.id) return a.row.id > b.row.id;
    return a.age < b.age;
  }
  void advance_front() {
    std::pop_heap(heads_.begin(), heads_.end(), comes_later);
    if (heads_.back().source->next(heads_.back().row)) {
      std::push_heap(heads_.begin(), heads_.end(), comes_later);
    } else {
      ended_.push_back(std::move(heads_.back().source));
      heads_.pop_back();
    }
  }

  bool drop_erased_;
  std::vector<Head> heads_;
  std::vector<std::unique_ptr<RowSource>> ended_;  // kept because views of their last rows may still be in use
};

}  // namespace

std::unique_ptr<RowSource> rows_of(std::shared_ptr<const Run> run) { return std::make_unique<RunSource>(std::move(run)); }
std::unique_ptr<RowSource> rows_of(std::shared_ptr<const Memtable> table, std::uint32_t visible) {
  return std::make_unique<MemtableSource>(std::move(table), visible);
}
std::unique_ptr<RowSource> merged(std::vector<std::unique_ptr<RowSource>> sources, bool drop_erased) {
  if (sources.size() == 1 && !drop_erased) return std::move(sources[0]);
  return std::make_unique<Merged>(std::move(sources), drop_erased);
}

}  // namespace leitong::store
