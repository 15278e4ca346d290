#include "hamming/half_index_build.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "hamming/hamming.h"
#include "hamming/threads.h"

namespace leitong::hamming {
namespace {

// Groups of 16 to 40 rows, from where half a bucket is more than a cache line; none below.
unsigned group_bits_for(std::uint64_t rows) {
  constexpr std::uint64_t least_rows = 30, group_rows = 16;
  const std::uint64_t bucket = rows / 65536;
  if (bucket < least_rows) return 0;
  const auto finer = static_cast<unsigned>(std::bit_width(bucket / 2 / group_rows));
  return std::min(1 + (finer > 0 ? finer - 1 : 0), HalfIndex::most_group_bits);
}

constexpr std::size_t least_ordered = 8192;
constexpr std::uint32_t sparse = 24;  // rows of a part that are sooner put in order than counted

// Bits of the first pass: parts that the inner cache holds in the second, but few enough to be written at once.
unsigned first_bits_for(std::uint64_t rows) {
  return std::clamp(static_cast<unsigned>(std::bit_width(rows)) - std::min(17U, static_cast<unsigned>(std::bit_width(rows))), 8U, 11U);
}

template <typename T>
void permute(T* rows, unsigned stride, std::span<const std::uint32_t> order) {
  const std::vector<T> old(rows, rows + order.size() * stride);
  for (std::size_t i = 0; i < order.size(); ++i) std::copy_n(old.data() + std::size_t{order[i]} * stride, stride, rows + i * stride);
}

}  // namespace

HalfIndex::HalfIndex(std::span<const std::uint64_t> values, std::span<const std::uint64_t> ids, std::uint64_t first_id,
                     const Options& options)
    : kernels_(options.kernels != nullptr ? options.kernels : kernels().probe) {
  shape_.rows = static_cast<std::uint32_t>(values.size());
  shape_.group_bits = options.group_bits.value_or(group_bits_for(values.size()));
  Builder(*this, values, ids, first_id, options.first_bits.value_or(first_bits_for(values.size()))).run(options.threads);
}

void HalfIndex::Builder::run(unsigned threads) {
  choose_order();
  choose_ids();
  const unsigned used = std::min(threads, tables);
  std::vector<Room> rooms(used);
  const auto build = [&] {
    lay_out();
    run_items(used, tables, [&](unsigned thread, unsigned table) { build_table(table, rooms[thread]); });
  };
  build();
  if (directory_overflows_) {  // where thousands of rows share a key
    index_.shape_.wide_directory = 1;
    build();
  }
  index_.fill_costs();
}

void HalfIndex::Builder::choose_order() {
  HalfShape& shape = index_.shape_;
  std::iota(shape.order.begin(), shape.order.end(), std::uint8_t{0});
  if (values_.size() < least_ordered) {  // whatever they are, they are soon read
    shape.usual_rows = usual_slack + usual_times * static_cast<double>(values_.size()) / 65536;
    return;
  }
  const ChosenOrder chosen = choose_bit_order(values_);
  shape.usual_rows = usual_slack + usual_times * chosen.spread.agreement * static_cast<double>(values_.size());
  if (chosen.order.empty()) return;
  shape.has_order = 1;
  const BitOrder& order = chosen.order[0];
  std::array<std::uint8_t, 64> back{};
  for (unsigned bit = 0; bit < 64; ++bit) {
    const auto to = static_cast<unsigned>(std::countr_zero(order.of(std::uint64_t{1} << bit)));
    shape.order[to] = static_cast<std::uint8_t>(bit);
    back[bit] = static_cast<std::uint8_t>(to);
  }
  index_.order_.emplace(order);
  index_.back_.emplace(back);
  std::uint64_t* ordered = ordered_.reserve(values_.size());
  for (std::size_t i = 0; i < values_.size(); ++i) ordered[i] = order.of(values_[i]);
  values_ = {ordered, values_.size()};
}

void HalfIndex::Builder::choose_ids() {
  HalfShape& shape = index_.shape_;
  shape.first_id = first_id_;
  if (!ids_.empty()) {
    const auto [least, most] = std::minmax_element(ids_.begin(), ids_.end());
    shape.first_id = *least;
    shape.wide_ids = *most - *least > 0xffffffff ? 1 : 0;
  }
  index_.stride_ = shape.wide_ids != 0 ? 3 : 2;
}

void HalfIndex::Builder::lay_out() {
  constexpr std::size_t line = 64, slack = 128;  // vector loads may read behind the end of a column
  const std::size_t n = index_.shape_.rows;
  std::size_t size = 0;
  const auto place = [&](std::size_t bytes) {
    const std::size_t at = size;
    size += (bytes + slack + line - 1) / line * line;
    return at;
  };
  std::array<std::size_t, tables> filters{};
  for (std::size_t& at : filters) at = place(n * sizeof(std::uint16_t));
  const std::size_t payload = place(n * index_.stride_ * sizeof(std::uint32_t)), low_halves = place(n * sizeof(std::uint32_t));
  const std::size_t groups = index_.groups();
  const bool wide = index_.shape_.wide_directory != 0;
  std::array<std::size_t, tables> bases{}, offsets{};
  for (std::size_t& at : bases) at = place((wide ? groups + 1 : (groups >> 4) + 1) * sizeof(std::uint32_t));
  for (std::size_t& at : offsets) at = wide ? 0 : place((groups + 1) * sizeof(std::uint16_t));
  auto* memory = reinterpret_cast<std::byte*>(index_.columns_.reserve(size / sizeof(std::uint64_t)));
  for (unsigned t = 0; t < tables; ++t) {
    index_.tables_[t].filters = filters_[t] = reinterpret_cast<std::uint16_t*>(memory + filters[t]);
    index_.tables_[t].directory.bases = bases_[t] = reinterpret_cast<std::uint32_t*>(memory + bases[t]);
    index_.tables_[t].directory.offsets = offsets_[t] = wide ? nullptr : reinterpret_cast<std::uint16_t*>(memory + offsets[t]);
  }
  index_.payload_ = payload_ = reinterpret_cast<std::uint32_t*>(memory + payload);
  index_.low_halves_ = low_halves_ = reinterpret_cast<std::uint32_t*>(memory + low_halves);
  index_.bytes_ = size;
}

void HalfIndex::Builder::build_table(unsigned table, Room& room) {
  std::uint16_t* filters = filters_[table];
  const auto low_of = [&](std::size_t i) { return static_cast<std::uint32_t>(values_[i]); };
  const auto high_of = [&](std::size_t i) { return static_cast<std::uint32_t>(values_[i] >> 32); };
  if (table == place_low) {
    const bool wide = index_.shape_.wide_ids != 0, given = !ids_.empty();
    const std::uint64_t base = index_.shape_.first_id;
    const auto make = [&](std::size_t i) {
      return Low{low_of(i), high_of(i), given && !wide ? static_cast<std::uint32_t>(ids_[i] - base) : static_cast<std::uint32_t>(i)};
    };
    sort_table<Low>(table, room, make, [&](std::uint32_t to, const Low& row) {
      filters[to] = static_cast<std::uint16_t>(row.half);
      std::uint32_t* payload = payload_ + std::size_t{to} * (wide ? 3 : 2);
      payload[0] = row.high;
      if (!wide) {
        payload[1] = row.number;
      } else {
        payload[1] = static_cast<std::uint32_t>(ids_[row.number]);
        payload[2] = static_cast<std::uint32_t>(ids_[row.number] >> 32);
      }
    });
  } else if (table == place_high) {
    sort_table<High>(
        table, room, [&](std::size_t i) { return High{high_of(i), low_of(i)}; },
        [&](std::uint32_t to, const High& row) {
          filters[to] = static_cast<std::uint16_t>(row.half);
          low_halves_[to] = row.low;
        });
  } else {
    const auto make = [&](std::size_t i) { return Swapped{std::rotl(table == place_low_swapped ? low_of(i) : high_of(i), 16)}; };
    sort_table<Swapped>(table, room, make,
                        [&](std::uint32_t to, const Swapped& row) { filters[to] = static_cast<std::uint16_t>(row.half); });
  }
  if (!directory_overflows_ || index_.shape_.wide_directory != 0) order_full_groups(table);
  full_groups_[table].clear();
}

// Two passes: into parts by the key's top bits, then each part, in the cache, into groups. Four cursors are moved before their rows are
// written (see scatter.cpp).
template <typename Row, typename Make, typename Write>
void HalfIndex::Builder::sort_table(unsigned table, Room& room, const Make& make, const Write& write) {
  const std::uint32_t n = index_.shape_.rows;
  const unsigned first_bits = first_bits_, part_bits = 16 - first_bits + index_.shape_.group_bits, shift = 32 - first_bits;
  const std::uint32_t parts = 1U << first_bits, part_groups = 1U << part_bits;
  std::vector<std::uint32_t> cursors(parts);
  for (std::size_t i = 0; i < n; ++i) ++cursors[make(i).half >> shift];
  std::uint32_t sum = 0, largest = 0;
  for (std::uint32_t& cursor : cursors) {
    const std::uint32_t count = cursor;
    largest = std::max(largest, count);
    cursor = sum;
    sum += count;
  }
  Row* rows = reinterpret_cast<Row*>(room.rows.reserve(std::size_t{n} * (sizeof(Row) / sizeof(std::uint32_t))));
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    const Row r0 = make(i), r1 = make(i + 1), r2 = make(i + 2), r3 = make(i + 3);
    const std::uint32_t p0 = cursors[r0.half >> shift]++, p1 = cursors[r1.half >> shift]++, p2 = cursors[r2.half >> shift]++,
                        p3 = cursors[r3.half >> shift]++;
    rows[p0] = r0;
    rows[p1] = r1;
    rows[p2] = r2;
    rows[p3] = r3;
  }
  for (; i < n; ++i) {
    const Row row = make(i);
    rows[cursors[row.half >> shift]++] = row;
  }
  room.digits.resize(std::max<std::size_t>(room.digits.size(), largest));
  room.places.resize(part_groups);
  std::uint32_t first = 0;
  for (std::uint32_t p = 0; p < parts; ++p) {
    const std::uint32_t count = cursors[p] - first;
    sort_part(table, room, rows + first, {first, count, p << part_bits, part_groups}, write);
    first = cursors[p];
  }
  set_start(table, index_.groups(), n);
}

