#include "hamming/half_join.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "hamming/bit_order.h"
#include "hamming/half_part.h"
#include "hamming/half_tables.h"
#include "hamming/ordered_sink.h"
#include "hamming/table.h"
#include "hamming/threads.h"

namespace leitong::hamming {
namespace {

constexpr std::uint32_t block_size = 512;                       // rows moved between two looks at the room that is left
constexpr std::uint64_t row_bytes = 12;                         // value and number
constexpr std::uint64_t least_bytes = std::uint64_t{1} << 20;   // of a slice
constexpr std::uint64_t thread_bytes = std::uint64_t{2} << 20;  // lines, lists and batches of one thread

// Pairs of later parts that wait for their turn: 48 MiB, or an eighth of the budget.
std::size_t most_waiting(const HammingJoinOptions& options) {
  constexpr std::size_t most = 4 << 20;
  return options.memory == 0 ? most : std::clamp<std::size_t>(options.memory / 8 / sizeof(HammingPair), 1 << 15, most);
}

// Rows that a part has room for, of one thread's share, before they are counted.
std::uint64_t room_of(double rows, double slack) { return static_cast<std::uint64_t>(rows + slack) + 2 * block_size; }

unsigned part_bits_for(std::uint64_t n) { return static_cast<unsigned>(std::clamp(static_cast<int>(std::bit_width(n)) - 12, 1, 9)); }

// Beside the rows: lines, lists and batches of each thread, and parts that have to be divided again.
std::uint64_t fixed_bytes(std::uint64_t n, unsigned threads) { return threads * (thread_bytes + n / 256 * row_bytes); }

struct Slice {
  std::uint32_t first, last;  // parts
};

// The rows of both sides, numbered through, a block at a time and in the bit order of the join.
class RowSource {
 public:
  RowSource(const WordColumn& left, const WordColumn& right, const std::vector<BitOrder>& order)
      : left_(left), right_(right), order_(order) {}

  // use(values, number of the first, n) for the rows first … last - 1, at most block_size at a time.
  template <typename Use>
  void each_block(std::uint32_t first, std::uint32_t last, const Use& use) const {
    std::array<std::uint64_t, block_size> gathered;
    while (first < last) {
      const bool in_left = first < left_.rows;
      const std::size_t end = in_left ? std::min<std::size_t>(last, left_.rows) : last;
      const auto n = static_cast<std::uint32_t>(std::min<std::size_t>(block_size, end - first));
      const WordColumn& side = in_left ? left_ : right_;
      const std::uint64_t* values = side.first + (in_left ? first : first - left_.rows) * side.stride;
      if (side.stride != 1) {
        for (std::size_t i = 0; i < n; ++i) gathered[i] = values[i * side.stride];
        values = gathered.data();
      }
      if (!order_.empty()) {
        for (std::uint32_t i = 0; i < n; ++i) gathered[i] = order_[0].of(values[i]);
        values = gathered.data();
      }
      if (!use(values, first, n)) return;
      first += n;
    }
  }

 private:
  WordColumn left_, right_;
  const std::vector<BitOrder>& order_;
};

class HalfJoin {
 public:
  HalfJoin(const Kernels& kernels, const WordColumn& left, const WordColumn& right, const ChosenOrder& chosen,
           const HammingJoinOptions& options, const HammingPairSink& sink)
      : kernels_(kernels),
        options_(options),
        ordered_(sink, most_waiting(options)),
        chosen_(chosen),
        source_(left, right, chosen_.order),
        n_(static_cast<std::uint32_t>(left.rows + right.rows)),
        split_(right.rows == 0 ? 0 : static_cast<std::uint32_t>(left.rows)) {
    divide();
  }

  void run() {
    run_team(options_.threads, [&](unsigned thread, Steps& steps) { run_thread({thread, steps}); });
  }

 private:
  struct Room {
    std::uint32_t first = 0, end = 0;
  };
  struct Member {  // of the team
    unsigned thread;
    Steps& steps;
  };

  [[nodiscard]] std::uint32_t parts() const { return 1U << part_bits_; }
  [[nodiscard]] Digit part_digit(const HalfTable& table) const { return {0, 16 * table.key_word + 16 - part_bits_, parts() - 1}; }

