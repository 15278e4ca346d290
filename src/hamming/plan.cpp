#include "hamming/plan.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace leitong::hamming {
namespace {

// Nanoseconds, measured on one machine (docs/hamming.md); only their proportions matter.
constexpr double operation = 0.11;     // one vector operation
constexpr double hit = 10.0;           // a filter hit that is then verified
constexpr double scatter_pass = 4.0;   // moving one row into its bucket
constexpr double slot = 0.7;           // a directory slot: cleared, summed, visited
constexpr double bucket_weight = 8.0;  // a non-empty bucket compared with itself
constexpr double probe = 2.0;          // looking whether a probed bucket is empty
constexpr double cross = 30.0;         // starting the comparison of two buckets
constexpr double miss = 20.0;          // … that are not in the inner caches
constexpr double inner_cache_rows = 1e5;
constexpr double scan_row = 1.8;    // starting the scan of one row
constexpr double inner_row = 12.0;  // one row in one table of a nested join
constexpr unsigned max_span = 24;
constexpr unsigned max_threshold = 4;
constexpr double max_deltas = 20000;

double ball(unsigned bits, unsigned radius) {
  double term = 1, sum = 1;
  for (unsigned j = 1; j <= std::min(bits, radius); ++j) sum += term = term * (bits - j + 1) / j;
  return sum;
}

// The share of uniform pairs that agree in all but `limit` of `bits` bits.
double pass_rate(unsigned bits, int limit) {
  if (limit < 0) return 0;
  return std::min(1.0, ball(bits, static_cast<unsigned>(limit)) * std::ldexp(1.0, -static_cast<int>(bits)));
}

double filter_cost(Filter::Kind kind, unsigned bits, int limit, unsigned words) {
  if (kind == Filter::Kind::rows) return 12 * operation * words / 4;
  const double lanes = kind == Filter::Kind::bits16 ? 16 : 8;
  const double operations = limit <= 3 ? 5 + 2 * std::max(limit, 0) : 14;
  return operations * operation / lanes + pass_rate(bits, limit) * hit;
}

double guessed_filter_cost(unsigned bits, int limit, unsigned words) {
  return std::min({filter_cost(Filter::Kind::bits16, std::min(bits, 16U), limit, words),
                   filter_cost(Filter::Kind::bits32, std::min(bits, 32U), limit, words), filter_cost(Filter::Kind::rows, 0, limit, words)});
}

bool overlaps(const BitSet& set, const Clause& clause) { return (set.word[clause.word] & clause.mask) != 0; }

struct Sizes {                       // widths and thresholds before they are placed: `wide` blocks come first
  unsigned blocks, wide, threshold;  // wide blocks have `threshold`, the others threshold - 1
  unsigned wide_bits, narrow_bits;
  double cost;
};

// Comparing a bucket of s rows with itself, by the better of scanning and a nested join with one block for each unit of the budget.
double bucket_cost(double s, unsigned bits_left, int limit, double scan) {
  const double direct = s * scan_row + s * s / 2 * scan;
  if (s < 256 || bits_left <= static_cast<unsigned>(limit)) return direct;
  const unsigned tables = static_cast<unsigned>(limit) + 1;
  const double share = std::max(16.0, s * std::ldexp(1.0, -static_cast<int>(bits_left / tables)));
  return std::min(direct, s * tables * (inner_row + share / 2 * scan));
}

double table_cost(double n, unsigned bits, unsigned threshold, unsigned bits_left, int limit, double scan) {
  const double slots = std::ldexp(1.0, static_cast<int>(bits));
  const double each = n / slots;
  const double used = slots * -std::expm1(-each);
  const double full = n / used;  // rows in a non-empty bucket
  const double passes = bits > 12 && n > 1e5 ? 2 : 1;
  double cost = n * passes * scatter_pass + slots * slot + used * bucket_weight + used * bucket_cost(full, bits_left, limit, scan);
  if (threshold > 0) {
    const double probes = used * (ball(bits, threshold) - 1) / 2;
    const double start = cross + (n > inner_cache_rows ? miss : 0);
    cost += probes * (2 * probe + (used / slots) * (start + full * scan_row + full * full * scan));
  }
  return cost;
}

class Planner {
 public:
  Planner(const Frame& frame, double n, unsigned words) : frame_(frame), n_(n), words_(words) {}

