// Look-ups: ranges of filters to read, then what the hits lead to, memory asked for a step ahead of its use.
#include <algorithm>

#include "hamming/bits.h"
#include "hamming/half_index.h"
#include "hamming/half_index_balls.h"
#include "hamming/hamming.h"
#include "hamming/index_nearest.h"

namespace leitong::hamming {
namespace {

constexpr std::uint32_t most_hits = 32768;     // of a group of queries at once
constexpr std::size_t queries_at_once = 128;   // of a batch at once: fewer wait for memory more often, more leave the cache
constexpr std::size_t look_ahead = 12;         // queries whose directories are asked for in advance
constexpr std::size_t probes_at_once = 16384;  // fewer where each has many probes
constexpr std::size_t most_ranges = 1 + HalfIndex::most_group_bits;  // of one bucket
constexpr std::size_t kept_rooms = 16;                               // of a thread, from call to call
constexpr std::uint32_t read_at_once = 32;                           // filters, by the kernels
constexpr std::uint32_t row_count = 4096;                            // compared at once by scans

// What a scan costs for each row, as the price of thresholds counts, in filters read: a row that is put together and compared takes some
// 0.8 ns; a hit is priced at 100 and a lone bucket at 64 and its rows, and each takes some 15 ns, so a unit is 0.15 ns. Filters in long
// ranges take a third of that, but these alone never come near: all four tables hold four for each row.
constexpr double scanned_row = 6;

}  // namespace

// What a batch of queries keeps on its way from probes to matches.
struct HalfIndex::Batch {
  struct Known {  // a half that the index has, and that is near a query's or stands beside one that is
    std::uint32_t query, half;
    auto operator<=>(const Known&) const = default;
  };
  explicit Batch(std::size_t room_for_probes = probes_at_once, std::size_t room_for_hits = most_hits)
      : probes(room_for_probes), hits(room_for_hits) {}
  std::vector<Probe> probes;
  std::size_t count = 0;      // probes in use
  std::uint64_t filters = 0;  // that they read
  std::vector<ProbeHit> hits;
  std::uint32_t hit_count = 0;  // of the last read_probes()
  std::vector<Known> low_halves, high_halves;
  std::array<unsigned, queries_at_once> low_radius{};  // by query; no_radius: the low half is not asked
  static constexpr unsigned no_radius = ~0U;