  // Key bits: 8 to 16 rows a key, until the block is used up or its bits tell nothing. Parts: small enough for the inner cache.
  void divide() {
    const int log_n = static_cast<int>(std::bit_width(n_));
    const Spread& spread = chosen_.spread;
    key_.bits = static_cast<unsigned>(std::clamp(log_n - 4, 6, 16 - static_cast<int>(std::min(spread.constant_bits, 10U))));
    part_bits_ = std::min(part_bits_for(n_), key_.bits);
    key_.low_bits = key_.bits - part_bits_;
    // The sample's agreement is rough: below twice chance it says nothing.
    const double by_chance = std::ldexp(1.0, -static_cast<int>(key_.bits));
    key_.sub_bits = sub_bits_for(n_ * (spread.agreement > 2 * by_chance ? spread.agreement : by_chance));
    const double mean = static_cast<double>(n_) / options_.threads / parts();
    room_ = room_of(mean, chosen_.order.empty() ? 8 * std::sqrt(mean) : mean / 4);  // an order evens out skew, but not to chance
    even_possible_ = room_ * options_.threads * parts() <= 0xffffffffU;
    most_rows_ = n_;
    if (options_.memory == 0) return;
    const std::uint64_t fixed = fixed_bytes(n_, options_.threads) + most_waiting(options_) * sizeof(HammingPair);
    const std::uint64_t left = std::max(options_.memory, fixed + least_bytes) - fixed;
    most_rows_ = std::min<std::uint64_t>(n_, left / row_bytes);
    even_possible_ = even_possible_ && room_ * options_.threads * parts() * row_bytes <= left;
  }

  // All threads go through the same steps; what a step shares, thread 0 sets up in a step of its own.
  void run_thread(const Member& me) {
    Found<HammingPair> found(ordered_);
    HalfPartJoin join(kernels_, options_.k, split_, found);
    for (const HalfTable& table : half_tables(options_.k)) {
      if (!scatter_even(table, me)) return;
      if (fits_) {
        if (!join_slice(table, {0, parts()}, me, join, found)) return;
        continue;
      }
      const auto make_room = [&] {
        if (me.thread == 0) counts_.resize(std::size_t{options_.threads} * parts());
      };
      if (!me.steps.step(make_room) || !me.steps.step([&] { count(table, me.thread); })) return;
      for (const Slice& slice : slices()) {
        if (!scatter_counted(table, slice, me) || !join_slice(table, slice, me, join, found)) return;
      }
    }
  }

  // Parts are numbered through all slices and tables, so one sink keeps the order of all.
  bool join_slice(const HalfTable& table, const Slice& slice, const Member& me, HalfPartJoin& join, Found<HammingPair>& found) {
    const bool well = me.steps.step([&] {
      try {
        for (std::uint32_t p = next_part_++; p < slice.last; p = next_part_++) {
          found.begin(parts_done_ + p - slice.first);
          join.join(table, close_gaps(p), key_);
          found.finish();
        }
      } catch (const PartsStopped&) {
        return;
      } catch (...) {
        ordered_.stop();
        throw;
      }
    });
    if (me.thread == 0) parts_done_ += slice.last - slice.first;  // nobody reads it before the next step
    return well;
  }

  // What the next slice's steps share. Called by thread 0 while the others wait.
  void prepare(const Slice& slice, std::uint64_t rows) {
    next_part_ = slice.first;
    values_.reserve(rows);
    ids_.reserve(rows);
    rooms_.assign(std::size_t{options_.threads} * parts(), {});
  }