  // Tries every division of the bits of `region` and keeps the cheapest in `best` if it beats it.
  void try_region(const BitSet& region, Plan& best) const {
    const int limit = frame_.budget(region);
    const unsigned bits = region.count();
    if (limit < 0 || bits <= static_cast<unsigned>(limit)) return;
    Sizes chosen{.blocks = 0, .wide = 0, .threshold = 0, .wide_bits = 0, .narrow_bits = 0, .cost = best.cost};
    const unsigned units = static_cast<unsigned>(limit) + 1;
    const unsigned fewest = (units + max_threshold) / (max_threshold + 1);
    for (unsigned m = std::max(1U, fewest); m <= std::min(units, bits); ++m) try_blocks(bits, limit, m, chosen);
    if (chosen.blocks == 0) return;
    best.cost = chosen.cost;
    best.blocks = place(region, chosen);
  }

 private:
  void try_blocks(unsigned bits, int limit, unsigned m, Sizes& chosen) const {
    const unsigned units = static_cast<unsigned>(limit) + 1;
    Sizes s{.blocks = m, .wide = units % m, .threshold = units / m, .wide_bits = 0, .narrow_bits = 0, .cost = 0};
    if (s.wide == 0) s.wide = m, s.threshold = units / m - 1;
    const int log_n = static_cast<int>(std::log2(n_ + 1));
    for (unsigned extra = 0; extra <= (s.wide == m ? 0U : 8U); ++extra) {
      if (bits < s.wide * extra + m) break;
      const unsigned narrow = (bits - s.wide * extra) / m;
      for (int cap = log_n - 7; cap <= log_n + 1; ++cap) {
        const unsigned most = std::clamp(cap, 1, static_cast<int>(max_span));
        s.wide_bits = std::min(narrow + extra, most);
        s.narrow_bits = std::min(narrow, most);
        s.cost = cost_of(s, bits, limit);
        if (s.cost < chosen.cost) chosen = s;
      }
    }
  }

  [[nodiscard]] double cost_of(const Sizes& s, unsigned bits, int limit) const {
    if (ball(s.wide_bits, s.threshold) > max_deltas || s.threshold >= s.wide_bits) return HUGE_VAL;
    double cost = 0;
    const double wide_scan = guessed_filter_cost(bits - s.wide_bits, limit, words_);
    cost += s.wide * table_cost(n_, s.wide_bits, s.threshold, bits - s.wide_bits, limit, wide_scan);
    if (s.wide < s.blocks) {
      if (s.threshold - 1 >= s.narrow_bits) return HUGE_VAL;
      const double scan = guessed_filter_cost(bits - s.narrow_bits, limit, words_);
      cost += (s.blocks - s.wide) * table_cost(n_, s.narrow_bits, s.threshold - 1, bits - s.narrow_bits, limit, scan);
    }
    return cost;
  }

  // Lays the blocks out over the region, each inside one word.
  [[nodiscard]] std::vector<Block> place(const BitSet& region, const Sizes& s) const {
    std::vector<unsigned> bits;
    for (unsigned w = 0; w < max_words; ++w) {
      for (std::uint64_t left = region.word[w]; left != 0; left &= left - 1) {
        bits.push_back(64 * w + static_cast<unsigned>(std::countr_zero(left)));
      }
    }
    std::size_t needed = std::size_t{s.wide} * s.wide_bits + std::size_t{s.blocks - s.wide} * s.narrow_bits;
    std::vector<Block> blocks;
    std::size_t at = 0;
    for (unsigned i = 0; i < s.blocks; ++i) {
      const unsigned width = i < s.wide ? s.wide_bits : s.narrow_bits;
      const std::size_t slack = bits.size() - at - needed;
      blocks.push_back(cut(bits, at, width, slack));
      blocks.back().threshold = i < s.wide ? s.threshold : s.threshold - 1;
      needed -= width;
    }
    return blocks;
  }

  // A directory has no more than about four slots a row, however scattered the bits are.
  [[nodiscard]] unsigned most_span() const { return std::min(max_span, static_cast<unsigned>(std::log2(n_ + 1)) + 2); }

  // Takes a block of up to `width` bits from bits[at…), and moves `at` behind it; may waste up to `slack` bits to stay inside a word.
  [[nodiscard]] Block cut(const std::vector<unsigned>& bits, std::size_t& at, unsigned width, std::size_t slack) const {
    const auto word_end = [&](std::size_t from) {
      std::size_t end = from;
      while (end < bits.size() && bits[end] / 64 == bits[from] / 64) ++end;
      return end;
    };
    std::size_t first = at;
    std::size_t last = std::min<std::size_t>(at + width, word_end(at));
    const std::size_t missing = at + width - last;
    if (missing > 0 && last - at <= slack) {
      first = last;
      last = first + width;
    } else if (missing > last - at) {
      first = last;
      last = first + missing;
    }
    at = std::max(at + width, last);
    last = std::min(last, word_end(first));
    while (bits[last - 1] - bits[first] >= most_span()) --last;
    Block block{.word = bits[first] / 64, .shift = bits[first] % 64, .span = bits[last - 1] - bits[first] + 1, .mask = 0, .threshold = 0};
    for (std::size_t b = first; b < last; ++b) block.mask |= std::uint64_t{1} << (bits[b] - bits[first]);
    return block;
  }