  Probe* room_for(std::size_t more) {
    if (count + more > probes.size()) probes.resize(2 * (count + more));
    return probes.data() + count;
  }
  void clear() {
    count = 0;
    filters = 0;
    low_halves.clear();
    high_halves.clear();
  }
  [[nodiscard]] std::vector<Known>& halves(Step step) { return step == step_high_halves ? high_halves : low_halves; }
  [[nodiscard]] bool has(Step step) { return step == step_probes || !halves(step).empty(); }
  // Rows that share a half bring it once each.
  static void collapse(std::vector<Known>& known) {
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
  }
};

// The groups [first_group, last_group) of a table. Fields are passed one by one: a probe that is made and then copied waits for its own
// stores.
inline Probe* HalfIndex::add_range(const Asked& asked, std::uint32_t first_group, std::uint32_t last_group, unsigned least, unsigned most,
                                   Probe* to, std::uint64_t& filters) const {
  const Table& table = tables_[asked.tag % tables];
  const std::uint32_t first = table.directory.start(first_group), end = table.directory.start(last_group);
  *to = {first, end - first, asked.tag, asked.key, asked.filter, static_cast<std::uint16_t>(least), static_cast<std::uint16_t>(most)};
  __builtin_prefetch(table.filters + first);
  __builtin_prefetch(table.filters + first + read_at_once - 1);  // however few there are, so many are read
  filters += end - first;
  return to + 1;
}

// The filters of a bucket among which least … most differing bits can be: at most most_ranges.
inline Probe* HalfIndex::add_bucket(const Asked& asked, unsigned least, unsigned most, Probe* to, std::uint64_t& filters) const {
  const unsigned bits = shape_.group_bits;
  const std::uint32_t bucket = std::uint32_t{asked.key} << bits;
  if (bits == 0 || most > 1) return add_range(asked, bucket, bucket + (1U << bits), least, most, to, filters);
  const std::uint32_t own = group_of(asked.key, asked.filter);
  if (least == 0) to = add_range(asked, own, own + 1, 0, 0, to, filters);
  if (most == 0) return to;
  // Where the bit is one of the group's top ones, the filter is that of another group. The groups that differ in the rest stand beside each
  // other: lines that follow each other cost a fraction of what single ones cost, so that eight groups are read in one go.
  constexpr unsigned bits_at_once = 3;
  const unsigned fine = bits - 1, at_once = fine < bits_at_once ? fine : bits_at_once;
  const std::uint32_t other = own ^ 1U << fine, first = other & ~((1U << at_once) - 1);
  to = add_range(asked, first, first + (1U << at_once), 1, 1, to, filters);
  for (unsigned b = at_once; b < fine; ++b) to = add_range(asked, other ^ 1U << b, (other ^ 1U << b) + 1, 1, 1, to, filters);
  return to;
}

// Where no key may differ (k up to 3): the same probes for every query, without a branch that data decides.
inline void HalfIndex::add_exact(std::uint64_t query, std::uint32_t number, const Thresholds& t, Batch& batch) const {
  batch.low_radius[number] = t.low < 0 ? Batch::no_radius : static_cast<unsigned>(t.low);
  Probe* to = batch.room_for(tables * most_ranges);
  std::uint64_t filters = batch.filters;
#pragma GCC unroll 4
  for (unsigned table = 0; table < tables; ++table) {
    if (t.key[table] < 0) continue;
    const Asked asked{number * tables + table, static_cast<std::uint16_t>(half_block(query, half_key_shift[table])),
                      static_cast<std::uint16_t>(half_block(query, half_filter_shift[table]))};
    const auto least = static_cast<unsigned>((table & 1) != 0 ? t.key[table - 1] + 1 : 0);
    to = add_bucket(asked, least, static_cast<unsigned>(table < place_high ? t.low : t.high), to, filters);
  }
  batch.filters = filters;
  batch.count = static_cast<std::size_t>(to - batch.probes.data());
}

// False, and nothing is added: the usual thresholds would read much more than they usually do.
inline bool HalfIndex::add_usual(std::uint64_t query, std::uint32_t number, unsigned k, const Thresholds& usual, Batch& batch) const {
  if (k > 3) {
    if (rows_of_buckets(query) > most_usual_) return false;
    add_query(query, number, usual, batch);
    return true;
  }
  const std::size_t count_before = batch.count;
  const std::uint64_t filters_before = batch.filters;
  add_exact(query, number, usual, batch);
  if (static_cast<double>(batch.filters - filters_before) <= most_usual_) return true;
  batch.count = count_before;
  batch.filters = filters_before;
  return false;
}

void HalfIndex::find(std::span<const std::uint64_t> queries, unsigned k, std::vector<Found>& found,
                     std::vector<std::uint32_t>* full) const {
  thread_local Batch batch;  // kept: making it anew costs more than a single look-up
  if (shape_.rows == 0) return;
  std::vector<std::uint32_t> scanned;
  if (full == nullptr) full = &scanned;
  std::array<std::uint64_t, queries_at_once> ordered;
  const Thresholds usual = usual_thresholds(k);
  double probes = 1;
  for (const int key : usual.key) probes += key < 0 ? 0 : key_balls().end[static_cast<unsigned>(key)];
  const std::size_t group = std::clamp<std::size_t>(static_cast<std::size_t>(probes_at_once / probes), 1, queries_at_once);
  const auto in_order = [&](std::span<const std::uint64_t> part) {
    for (std::size_t q = 0; q < part.size(); ++q) ordered[q] = order_->of(part[q]);
    return std::span<const std::uint64_t>(ordered).first(part.size());
  };
  for (std::size_t first = 0; first < queries.size(); first += group) {
    std::span<const std::uint64_t> part = queries.subspan(first, std::min(group, queries.size() - first));
    if (order_) part = in_order(part);
    batch.clear();
    for (std::size_t q = 0; q < std::min(part.size(), first == 0 || order_ ? look_ahead : 0); ++q) prefetch_directories(part[q]);
    for (std::uint32_t q = 0; q < part.size(); ++q) {
      // Queries of the next part are asked for by the end of this one.
      if (q + look_ahead < part.size()) {
        prefetch_directories(part[q + look_ahead]);
      } else if (!order_ && first + q + look_ahead < queries.size()) {
        prefetch_directories(queries[first + q + look_ahead]);
      }
      if (add_usual(part[q], q, k, usual, batch)) continue;
      const Thresholds best = best_thresholds(part[q], k);
      if (best.price > scanned_row * shape_.rows) {
        full->push_back(static_cast<std::uint32_t>(first + q));
      } else {
        add_query(part[q], q, best, batch);
      }
    }
    settle({part, k, static_cast<std::uint32_t>(first), found}, batch);
  }
  if (scanned.empty()) return;
  scan_some(queries, 1, scanned, found, [&](std::span<const std::uint64_t> some, std::vector<Found>& into) { scan(some, k, into); });
}

void HalfIndex::prefetch_directories(std::uint64_t query) const {
  constexpr unsigned group_bits_of_line = 5;
  const unsigned bits = shape_.group_bits;
  for (unsigned t = 0; t < tables; ++t) {
    const std::uint32_t bucket = half_block(query, half_key_shift[t]) << bits;
    tables_[t].directory.prefetch(bucket);
    if (bits > group_bits_of_line) tables_[t].directory.prefetch(bucket + (1U << (bits - 1)));  // the other parity
  }
}

double HalfIndex::rows_of_buckets(std::uint64_t query) const {
  double rows = 0;
  for (unsigned t = 0; t < tables; ++t) {
    const std::uint32_t key = half_block(query, half_key_shift[t]);
    rows += bucket_start(t, key + 1) - bucket_start(t, key);
  }
  return rows;
}

void HalfIndex::add_query(std::uint64_t query, std::uint32_t number, const Thresholds& t, Batch& batch) const {
  batch.low_radius[number] = t.low < 0 ? Batch::no_radius : static_cast<unsigned>(t.low);
  for (unsigned table = 0; table < tables; ++table) {
    const int threshold = t.key[table];
    if (threshold < 0) continue;
    const int half = table < place_high ? t.low : t.high;
    // A half that the first table of the pair would give is not taken from the second: its filter, the first's key, is further away.
    const bool second = table == place_low_swapped || table == place_high_swapped;
    const int least = second ? t.key[table - 1] + 1 : 0;
    const auto key = static_cast<std::uint16_t>(half_block(query, half_key_shift[table]));
    const std::uint32_t end = key_balls().end[static_cast<unsigned>(threshold)];
    Asked asked{number * tables + table, key, static_cast<std::uint16_t>(half_block(query, half_filter_shift[table]))};
    Probe* to = batch.room_for(std::size_t{end} * most_ranges);
    int bits = 0;
    for (std::uint32_t b = 0; b < end; ++b) {
      while (b == key_balls().end[static_cast<unsigned>(bits)]) ++bits;
      if (half - bits < least) break;
      asked.key = static_cast<std::uint16_t>(key ^ key_balls().number[b]);
      to = add_bucket(asked, static_cast<unsigned>(least), static_cast<unsigned>(half - bits), to, batch.filters);
      if (to[-1].count == 0) --to;
    }
    batch.count = static_cast<std::size_t>(to - batch.probes.data());
  }
}

// The rows of a table with a key and a filter; some more where groups are small.
inline void HalfIndex::add_equal(const Asked& asked, Batch& batch) const {
  Probe* to = batch.room_for(1);
  const std::uint32_t group = group_of(asked.key, asked.filter);
  add_range(asked, group, group + 1, 0, 0, to, batch.filters);
  ++batch.count;
  if (to->count <= sorted_group) return;
  const std::uint16_t* rows = tables_[asked.tag % tables].filters + to->first;
  touch(rows, to->count);
  const auto [first, end] = std::equal_range(rows, rows + to->count, asked.filter);
  to->first += static_cast<std::uint32_t>(first - rows);
  to->count = static_cast<std::uint32_t>(end - first);
}

void HalfIndex::touch_probes(const Batch& batch) const {
  if (file_ == nullptr) return;
  const auto pages = file_->pages();
  for (const Probe& probe : std::span(batch.probes).first(batch.count))
    pages.touch(tables_[probe.tag % tables].filters + probe.first, probe.count);
}

// Reads the filters of the probes from where `scan` stands and asks for the memory of what they hit; the hits are the batch's until the
// next call. False: there was nothing left to read.
inline bool HalfIndex::read_probes(ProbeScan& scan, Batch& batch) const {
  if (scan.next == scan.count) return false;
  if (scan.next == 0 && scan.place == 0) touch_probes(batch);
  batch.hit_count = kernels_->probe(&scan);
  for (std::uint32_t h = 0; h < batch.hit_count; ++h) prefetch_row(batch.hits[h]);
  return true;
}

inline ProbeScan HalfIndex::scan_of(Batch& batch) const {
  return {{tables_[0].filters, tables_[1].filters, tables_[2].filters, tables_[3].filters},
          batch.probes.data(),
          static_cast<std::uint32_t>(batch.count),
          0,
          0,
          batch.hits.data(),
          static_cast<std::uint32_t>(batch.hits.size())};
}

inline void HalfIndex::prefetch_row(const ProbeHit& hit) const {
  const unsigned table = hit.tag % tables;
  if (table == place_low) {
    __builtin_prefetch(payload_ + std::size_t{hit.row} * stride_);
  } else if (table == place_high) {
    __builtin_prefetch(low_halves_ + hit.row);
  } else {
    tables_[table - 1].directory.prefetch(group_of(hit.filter, hit.key));
  }
}

// First what each hit says of itself, then the halves that hits only name. A low half is looked up once for each query, however many hits
// name it. So no row comes twice: those of place_low differ from those of place_low_swapped in the key's bits, and both from those of
// settle_high() in that these are further away than the low half's radius.
inline void HalfIndex::use_hits(Step step, const Settle& settle, Batch& batch) const {
  const auto found_low = [&](std::uint32_t number, std::uint32_t low, std::uint32_t row) {
    touch(payload_ + std::size_t{row} * stride_, stride_);
    const unsigned bits = bits_in(settle.queries[number] ^ (std::uint64_t{high_half(row)} << 32 | low));
    if (bits <= settle.k) settle.found.push_back({settle.first_query + number, bits, id_of(row)});
  };
  const auto low_half = [&](std::uint32_t row) {
    touch(low_halves_ + row, 1);
    return low_halves_[row];
  };
  for (const ProbeHit& hit : std::span(batch.hits).first(batch.hit_count)) {
    const std::uint32_t number = hit.tag / tables, key = hit.key, filter = hit.filter;
    if (step == step_high_halves) {
      const auto [query, high] = batch.high_halves[number];
      settle_high(settle, query, high, low_half(hit.row), batch);
    } else if (step == step_low_halves) {
      const auto [query, low] = batch.low_halves[number];
      found_low(query, low, hit.row);
    } else {
      switch (hit.tag % tables) {
        case place_low:
          found_low(number, key << 16 | filter, hit.row);
          break;
        case place_low_swapped:
          batch.low_halves.push_back({number, filter << 16 | key});
          break;
        case place_high:
          settle_high(settle, number, key << 16 | filter, low_half(hit.row), batch);
          break;
        default:
          batch.high_halves.push_back({number, filter << 16 | key});
      }
    }
  }
}

// The probes of a step after the first.
void HalfIndex::add_halves(Step step, Batch& batch) const {
  batch.count = 0;
  batch.filters = 0;
  auto& known = batch.halves(step);
  Batch::collapse(known);
  for (std::size_t i = 0; i < known.size(); ++i)
    add_equal({static_cast<std::uint32_t>(i * tables + (step == step_high_halves ? place_high : place_low)),
               static_cast<std::uint16_t>(known[i].half >> 16), static_cast<std::uint16_t>(known[i].half)},
              batch);
}

void HalfIndex::settle(const Settle& settle, Batch& batch) const {
  for (const Step step : all_steps) {
    if (!batch.has(step)) continue;
    if (step != step_probes) add_halves(step, batch);
    for (ProbeScan scan = scan_of(batch); read_probes(scan, batch);) use_hits(step, settle, batch);
  }
}

// Step by step in all of them, so that the memory which one waits for comes while others are worked on.
void HalfIndex::find_in_all(std::span<const HalfIndex* const> indexes, std::span<const std::uint64_t> queries, unsigned k,
                            std::span<std::vector<Found>* const> found) {
  struct Own {  // some 100 KB
    Batch batch{few_queries * tables * most_ranges, probe_slice};
    ProbeScan scan;
    std::array<std::uint64_t, few_queries> ordered;
    bool few;  // what it reads is no more than one call of the kernel takes
  };
  thread_local std::vector<std::unique_ptr<Own>> room;
  while (room.size() < indexes.size()) room.push_back(std::make_unique<Own>());
  const Thresholds usual = usual_thresholds(k);
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    for (std::size_t q = 0; q < queries.size(); ++q) {
      room[i]->ordered[q] = indexes[i]->order_ ? indexes[i]->order_->of(queries[q]) : queries[q];
      indexes[i]->prefetch_directories(room[i]->ordered[q]);
    }
  }
  const auto settle_of = [&](std::size_t i) {
    return Settle{std::span<const std::uint64_t>(room[i]->ordered).first(queries.size()), k, 0, *found[i]};
  };
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    Batch& batch = room[i]->batch;
    batch.clear();
    bool few = indexes[i]->shape_.rows > 0;
    for (std::uint32_t q = 0; few && q < queries.size(); ++q) few = indexes[i]->add_usual(room[i]->ordered[q], q, k, usual, batch);
    room[i]->few = few;
  }
  for (const Step step : all_steps) {
    const auto each = [&](const auto& use) {
      for (std::size_t i = 0; i < indexes.size(); ++i)
        if (room[i]->few && room[i]->batch.has(step)) use(*indexes[i], *room[i], i);
    };
    if (step != step_probes) each([&](const HalfIndex& index, Own& own, std::size_t) { index.add_halves(step, own.batch); });
    each([&](const HalfIndex& index, Own& own, std::size_t) {
      own.batch.hit_count = 0;
      own.scan = index.scan_of(own.batch);
      index.read_probes(own.scan, own.batch);
    });
    each([&](const HalfIndex& index, Own& own, std::size_t i) {
      do index.use_hits(step, settle_of(i), own.batch);
      while (index.read_probes(own.scan, own.batch));
    });
  }
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    if (!room[i]->few) indexes[i]->find(queries, k, *found[i]);
    give_back(room[i]->batch.low_halves);
    give_back(room[i]->batch.high_halves);
  }
  if (room.size() > kept_rooms) room.resize(kept_rooms);
}