template <typename Row, typename Write>
void HalfIndex::Builder::sort_part(unsigned table, Room& room, const Row* rows, const Part& part, const Write& write) {
  std::uint16_t* digits = room.digits.data();
  std::uint32_t* places = room.places.data();
  for (std::uint32_t r = 0; r < part.count; ++r)
    digits[r] = static_cast<std::uint16_t>(index_.group_of(rows[r].half >> 16, rows[r].half & 0xffff) & (part.groups - 1));
  if (part.count <= sparse) return sort_sparse_part(table, digits, rows, part, write);
  std::fill_n(places, part.groups, 0);
  for (std::uint32_t r = 0; r < part.count; ++r) ++places[digits[r]];
  for (std::uint32_t g = 0; part.count > sorted_group && g < part.groups; ++g) {
    if (places[g] > sorted_group) full_groups_[table].push_back(part.first_group + g);
  }
  std::uint32_t place = part.first;
  for (std::uint32_t g = 0; g < part.groups; ++g) {
    const std::uint32_t rows_of_group = places[g];
    places[g] = place;
    place += rows_of_group;
  }
  if (index_.shape_.wide_directory != 0) {
    std::copy_n(places, part.groups, bases_[table] + part.first_group);
  } else {
    for (std::uint32_t g = 0; g < part.groups; g += 16) {
      const std::uint32_t base = places[g];
      bases_[table][(part.first_group + g) >> 4] = base;
      for (std::uint32_t i = 0; i < 16; ++i) offsets_[table][part.first_group + g + i] = static_cast<std::uint16_t>(places[g + i] - base);
      if (places[g + 15] - base > 0xffff) directory_overflows_ = true;
    }
  }
  std::uint32_t r = 0;
  for (; r + 4 <= part.count; r += 4) {
    std::array<std::uint32_t, 4> to;
    for (std::uint32_t g = 0; g < 4; ++g) to[g] = places[digits[r + g]]++;
    for (std::uint32_t g = 0; g < 4; ++g) write(to[g], rows[r + g]);
  }
  for (; r < part.count; ++r) write(places[digits[r]]++, rows[r]);
}

