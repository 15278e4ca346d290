#include "hamming/frame_join.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "hamming/hamming.h"

namespace leitong::hamming {
namespace {

constexpr std::size_t batch_size = 8192;
constexpr std::uint32_t most_hits = 65536;   // pairs a scan may hand over at once; at least a tile, and all pairs of a small bucket twice
constexpr std::uint32_t scan_always = 256;   // rows below which a bucket is not worth a plan
constexpr std::uint32_t cross_always = 128;  // the same for two buckets, for each unit of the limit (a nested join has a table for each)
constexpr std::uint32_t tile_rows = 4096;    // rows that stay in the nearest cache while queries pass over them

bool holds(const Clause& clause, const std::uint64_t* a, const std::uint64_t* b) noexcept {
  const std::uint64_t x = (a[clause.word] ^ b[clause.word]) & clause.mask;
  if (clause.at_least == 1) return x != 0;
  return bits_in(x) >= clause.at_least;
}

}  // namespace

std::vector<PlannedTable> plan_tables(const Frame& frame, const Plan& plan, unsigned words) {
  std::vector<PlannedTable> tables;
  Frame inner = frame;
  for (const Block& block : plan.blocks) {
    tables.push_back({block, inner, choose_filter(inner, &block, words), block_deltas(block)});
    inner.clauses.push_back({block.word, block.placed_mask(), block.threshold + 1});
  }
  return tables;
}

FrameJoin::Level& FrameJoin::level(std::size_t depth) {
  while (levels_.size() <= depth) levels_.emplace_back();
  return levels_[depth];
}

void FrameJoin::join_buckets(const Buckets& buckets, std::uint32_t first, std::uint32_t last, const Frame& frame, const Filter& filter,
                             const FilterColumn* filters) {
  const std::uint32_t* starts = buckets.starts;
  std::uint32_t origin = 0;  // the row at which the filter column begins
  if (filters == nullptr) {
    origin = starts[first];
    const Rows range = buckets.rows.slice(origin, starts[last] - origin, words_);
    FilterColumn& own = level(depth_).filters;
    own.reserve(range.n);
    own.fill(range, words_, filter, 0);
    filters = &own;
  }
  const auto side = [&](std::uint32_t v) {
    return Side{buckets.rows.slice(starts[v], starts[v + 1] - starts[v], words_), filters->at(filter, starts[v] - origin)};
  };
  const bool small_done = filter.kind != Filter::Kind::rows;
  if (small_done) scan_small(buckets, first, last, frame, filter, *filters, origin);
  const bool probing = buckets.deltas->size() > 1;
  for (std::uint32_t v = first; v < last; ++v) {
    const std::uint32_t size = starts[v + 1] - starts[v];
    if (size == 0 || (small_done && !probing && size <= scan_always)) continue;
    const Side mine = side(v);
    if (size > scan_always) {
      solve(mine.rows, frame);
    } else if (!small_done) {
      scan(mine, mine, true, filter, 0, frame);
    }
    for (std::size_t d = 1; d < buckets.deltas->size(); ++d) {
      const std::uint32_t delta = (*buckets.deltas)[d];
      const std::uint32_t other = v ^ delta;
      if (other < v || starts[other] == starts[other + 1]) continue;
      join_cross(mine, side(other), delta, *buckets.block, filter, frame);
    }
  }
}

// Compares the rows inside every bucket of at most scan_always rows, many buckets a call.
void FrameJoin::scan_small(const Buckets& buckets, std::uint32_t first, std::uint32_t last, const Frame& frame, const Filter& filter,
                           const FilterColumn& filters, std::uint32_t origin) {
  if (filter.limit < 0) return;
  std::uint32_t* hits = hits_.reserve(std::size_t{most_hits} * 2);
  const Rows rows = buckets.rows.slice(origin, buckets.rows.n - origin, words_);
  BucketScan s{.rows = filters.at(filter, 0),
               .starts = buckets.starts,
               .origin = origin,
               .bucket = first,
               .last = last,
               .most = scan_always,
               .limit = static_cast<unsigned>(filter.limit),
               .out = hits,
               .capacity = most_hits};
  const BucketScanFunction function = filter.kind == Filter::Kind::bits16 ? kernels_.buckets16 : kernels_.buckets32;
  while (s.bucket < last) {
    const std::uint32_t count = function(&s);
    if (count != 0) verify(hits, count, rows, rows, frame);
  }
}

void FrameJoin::join_rows(const Rows& rows, const PlannedTable& planned) {
  Table& table = level(depth_).table;
  table.fill(rows, words_, planned.block);
  const Buckets buckets{table.rows(rows.n), table.starts.data(), &planned.block, &planned.deltas};
  join_buckets(buckets, 0, 1U << planned.block.span, planned.frame, planned.filter, nullptr);
}

// Two large buckets become one subproblem: all their rows together, with the block's difference paid for and demanded.
void FrameJoin::join_cross(const Side& a, const Side& b, std::uint32_t delta, const Block& block, const Filter& filter,
                           const Frame& frame) {
  const int spent = std::popcount(delta);
  if (spent > frame.limit) return;
  if (std::min(a.rows.n, b.rows.n) <= cross_always * (static_cast<unsigned>(frame.limit) + 1)) {
    const bool swap = a.rows.n > b.rows.n;
    return scan(swap ? b : a, swap ? a : b, false, filter, spent, frame);
  }
  Level& here = level(depth_);
  const std::uint32_t n = a.rows.n + b.rows.n;
  std::uint64_t* values = here.joined_values.reserve(std::size_t{n} * words_);
  std::uint32_t* ids = here.joined_ids.reserve(n);
  std::copy_n(b.rows.values, std::size_t{b.rows.n} * words_, std::copy_n(a.rows.values, std::size_t{a.rows.n} * words_, values));
  std::copy_n(b.rows.ids, b.rows.n, std::copy_n(a.rows.ids, a.rows.n, ids));
  Frame inner = frame;
  inner.limit -= spent;
  inner.frozen.word[block.word] |= block.placed_mask();
  inner.clauses.push_back({block.word, std::uint64_t{delta} << block.shift, static_cast<unsigned>(spent)});
  solve({values, ids, n, 0}, std::move(inner));
}

void FrameJoin::solve(const Rows& rows, Frame frame) {
  const BitSet varying = varying_bits(rows, words_);
  for (const Clause& clause : frame.clauses) {
    if (static_cast<unsigned>(std::popcount(varying.word[clause.word] & clause.mask)) < clause.at_least) return;
  }
  for (unsigned w = 0; w < max_words; ++w) frame.usable.word[w] = varying.word[w] & ~frame.frozen.word[w];
  if (frame.budget(BitSet{}) < 0) return;
  ++depth_;
  Level& here = planned_level(frame, rows.n);
  if (here.tables.empty()) {
    here.filters.reserve(rows.n);
    here.filters.fill(rows, words_, here.scan_filter, 0);
    scan_rows(rows, here.filters, here.scan_filter, 0, rows.n, frame);
  }
  for (const PlannedTable& planned : here.tables) join_rows(rows, planned);
  --depth_;
}

// Neighbouring buckets of one table mostly have the same frame and about the same size, so the last plan of a depth is kept. It is made for
// the size class, not for the first size seen: what was seen before must not decide the order of pairs.
FrameJoin::Level& FrameJoin::planned_level(const Frame& frame, std::uint32_t n) {
  Level& here = level(depth_);
  const auto log = static_cast<unsigned>(std::bit_width(n));
  const Frame& old = here.planned_frame;
  if (log != here.planned_log || frame.limit != old.limit || !(frame.usable == old.usable) || !(frame.frozen == old.frozen) ||
      frame.clauses != old.clauses) {
    here.tables = plan_tables(frame, make_plan(frame, std::uint64_t{1} << log, words_), words_);
    if (here.tables.empty()) here.scan_filter = choose_filter(frame, nullptr, words_);
    here.planned_frame = frame;
    here.planned_log = log;
  }
  return here;
}

void FrameJoin::scan_rows(const Rows& rows, const FilterColumn& filters, const Filter& filter, std::uint32_t first, std::uint32_t last,
                          const Frame& frame) {
  for (std::uint32_t i = first; i < last;) {
    const std::uint32_t queries = std::min(last - i, tile_rows);
    const Side side{rows.slice(i, queries, words_), filters.at(filter, i)};
    scan(side, side, true, filter, 0, frame);
    i += queries;
    if (i < rows.n) scan(side, {rows.slice(i, rows.n - i, words_), filters.at(filter, i)}, false, filter, 0, frame);
  }
}

void FrameJoin::scan(const Side& a, const Side& b, bool triangle, const Filter& filter, int spent, const Frame& frame) {
  const bool whole = filter.kind == Filter::Kind::rows;
  const int limit = whole ? static_cast<int>(k_) : filter.limit - spent;
  if (limit < 0) return;
  const ScanFunction function = whole                                 ? kernels_.scan_rows[width_index(words_)]
                                : filter.kind == Filter::Kind::bits16 ? kernels_.scan16
                                                                      : kernels_.scan32;
  const std::size_t row_bytes = whole ? 8 * words_ : filter.kind == Filter::Kind::bits16 ? 2 : 4;
  const auto* all = static_cast<const std::byte*>(whole ? b.rows.values : b.filters);
  std::uint32_t* hits = hits_.reserve(std::size_t{most_hits} * 2);
  for (std::uint32_t at = 0; at < b.rows.n;) {  // one tile if `triangle`
    const Rows tile = b.rows.slice(at, std::min(b.rows.n - at, tile_rows), words_);
    PairScan s{.a = whole ? a.rows.values : a.filters,
               .b = all + row_bytes * at,
               .na = a.rows.n,
               .nb = tile.n,
               .next = 0,
               .limit = static_cast<unsigned>(limit),
               .triangle = triangle,
               .out = hits,
               .capacity = most_hits};
    while (s.next < s.na) {
      const std::uint32_t count = function(&s);
      if (count != 0) verify(hits, count, a.rows, tile, frame);
    }
    at += tile.n;
  }
}

void FrameJoin::verify(const std::uint32_t* hits, std::uint32_t count, const Rows& a, const Rows& b, const Frame& frame) {
  std::uint32_t* distances = distances_.reserve(most_hits);
  kernels_.distances[width_index(words_)](hits, count, a.values, b.values, distances);
  for (std::uint32_t h = 0; h < count; ++h) {
    if (distances[h] > k_) continue;
    const std::uint32_t i = hits[2 * h], j = hits[2 * h + 1];
    const std::uint64_t* x = a.values + std::size_t{i} * words_;
    const std::uint64_t* y = b.values + std::size_t{j} * words_;
    if (!std::all_of(frame.clauses.begin(), frame.clauses.end(), [&](const Clause& c) { return holds(c, x, y); })) continue;
    const std::uint32_t p = a.id(i), q = b.id(j);
    batch_.push_back({std::min(p, q), std::max(p, q), distances[h]});
    if (batch_.size() == batch_size) flush();
  }
}

}  // namespace leitong::hamming