  // Moves the rows into parts of equal room without counting them first: room for each thread in each part. Whether there is room for a
  // whole block of rows is looked at before the block is moved. Afterwards fits_ tells whether there was; if not, the rows are not spread
  // evenly. False: a thread failed.
  bool scatter_even(const HalfTable& table, const Member& me) {
    const unsigned threads = options_.threads;
    const bool well = me.steps.step([&] {
      if (me.thread != 0) return;
      fits_ = even_possible_;
      if (even_possible_) prepare({0, parts()}, room_ * threads * parts());
    });
    if (!well || !even_possible_) return well;
    return me.steps.step([&] {
      const auto [begin, end] = share_of(me.thread, threads, n_);
      std::vector<std::uint32_t> starts(parts()), ends;
      for (std::uint32_t p = 0; p < parts(); ++p) starts[p] = static_cast<std::uint32_t>((std::size_t{p} * threads + me.thread) * room_);
      ends = starts;
      const std::uint32_t last_ok = static_cast<std::uint32_t>(room_) - block_size;
      source_.each_block(begin, end, [&](const std::uint64_t* values, std::uint32_t first, std::uint32_t n) {
        scatter({values, nullptr, n, first}, 1, part_digit(table), ends.data(), values_.data(), ids_.data());
        std::uint32_t over = 0;
        for (std::uint32_t p = 0; p < parts(); ++p) over |= last_ok - (ends[p] - starts[p]);
        if (over >> 31 != 0 && first + n < end) fits_ = false;
        return fits_.load(std::memory_order_relaxed);
      });
      for (std::uint32_t p = 0; p < parts(); ++p) rooms_[std::size_t{p} * threads + me.thread] = {starts[p], ends[p]};
    });
  }

  // The rows of part p beside each other, in their order: those of later threads move up to those before.
  HalfPart close_gaps(std::size_t p) {
    const Room* rooms = rooms_.data() + p * options_.threads;
    std::uint32_t end = rooms[0].end;
    for (unsigned t = 1; t < options_.threads; ++t) {
      const std::uint32_t n = rooms[t].end - rooms[t].first;
      if (rooms[t].first != end) {
        std::memmove(values_.data() + end, values_.data() + rooms[t].first, n * sizeof(std::uint64_t));
        std::memmove(ids_.data() + end, ids_.data() + rooms[t].first, n * sizeof(std::uint32_t));
      }
      end += n;
    }
    return {values_.data() + rooms[0].first, ids_.data() + rooms[0].first, end - rooms[0].first};
  }

  // How many rows of each thread's share each part gets.
  void count(const HalfTable& table, unsigned thread) {
    std::uint32_t* counts = counts_.data() + std::size_t{thread} * parts();
    std::fill_n(counts, parts(), 0);
    const auto [begin, end] = share_of(thread, options_.threads, n_);
    source_.each_block(begin, end, [&](const std::uint64_t* values, std::uint32_t, std::uint32_t n) {
      count_digits({values, nullptr, n, 0}, 1, part_digit(table), counts);
      return true;
    });
  }

  [[nodiscard]] std::uint64_t rows_of(std::uint32_t part) const {
    std::uint64_t rows = 0;
    for (unsigned t = 0; t < options_.threads; ++t) rows += counts_[std::size_t{t} * parts() + part];
    return rows;
  }

  // As many parts as the budget holds, but at least one.
  [[nodiscard]] std::vector<Slice> slices() const {
    std::vector<Slice> slices;
    std::uint64_t rows = 0;
    for (std::uint32_t p = 0; p < parts(); ++p) {
      const std::uint64_t more = rows_of(p);
      if (slices.empty() || rows + more > most_rows_) {
        slices.push_back({p, p});
        rows = 0;
      }
      rows += more;
      slices.back().last = p + 1;
    }
    return slices;
  }

  // False: a thread failed.
  bool scatter_counted(const HalfTable& table, const Slice& slice, const Member& me) {
    const unsigned threads = options_.threads;
    const bool well = me.steps.step([&] {
      if (me.thread != 0) return;
      std::vector<Room> rooms(counts_.size());
      std::uint32_t sum = 0;
      for (std::uint32_t p = slice.first; p < slice.last; ++p) {
        for (unsigned t = 0; t < threads; ++t) {
          const std::uint32_t first = sum;
          sum += counts_[std::size_t{t} * parts() + p];
          rooms[std::size_t{p} * threads + t] = {first, sum};
        }
      }
      prepare(slice, sum);
      rooms_ = std::move(rooms);
    });
    return well && me.steps.step([&] {
      std::vector<std::uint32_t> cursors(parts());
      for (std::uint32_t p = slice.first; p < slice.last; ++p) cursors[p] = rooms_[std::size_t{p} * threads + me.thread].first;
      const auto [begin, end] = share_of(me.thread, threads, n_);
      scatter_share(part_digit(table), slice, begin, end, cursors.data());
    });
  }

