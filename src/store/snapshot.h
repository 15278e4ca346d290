// What a reader sees: the store as it was at one moment, for as long as the reader keeps it. Thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "store/memtable.h"
#include "store/merge.h"
#include "store/number_counts.h"
#include "store/row.h"
#include "store/run.h"

namespace leitong::store {

// The parts of a store, oldest first; rows of one hide those of the same id in the parts before it.
struct View {
  struct Frozen {
    std::shared_ptr<const Memtable> table;
    std::uint32_t visible = 0;
    std::uint64_t last_log = 0;  // its rows stand in the logs up to this one
  };
  std::vector<std::shared_ptr<const Run>> runs;
  std::vector<Frozen> frozen;
  std::shared_ptr<const Memtable> active;
};

struct Match {
  std::uint32_t query = 0, distance = 0;
  std::uint32_t part = 0;  // of the snapshot
  Row row;                 // without sketch, metadata and text unless they were asked for
};

class Snapshot {
 public:
  Snapshot(const Shape& shape, std::shared_ptr<const View> view, std::uint32_t visible)
      : shape_(shape), view_(std::move(view)), visible_(visible) {}

  // Rows within k bits of each query (words of the shape each), by query, distance, sequence. Views live as long as the snapshot.
  void find(std::span<const std::uint64_t> queries, unsigned k, bool whole, std::vector<Match>& out) const;
  // Rows that have one of the keys `any`, or one of `some`. Of `some` only the `needed` rarest of each part are looked up: who wants rows
  // that have at least some.size() - needed + 1 of them misses none. Each row once, whole, in no order of meaning. At most `most` rows are
  // looked at, hidden ones included; `truncated` if there are more. Match::distance is 0. Rows that `worth` refuses are looked at, but not
  // handed out; it is told flags and sketch, and how many of `some` the row has at most. Returns how many were looked at.
  using Worth = std::function<bool(const Row& outline, std::size_t most_shared)>;
  std::size_t find_keys(std::span<const std::uint32_t> any, std::span<const std::uint32_t> some, std::size_t needed, std::size_t most,
                        std::vector<Match>& out, bool& truncated, const Worth& worth = {}) const;
  // The row of an id, whole. None: no such row, or erased.
  [[nodiscard]] std::optional<Row> get(std::string_view id) const;
  // Every row once, in order of its key: the newest of its id, erased ones left out.
  [[nodiscard]] std::unique_ptr<RowSource> scan() const;
  // The same rows by sequence number. Parts hold numbers in order of age, so that 16 bytes of memory for each row of the largest part do;
  // each row is looked up by id in newer parts.
  void visit_in_sequence(const std::function<void(const Row&)>& visit) const;
  // Rows kept in runs and memory, hidden and erasing ones included: at least as many as scan() gives.
  [[nodiscard]] std::uint64_t rows() const;
  [[nodiscard]] const View& view() const { return *view_; }
  [[nodiscard]] std::uint32_t visible() const { return visible_; }

 private:
  // Parts are numbered: runs, frozen tables, the active one.
  [[nodiscard]] std::size_t parts() const { return view_->runs.size() + view_->frozen.size() + 1; }
  // One of them: a run, or the rows of a table that are visible.
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
    // Perhaps without sketch, metadata and text.
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
  void take_worthy(std::size_t number, const NumberCounts& met, std::size_t unasked, const Worth& worth, std::vector<Match>& out) const;
  // Leaves out rows that a newer part hides.
  void drop_hidden(std::vector<Match>& rows) const;
  void require_readable() const;
  // The row of an id in one part.
  [[nodiscard]] static std::optional<Row> get_in(const Part& part, std::uint64_t key, std::string_view id, bool whole);

  Shape shape_;
  std::shared_ptr<const View> view_;
  std::uint32_t visible_;
};

}  // namespace leitong::store