  const Frame& frame_;
  double n_;
  unsigned words_;
};

void consider(const Frame& frame, const BitSet& paid, const BitSet& bits, unsigned words, Filter filter, Filter& best) {
  const int limit = frame.budget(bits);
  unsigned varying = 0;
  for (unsigned w = 0; w < words; ++w) varying += static_cast<unsigned>(std::popcount(bits.word[w] & frame.usable.word[w] & ~paid.word[w]));
  filter.limit = limit;
  filter.mask = bits.word[filter.word] >> filter.shift;
  filter.cost = filter_cost(filter.kind, varying, limit, words);
  if (filter.cost < best.cost) best = filter;
}

}  // namespace

unsigned BitSet::count() const noexcept {
  unsigned sum = 0;
  for (const std::uint64_t w : word) sum += static_cast<unsigned>(std::popcount(w));
  return sum;
}

int Frame::budget(const BitSet& region) const noexcept {
  BitSet used = region;
  for (unsigned w = 0; w < max_words; ++w) used.word[w] |= frozen.word[w];
  int left = limit;
  for (const Clause& clause : clauses) {
    if (overlaps(used, clause)) continue;
    used.word[clause.word] |= clause.mask;
    left -= static_cast<int>(clause.at_least);
  }
  return left;
}

Plan make_plan(const Frame& frame, std::uint64_t n, unsigned words) {
  const double rows = static_cast<double>(n);
  Plan best;
  best.cost = rows * scan_row + rows * (rows - 1) / 2 * choose_filter(frame, nullptr, words).cost;
  const Planner planner(frame, rows, words);
  BitSet region = frame.usable;
  planner.try_region(region, best);
  // Leaving out the bits of clauses makes the region smaller and its budget tighter: either may win.
  std::size_t tried = 0;
  for (auto clause = frame.clauses.rbegin(); clause != frame.clauses.rend() && tried < 4; ++clause, ++tried) {
    region.word[clause->word] &= ~clause->mask;
    planner.try_region(region, best);
  }
  return best;
}

Filter choose_filter(const Frame& outer, const Block* block, unsigned words) {
  Frame frame = outer;
  // Probes spend part of the limit inside the block. A clause that overlaps it must not be counted on top: those bits may fulfil it.
  if (block != nullptr && block->threshold > 0) frame.frozen.word[block->word] |= block->placed_mask();
  Filter best{.kind = Filter::Kind::rows, .word = 0, .shift = 0, .mask = 0, .limit = frame.limit, .cost = 0};
  best.cost = filter_cost(Filter::Kind::rows, 0, 0, words);
  BitSet paid = frame.frozen;
  if (block != nullptr) paid.word[block->word] |= block->placed_mask();
  for (const auto kind : {Filter::Kind::bits16, Filter::Kind::bits32}) {
    const unsigned width = kind == Filter::Kind::bits16 ? 16 : 32;
    for (unsigned w = 0; w < words; ++w) {
      for (unsigned shift = 0; shift + width <= 64; shift += width / 4) {
        const Filter filter{.kind = kind, .word = w, .shift = shift, .mask = 0, .limit = 0, .cost = 0};
        BitSet bits;
        bits.word[w] = (((std::uint64_t{1} << width) - 1) << shift) & ~paid.word[w];
        consider(frame, paid, bits, words, filter, best);
        for (const Clause& clause : frame.clauses) {
          if (clause.word == w) bits.word[w] &= ~clause.mask;
        }
        consider(frame, paid, bits, words, filter, best);
      }
    }
  }
  return best;
}

std::vector<std::uint32_t> block_deltas(const Block& block) {
  std::vector<std::uint32_t> deltas = {0};
  std::size_t first = 0;
  for (unsigned round = 0; round < block.threshold; ++round) {
    const std::size_t end = deltas.size();
    for (; first < end; ++first) {
      const std::uint32_t delta = deltas[first];
      const std::uint64_t higher = delta == 0 ? block.mask : block.mask & ~((std::uint64_t{2} << (31 - std::countl_zero(delta))) - 1);
      for (std::uint64_t left = higher; left != 0; left &= left - 1) {
        deltas.push_back(delta | static_cast<std::uint32_t>(left & (~left + 1)));
      }
    }
  }
  return deltas;
}

}  // namespace leitong::hamming