  void scatter_share(const Digit& digit, const Slice& slice, std::uint32_t begin, std::uint32_t end, std::uint32_t* cursors) {
    const bool all = slice.first == 0 && slice.last == parts();
    std::array<std::uint64_t, block_size> chosen;
    std::array<std::uint32_t, block_size> numbers;
    source_.each_block(begin, end, [&](const std::uint64_t* values, std::uint32_t first, std::uint32_t n) {
      if (all) {
        scatter({values, nullptr, n, first}, 1, digit, cursors, values_.data(), ids_.data());
        return true;
      }
      std::uint32_t count = 0;
      for (std::uint32_t i = 0; i < n; ++i) {  // written always, kept if in the slice: nobody can predict which are
        chosen[count] = values[i];
        numbers[count] = first + i;
        count += (values[i] >> digit.shift & digit.mask) - slice.first < slice.last - slice.first ? 1 : 0;
      }
      scatter({chosen.data(), numbers.data(), count, 0}, 1, digit, cursors, values_.data(), ids_.data());
      return true;
    });
  }

  const Kernels& kernels_;
  const HammingJoinOptions& options_;
  OrderedSink<HammingPair> ordered_;
  const ChosenOrder& chosen_;
  RowSource source_;
  std::uint32_t n_, split_;
  std::uint64_t most_rows_ = 0;  // of a slice
  std::uint64_t room_ = 0;       // for rows, by thread and part, if they are not counted
  bool even_possible_ = true;    // there is memory for that
  HalfKey key_{};
  unsigned part_bits_ = 0;
  std::vector<Room> rooms_;            // of each thread's rows of each part, in values_ and ids_
  std::vector<std::uint32_t> counts_;  // by thread, then part
  std::atomic<bool> fits_ = true;
  std::atomic<std::uint32_t> next_part_ = 0;
  std::size_t parts_done_ = 0;  // of the slices before
  Buffer<std::uint64_t> values_;
  Buffer<std::uint32_t> ids_;
};

}  // namespace

std::uint64_t half_join_bytes(std::uint64_t n, unsigned threads) {
  const double parts = std::ldexp(1.0, static_cast<int>(part_bits_for(n))), mean = static_cast<double>(n) / threads / parts;
  return static_cast<std::uint64_t>(static_cast<double>(room_of(mean, 8 * std::sqrt(mean))) * threads * parts) * row_bytes +
         fixed_bytes(n, threads);
}

double half_join_cost(std::uint64_t n, unsigned k) {
  constexpr double move_cost = 2.5, meet_cost = 4.5, line_cost = 0.9;  // measured: into a part; with a line or two; for each line more
  const double passes = std::ldexp(static_cast<double>(n), -static_cast<int>(part_bits_for(n))) > 65535 ? 2 : 1;
  const unsigned sub_bits = sub_bits_for(static_cast<double>(n) / 65536);
  return static_cast<double>(half_tables(k).size()) * (passes * move_cost + meet_cost + line_cost * sub_bits);
}

bool halves_pay(std::uint64_t n, const Spread& spread) {
  constexpr double chance = 1.0 / 65536, near = 17;  // filters within one bit of one
  constexpr double most_by_chance = 0.25;            // rows that a row meets in a table by chance, measured: .5 lose, .02 win
  if (spread.agreement <= 4 * chance) return true;
  return static_cast<double>(n) / 2 * near * spread.agreement * spread.agreement < most_by_chance;
}

void half_join(const Kernels& kernels, const WordColumn& left, const WordColumn& right, const ChosenOrder& order,
               const HammingJoinOptions& options, const HammingPairSink& sink) {
  HalfJoin(kernels, left, right, order, options, sink).run();
}

}  // namespace leitong::hamming