// A row that the high half's tables gave, unless the low half's give it: what is left to be done is to look up its low half, with all rows
// that have it, since ids stand there alone.
void HalfIndex::settle_high(const Settle& settle, std::uint32_t number, std::uint32_t high, std::uint32_t low, Batch& batch) const {
  const std::uint64_t query = settle.queries[number];
  if (bits_in(query ^ (std::uint64_t{high} << 32 | low)) > settle.k) return;
  const unsigned radius = batch.low_radius[number];
  if (radius != Batch::no_radius && bits_in(static_cast<std::uint32_t>(query) ^ low) <= radius) return;
  tables_[place_low].directory.prefetch(group_of(low >> 16, low & 0xffff));
  batch.low_halves.push_back({number, low});
}

void HalfIndex::copy_rows(std::uint64_t* values, std::uint64_t* ids) const {
  touch_rows(0, shape_.rows);
  for (std::uint32_t key = 0, row = 0; key < 65536; ++key) {
    for (const std::uint32_t end = bucket_start(place_low, key + 1); row < end; ++row) {
      const std::uint64_t value = std::uint64_t{high_half(row)} << 32 | key << 16 | tables_[place_low].filters[row];
      values[row] = back_ ? back_->of(value) : value;
    }
  }
  for (std::uint32_t row = 0; ids != nullptr && row < shape_.rows; ++row) ids[row] = id_of(row);
}

