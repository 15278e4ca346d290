// The join of a whole collection: plan, partition in parallel, hand ranges of buckets to the threads.
#include <algorithm>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "hamming/frame_join.h"
#include "hamming/hamming.h"
#include "hamming/threads.h"
#include "leitong/error.h"

namespace leitong::hamming {
namespace {

constexpr unsigned kOnePassSpan = 12;            // more bits are partitioned in two passes …
constexpr std::uint32_t kOnePassRows = 100'000;  // … unless the rows stay in the outer cache
constexpr unsigned kRanges = 256;                // pieces of work that threads take in turn
constexpr std::uint32_t kQueries = 256;          // rows a thread takes at a time in a plain scan

class SelfJoin {
 public:
  SelfJoin(const Kernels& kernels, std::span<const std::uint64_t> values, const HammingJoinOptions& options, PairSink& sink)
      : words_(options.words), threads_(std::max(1U, options.threads)) {
    rows_ = {values.data(), nullptr, static_cast<std::uint32_t>(values.size() / words_), 0};
    const unsigned k = std::min(options.k, 64 * words_);
    frame_.limit = static_cast<int>(k);
    for (unsigned t = 0; t < threads_; ++t) workers_.emplace_back(kernels, words_, k, sink);
  }

  void run() {
    if (rows_.n < 2) return;
    frame_.usable = varying_bits(rows_, words_);
    const std::vector<PlannedTable> tables = plan_tables(frame_, make_plan(frame_, rows_.n, words_), words_);
    if (tables.empty()) scan_all();
    for (const PlannedTable& planned : tables) join_table(planned);
    for (FrameJoin& worker : workers_) worker.flush();
  }

 private:
  void scan_all() {
    const Filter filter = choose_filter(frame_, nullptr, words_);
    filters_.reserve(rows_.n);
    filters_.fill(rows_, words_, filter, 0);
    run_items(threads_, (rows_.n - 1) / kQueries + 1, [&](unsigned thread, std::uint32_t item) {
      const std::uint32_t first = item * kQueries;
      workers_[thread].scan_rows(rows_, filters_, filter, first, first + std::min(kQueries, rows_.n - first), frame_);
    });
  }

  // A wide block is partitioned in two passes: first into parts, the groups of buckets that share the high digit of the key. Without
  // probes a part is sorted and joined at once, in the cache, and no complete table is ever made.
  void join_table(const PlannedTable& planned) {
    const Block& block = planned.block;
    const bool two_passes = block.span > kOnePassSpan && (rows_.n > kOnePassRows || block.span > 18);
    const unsigned low = two_passes ? (block.span - 1) / 2 : 0;
    if (block.threshold > 0) return join_probing(planned, low);
    partition_high(block, low, parted_);
    const Rows rows = parted_.rows(rows_.n);
    const std::uint32_t* starts = parted_.starts.data();
    if (two_passes) {
      PlannedTable rest = planned;
      rest.block.span = low;
      rest.block.mask &= (std::uint64_t{1} << low) - 1;
      run_items(threads_, 1U << (block.span - low), [&](unsigned thread, std::uint32_t part) {
        workers_[thread].join_rows(rows.slice(starts[part], starts[part + 1] - starts[part], words_), rest);
      });
    } else {
      join_ranges({rows, starts, &block, &planned.deltas}, planned, nullptr);
    }
  }

  // With probes every bucket may be asked for, so the table has to be complete first.
  void join_probing(const PlannedTable& planned, unsigned low) {
    const Block& block = planned.block;
    table_.reserve(rows_.n, words_, block.span);
    partition_high(block, low, low == 0 ? table_ : parted_);
    if (low != 0) {
      const std::uint32_t parts = 1U << (block.span - low);
      for (std::size_t part = 0; part <= parts; ++part) table_.starts.data()[part << low] = parted_.starts.data()[part];
      run_items(threads_, parts, [&](unsigned, std::uint32_t part) { sort_part(block, low, part); });
    }
    fill_filters(planned.filter);
    join_ranges({table_.rows(rows_.n), table_.starts.data(), &block, &planned.deltas}, planned, &filters_);
  }

  void join_ranges(const Buckets& buckets, const PlannedTable& planned, const FilterColumn* filters) {
    const std::uint32_t all = 1U << buckets.block->span;
    const std::uint32_t per_range = std::max(1U, all / kRanges);
    run_items(threads_, all / per_range, [&](unsigned thread, std::uint32_t range) {
      workers_[thread].join_buckets(buckets, range * per_range, (range + 1) * per_range, planned.frame, planned.filter, filters);
    });
  }

