#include "hamming/general_join.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "hamming/frame_join.h"
#include "hamming/ordered_sink.h"
#include "hamming/threads.h"

namespace leitong::hamming {
namespace {

constexpr unsigned one_pass_span = 12;            // more bits are partitioned in two passes …
constexpr std::uint32_t one_pass_rows = 100'000;  // … unless the rows stay in the outer cache
constexpr unsigned ranges = 256;                  // pieces of work that threads take in turn
constexpr std::uint32_t queries_at_once = 256;    // rows a thread takes at a time in a plain scan

class GeneralJoin {
 public:
  GeneralJoin(const Kernels& kernels, std::span<const std::uint64_t> values, std::uint32_t split, const HammingJoinOptions& options,
              const HammingPairSink& sink)
      : kernels_(kernels),
        sink_(sink),
        words_(options.words),
        k_(std::min(options.k, 64 * words_)),
        threads_(options.threads),
        split_(split) {
    rows_ = {values.data(), nullptr, static_cast<std::uint32_t>(values.size() / words_), 0};
    frame_.limit = static_cast<int>(k_);
  }

  void run() {
    if (rows_.n < 2) return;
    frame_.usable = varying_bits(rows_, words_);
    const std::vector<PlannedTable> tables = plan_tables(frame_, make_plan(frame_, rows_.n, words_), words_);
    if (tables.empty()) scan_all();
    for (const PlannedTable& planned : tables) join_table(planned);
  }

 private:
  struct Worker {
    Found<HammingPair> found;
    std::optional<FrameJoin> join = {};
  };

  // work(join, item) for each item on all threads; pairs reach the sink in the order of items.
  template <typename Work>
  void join_items(std::uint32_t items, const Work& work) {
    join_parts<Worker>(threads_, items, sink_, [&](Worker& worker, std::size_t item) {
      if (!worker.join) {
        worker.join.emplace(kernels_, words_, k_, [this, &found = worker.found](std::vector<HammingPair>& pairs) { take(pairs, found); });
      }
      work(*worker.join, static_cast<std::uint32_t>(item));
      worker.join->flush();
    });
  }

  void take(std::vector<HammingPair>& pairs, Found<HammingPair>& found) const {
    if (split_ != 0) {
      std::erase_if(pairs, [&](const HammingPair& pair) { return pair.a >= split_ || pair.b < split_; });
      for (HammingPair& pair : pairs) pair.b -= split_;
    }
    found.add(pairs);
    pairs.clear();
  }

  void scan_all() {
    const Filter filter = choose_filter(frame_, nullptr, words_);
    filters_.reserve(rows_.n);
    filters_.fill(rows_, words_, filter, 0);
    join_items((rows_.n - 1) / queries_at_once + 1, [&](FrameJoin& join, std::uint32_t item) {
      const std::uint32_t first = item * queries_at_once;
      join.scan_rows(rows_, filters_, filter, first, first + std::min(queries_at_once, rows_.n - first), frame_);
    });
  }

  // A wide block is partitioned in two passes: first into parts, the groups of buckets that share the high digit of the key. Without
  // probes a part is sorted and joined at once, in the cache, and no complete table is ever made.
  void join_table(const PlannedTable& planned) {
    const Block& block = planned.block;
    const bool two_passes = block.span > one_pass_span && (rows_.n > one_pass_rows || block.span > 18);
    const unsigned low = two_passes ? (block.span - 1) / 2 : 0;
    if (block.threshold > 0) return join_probing(planned, low);
    partition_high(block, low, parted_);
    const Rows rows = parted_.rows(rows_.n);
    const std::uint32_t* starts = parted_.starts.data();
    if (two_passes) {
      PlannedTable rest = planned;
      rest.block.span = low;
      rest.block.mask &= (std::uint64_t{1} << low) - 1;
      join_items(1U << (block.span - low), [&](FrameJoin& join, std::uint32_t part) {
        join.join_rows(rows.slice(starts[part], starts[part + 1] - starts[part], words_), rest);
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
    const std::uint32_t per_range = std::max(1U, all / ranges);
    join_items(all / per_range, [&](FrameJoin& join, std::uint32_t range) {
      join.join_buckets(buckets, range * per_range, (range + 1) * per_range, planned.frame, planned.filter, filters);
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

  const Kernels& kernels_;
  const HammingPairSink& sink_;
  Rows rows_;
  unsigned words_, k_, threads_;
  std::uint32_t split_;
  Frame frame_;
  Table parted_;          // after the first, or only, pass
  Table table_;           // the complete table, where probes need it
  FilterColumn filters_;  // of all rows, where probes or a plain scan need it
};

}  // namespace

std::uint64_t general_join_bytes(std::uint64_t n, unsigned words) { return n * (2 * (8 * words + 4) + 6); }

void general_join(const Kernels& kernels, std::span<const std::uint64_t> values, std::uint32_t split, const HammingJoinOptions& options,
                  const HammingPairSink& sink) {
  GeneralJoin(kernels, values, split, options, sink).run();
}

}  // namespace leitong::hamming