// use(first, values) for all rows, slice by slice, put together from the columns.
template <typename Use>
void HalfIndex::each_slice(const Use& use) const {
  std::vector<std::uint64_t> values(row_count);
  std::uint32_t key = 0, key_end = bucket_start(place_low, 1);
  for (std::uint32_t first = 0; first < shape_.rows;) {
    const std::uint32_t count = std::min(row_count, shape_.rows - first);
    touch_rows(first, count);
    for (std::uint32_t i = 0; i < count; ++i) {
      while (first + i == key_end) key_end = bucket_start(place_low, ++key + 1);
      values[i] = std::uint64_t{high_half(first + i)} << 32 | key << 16 | tables_[place_low].filters[first + i];
    }
    use(first, std::span<const std::uint64_t>(values).first(count));
    first += count;
  }
}

void HalfIndex::scan(std::span<const std::uint64_t> queries, unsigned k, std::vector<Found>& found) const {
  std::vector<std::uint64_t> asked(queries.begin(), queries.end());
  for (std::uint64_t& query : asked) query = order_ ? order_->of(query) : query;
  std::vector<std::uint32_t> hits(row_count);
  each_slice([&](std::uint32_t first, std::span<const std::uint64_t> values) {
    for (std::uint32_t q = 0; q < asked.size(); ++q) {
      const std::uint32_t got = compare(&asked[q], values.data(), static_cast<std::uint32_t>(values.size()), 1, k, hits.data());
      for (std::uint32_t h = 0; h < got; ++h) found.push_back({q, bits_in(asked[q] ^ values[hits[h]]), id_of(first + hits[h])});
    }
  });
}

void HalfIndex::nearest(std::uint64_t query, Nearest& best) const {
  const std::uint64_t asked = order_ ? order_->of(query) : query;
  std::vector<std::uint32_t> hits(row_count);
  each_slice([&](std::uint32_t first, std::span<const std::uint64_t> values) {
    const auto count = static_cast<std::uint32_t>(values.size());
    const std::uint32_t got = compare(&asked, values.data(), count, 1, best.radius(), hits.data());
    for (std::uint32_t h = 0; h < got; ++h) best.offer(bits_in(asked ^ values[hits[h]]), id_of(first + hits[h]));
  });
}

}  // namespace leitong::hamming