// A few rows among many groups: put in order by insertion, and the directory filled between them.
template <typename Row, typename Write>
void HalfIndex::Builder::sort_sparse_part(unsigned table, const std::uint16_t* digits, const Row* rows, const Part& part,
                                          const Write& write) {
  std::array<std::uint32_t, sparse> order;  // digit, then row
  for (std::uint32_t r = 0; r < part.count; ++r) {
    std::uint32_t at = r;
    const std::uint32_t entry = static_cast<std::uint32_t>(digits[r]) << 8 | r;
    for (; at > 0 && order[at - 1] > entry; --at) order[at] = order[at - 1];
    order[at] = entry;
  }
  for (std::uint32_t r = 0; r < part.count; ++r) write(part.first + r, rows[order[r] & 255]);
  const bool wide = index_.shape_.wide_directory != 0;
  std::uint32_t group = 0;
  for (std::uint32_t r = 0; r <= part.count; ++r) {  // groups up to that of row r begin at r
    const std::uint32_t end = r == part.count ? part.groups : (order[r] >> 8) + 1;
    if (wide) {
      std::fill(bases_[table] + part.first_group + group, bases_[table] + part.first_group + std::max(group, end), part.first + r);
    } else {
      std::fill(offsets_[table] + part.first_group + group, offsets_[table] + part.first_group + std::max(group, end),
                static_cast<std::uint16_t>(r));
    }
    group = std::max(group, end);
  }
  // Offsets count from the part's first row, and so must the bases.
  if (!wide) std::fill_n(bases_[table] + (part.first_group >> 4), part.groups >> 4, part.first);
}