  // Sorts all rows by the key without its `low` lowest bits. The order is the same with any number of threads: each counts its share, and
  // the shares' places in a bucket follow each other.
  void partition_high(const Block& block, unsigned low, Table& out) {
    const Digit digit{block.word, block.shift + low, block.mask >> low};
    const std::size_t parts = std::size_t{1} << (block.span - low);
    out.reserve(rows_.n, words_, block.span - low);
    std::uint32_t* counts = out.cursors.reserve(parts * threads_);
    std::fill_n(counts, parts * threads_, 0);
    in_shares(threads_, rows_.n, [&](unsigned s, std::uint32_t first, std::uint32_t last) {
      count_digits(rows_.slice(first, last - first, words_), words_, digit, counts + parts * s);
    });
    std::uint32_t sum = 0;
    for (std::size_t p = 0; p < parts; ++p) {
      out.starts.data()[p] = sum;
      for (unsigned s = 0; s < threads_; ++s) {
        const std::uint32_t count = counts[parts * s + p];
        counts[parts * s + p] = sum;
        sum += count;
      }
    }
    out.starts.data()[parts] = sum;
    in_shares(threads_, rows_.n, [&](unsigned s, std::uint32_t first, std::uint32_t last) {
      scatter(rows_.slice(first, last - first, words_), words_, digit, counts + parts * s, out.values.data(), out.ids.data());
    });
  }

  // Second pass: sorts part `part` of parted_ by the low digit into its place in table_.
  void sort_part(const Block& block, unsigned low, std::uint32_t part) {
    const std::uint32_t first = parted_.starts.data()[part];
    const Rows rows = parted_.rows(rows_.n).slice(first, parted_.starts.data()[part + 1] - first, words_);
    const std::uint32_t buckets = 1U << low;
    const Digit digit{block.word, block.shift, block.mask & (buckets - 1)};
    std::vector<std::uint32_t> cursors(buckets);
    count_digits(rows, words_, digit, cursors.data());
    std::uint32_t* starts = table_.starts.data() + (std::size_t{part} << low);
    std::uint32_t sum = first;
    for (std::uint32_t b = 0; b < buckets; ++b) {
      const std::uint32_t count = cursors[b];
      cursors[b] = sum;
      if (b != 0) starts[b] = sum;  // the parts' own starts are there already
      sum += count;
    }
    scatter(rows, words_, digit, cursors.data(), table_.values.data(), table_.ids.data());
  }

  void fill_filters(const Filter& filter) {
    filters_.reserve(rows_.n);
    in_shares(threads_, rows_.n, [&](unsigned, std::uint32_t first, std::uint32_t last) {
      filters_.fill(table_.rows(rows_.n).slice(first, last - first, words_), words_, filter, first);
    });
  }

  Rows rows_;
  unsigned words_, threads_;
  Frame frame_;
  std::deque<FrameJoin> workers_;  // not movable: they hold references
  Table parted_;                   // after the first, or only, pass
  Table table_;                    // the complete table, where probes need it
  FilterColumn filters_;           // of all rows, where probes or a plain scan need it
};

void check(std::span<const std::uint64_t> values, const HammingJoinOptions& options) {
  if (options.words != 1 && options.words != 2 && options.words != 4) {
    throw Error(ErrorCode::usage,
                "fingerprints of " + std::to_string(options.words) + " words cannot be joined; use 1, 2 or 4 words (64, 128 or 256 bits)");
  }
  if (options.words == 1 && options.k > 12) {
    throw Error(ErrorCode::usage, "a join of 64-bit fingerprints within " + std::to_string(options.k) +
                                      " bits is out of range; use k from 0 to 12, or fingerprints of 128 or 256 bits");
  }
  if (values.size() % options.words != 0) {
    throw Error(ErrorCode::usage, std::to_string(values.size()) + " words are not a whole number of fingerprints of " +
                                      std::to_string(options.words) + " words");
  }
  if (values.size() / options.words > 0xffffffffU) {
    throw Error(ErrorCode::usage, "more than 4294967295 fingerprints in one join; split the collection");
  }
}

}  // namespace

void self_join(const Kernels& kernels, std::span<const std::uint64_t> values, const HammingJoinOptions& options,
               const std::function<void(std::span<const HammingPair>)>& sink) {
  check(values, options);
  PairSink pairs(sink);
  SelfJoin(kernels, values, options, pairs).run();
}

}  // namespace leitong::hamming

namespace leitong {

void hamming_self_join(std::span<const std::uint64_t> values, const HammingJoinOptions& options,
                       const std::function<void(std::span<const HammingPair>)>& sink) {
  hamming::self_join(hamming::kernels(), values, options, sink);
}

}  // namespace leitong
