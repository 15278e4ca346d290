// A reader's view: the state of the store at one moment, for as long as the reader keeps it. Thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "store/key_search.h"
#include "store/memtable.h"
#include "store/merge.h"
#include "store/row.h"
#include "store/run.h"

namespace leitong::store {

// The parts of a store, oldest first; a row hides rows of the same id in older parts.
struct View {
  struct Frozen {
    std::shared_ptr<const Memtable> table;
    std::uint32_t visible = 0;
    std::uint64_t last_log = 0;  // its rows are in the logs up to this one
  };
  std::vector<std::shared_ptr<const Run>> runs;
  std::vector<Frozen> frozen;
  std::shared_ptr<const Memtable> active;
};

struct Match {
  std::uint32_t query = 0, distance = 0;
  std::uint32_t part = 0;  // index of the part in the snapshot
  Row row;                 // without sketch, metadata and text unless they were asked for
};

class Snapshot {
 public:
  Snapshot(const Shape& shape, std::shared_ptr<const View> view, std::uint32_t visible)
      : shape_(shape), view_(std::move(view)), visible_(visible) {}

  // Rows within k bits of each query (a query has as many words as the shape), ordered by query, distance and sequence. Views are valid as
  // long as the snapshot exists.
  void find(std::span<const std::uint64_t> queries, unsigned k, bool whole, std::vector<Match>& out) const;
  // Rows by their keys (key_search.h). Each is returned once, complete, in no particular order; Match::distance is 0. At most `most` rows
  // are examined, including hidden ones, and 64 times as many postings are read; `truncated` tells whether there are more. A row that
  // `worth` refuses is examined but not returned. Returns how many rows were examined.
  using Worth = std::function<bool(const Row& outline, const MetKeys& met)>;
  std::size_t find_keys(const WantedKeys& wanted, std::size_t most, std::vector<Match>& out, bool& truncated,
                        const Worth& worth = {}) const;
  // The complete row of an id; empty if there is no such row or it is erased.
  [[nodiscard]] std::optional<Row> get(std::string_view id) const;
  // Every row once in order of its key: the newest row of each id, without erased ones.
  [[nodiscard]] std::unique_ptr<RowSource> scan() const;
  // Visits the same rows by sequence number. Older parts have smaller numbers, so the memory needed is 16 bytes for each row of the largest
  // part only. Each row is looked up by id in newer parts.
  void visit_in_sequence(const std::function<void(const Row&)>& visit) const;
  // The number of rows in runs and memory, including hidden and erasing ones; scan() visits at most as many.
  [[nodiscard]] std::uint64_t rows() const;
  [[nodiscard]] const View& view() const { return *view_; }
  [[nodiscard]] std::uint32_t visible() const { return visible_; }

 private:
  // The parts are numbered in this order: runs, frozen tables, the active table.
  [[nodiscard]] std::size_t parts() const { return view_->runs.size() + view_->frozen.size() + 1; }
  // One part: a run, or the visible rows of a table.
  struct Part {
    const Run* run;
    const Memtable* table;
    std::uint32_t visible;
    [[nodiscard]] std::uint64_t rows() const { return run != nullptr ? run->rows() : visible; }
    [[nodiscard]] Row row(std::uint64_t number) const {
      return run != nullptr ? run->row(number) : table->row(static_cast<std::uint32_t>(number));
    }
    // Flags and sketch, and perhaps more.
    [[nodiscard]] Row outline(std::uint32_t number) const { return run != nullptr ? run->outline(number) : table->row(number, 0); }
    // The row, possibly without sketch, metadata and text.
    [[nodiscard]] Row head(std::uint64_t number) const { return run != nullptr ? run->head(number) : row(number); }
    void prefetch(std::uint32_t number) const {
      if (run != nullptr)
        run->prefetch_outline(number);
      else
        table->prefetch_entry(number);
    }
    void prefetch_more(std::uint32_t number) const {
      if (run == nullptr) table->prefetch_row(number);
    }
    [[nodiscard]] bool is_newest(std::uint64_t number) const {
      return run != nullptr || table->is_newest(static_cast<std::uint32_t>(number), visible);
    }
    void require_readable() const {
      if (run != nullptr) run->require_readable();
    }
  };
  [[nodiscard]] Part part(std::size_t number) const;
  void take_worthy(std::size_t number, const KeySearch& search, const Worth& worth, std::vector<Match>& out) const;
  // Removes rows that are hidden by a newer part.
  void drop_hidden(std::vector<Match>& rows) const;
  void require_readable() const;
  // The row of an id in one part.
  [[nodiscard]] static std::optional<Row> get_in(const Part& part, std::uint64_t key, std::string_view id, bool whole);

  Shape shape_;
  std::shared_ptr<const View> view_;
  std::uint32_t visible_;
};

}  // namespace leitong::store