void HalfIndex::Builder::set_start(unsigned table, std::uint32_t group, std::uint32_t start) {
  if (index_.shape_.wide_directory != 0) {
    bases_[table][group] = start;
  } else {
    bases_[table][group >> 4] = start;  // the last one of all
    offsets_[table][group] = 0;
  }
}

// Puts the rows of full groups in order of filters, so that those with one filter are found without reading all.
void HalfIndex::Builder::order_full_groups(unsigned table) {
  std::vector<std::uint32_t> order, cursors;
  const HalfDirectory& directory = index_.tables_[table].directory;
  for (const std::uint32_t group : full_groups_[table]) {
    const std::uint32_t first = directory.start(group), count = directory.start(group + 1) - first;
    std::uint16_t* filters = filters_[table] + first;
    cursors.assign(65537, 0);
    for (std::uint32_t i = 0; i < count; ++i) ++cursors[filters[i] + 1U];
    for (std::size_t f = 1; f <= 65536; ++f) cursors[f] += cursors[f - 1];
    order.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) order[cursors[filters[i]]++] = i;
    permute(filters, 1, order);
    if (table == place_low) permute(payload_ + std::size_t{first} * index_.stride_, index_.stride_, order);
    if (table == place_high) permute(low_halves_ + first, 1, order);
  }
}

}  // namespace leitong::hamming
