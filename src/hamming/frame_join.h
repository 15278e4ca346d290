// One thread's part of a join: scans buckets, verifies what the filters let through, and recurses where a bucket is too full to scan.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "hamming/kernels.h"
#include "hamming/plan.h"
#include "hamming/table.h"
#include "leitong/hamming.h"

namespace leitong::hamming {

// What takes the pairs that are found, a batch at a time; it leaves the batch empty.
using TakePairs = std::function<void(std::vector<HammingPair>&)>;

// A table ready to be joined: rows in bucket order and where the buckets start.
struct Buckets {
  Rows rows;
  const std::uint32_t* starts;
  const Block* block;
  const std::vector<std::uint32_t>* deltas;  // keys to probe, 0 first
};

// All that is decided about one table before rows are seen.
struct PlannedTable {
  Block block;
  Frame frame;  // that of the plan, and every earlier block differs in more than its threshold
  Filter filter;
  std::vector<std::uint32_t> deltas;
};

[[nodiscard]] std::vector<PlannedTable> plan_tables(const Frame& frame, const Plan& plan, unsigned words);

class FrameJoin {
 public:
  FrameJoin(const Kernels& kernels, unsigned words, unsigned k, TakePairs take)
      : kernels_(kernels), words_(words), k_(k), take_(std::move(take)) {}

  // Reports the pairs of buckets v and v ^ delta for each v in [first, last). `filters` is the filter column of all rows, or null: then
  // one is made for the range, which must be all buckets unless 0 is the only delta.
  void join_buckets(const Buckets& buckets, std::uint32_t first, std::uint32_t last, const Frame& frame, const Filter& filter,
                    const FilterColumn* filters);

  // Sorts `rows` by the table's block and joins every bucket.
  void join_rows(const Rows& rows, const PlannedTable& planned);

  // Reports the pairs of rows [first, last) with themselves and all later rows by scanning.
  void scan_rows(const Rows& rows, const FilterColumn& filters, const Filter& filter, std::uint32_t first, std::uint32_t last,
                 const Frame& frame);

  // All pairs of rows that fulfil the frame, whose `usable` bits need not be known.
  void solve(const Rows& rows, Frame frame);

  void flush() {
    if (!batch_.empty()) take_(batch_);
  }

 private:
  struct Side {
    Rows rows;
    const void* filters;
  };
  struct Level {  // what one depth of the recursion keeps
    Table table;
    FilterColumn filters;
    Buffer<std::uint64_t> joined_values;
    Buffer<std::uint32_t> joined_ids;
    Frame planned_frame;
    unsigned planned_log = ~0U;
    Filter scan_filter;                // for a plan without tables
    std::vector<PlannedTable> tables;  // of the last plan
  };

  void scan_small(const Buckets& buckets, std::uint32_t first, std::uint32_t last, const Frame& frame, const Filter& filter,
                  const FilterColumn& filters, std::uint32_t origin);
  void join_cross(const Side& a, const Side& b, std::uint32_t delta, const Block& block, const Filter& filter, const Frame& frame);
  Level& planned_level(const Frame& frame, std::uint32_t n);
  // Scans all of `a` against `b`, a tile of b at a time; with `triangle` both are the same rows, at most a tile of them.
  void scan(const Side& a, const Side& b, bool triangle, const Filter& filter, int spent, const Frame& frame);
  void verify(const std::uint32_t* hits, std::uint32_t count, const Rows& a, const Rows& b, const Frame& frame);
  Level& level(std::size_t depth);

  const Kernels& kernels_;
  unsigned words_, k_;
  TakePairs take_;
  std::vector<HammingPair> batch_;
  Buffer<std::uint32_t> hits_, distances_;
  std::deque<Level> levels_;  // references stay valid while it grows
  std::size_t depth_ = 0;
};

}  // namespace leitong::hamming
