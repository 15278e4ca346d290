#include "hamming/half_part.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "hamming/bits.h"

namespace leitong::hamming {
namespace {

constexpr std::uint32_t most_in_part = 65535;  // places in a part are 16 bits
constexpr std::uint32_t most_left = 64;        // rows of a key that found their lines full: more, and the key is divided anew
constexpr std::uint32_t most_divided = 20000;  // rows of a key above which the general join spreads them better
constexpr std::uint32_t pair_count = 8192;
constexpr double rows_of_class = 11;  // lines hold 16: at this mean one row in 200 finds its line full

std::uint32_t key_of(const MeetLayout& layout, std::uint64_t value) {
  return static_cast<std::uint32_t>(value >> (16 * layout.key_word + layout.key_shift)) & ((1U << layout.key_bits) - 1);
}

}  // namespace

unsigned sub_bits_for(double rows_of_key) {
  if (rows_of_key <= 2 * rows_of_class) return 0;
  return static_cast<unsigned>(std::clamp(std::ceil(std::log2(rows_of_key / (2 * rows_of_class))), 0.0, double{most_sub_bits}));
}

void HalfPartJoin::join(const HalfTable& table, const HalfPart& part, const HalfKey& given) {
  if (part.n < 2) return;
  if (part.n > most_in_part) return given.low_bits == 0 ? join_frame(table, part) : divide(table, part, given);
  HalfKey key = given;
  key.sub_bits = std::min(key.sub_bits, sub_bits_for(2.0 * (part.n >> key.low_bits)));  // a part with few rows needs no more
  const MeetLayout layout{.key_word = table.key_word,
                          .filter_word = table.filter_word,
                          .key_shift = 16 - key.bits,
                          .key_bits = key.low_bits,
                          .sub_bits = key.sub_bits,
                          .near = table.near,
                          .equal = table.equal};
  const std::size_t classes = std::size_t{2} << (key.low_bits + key.sub_bits);
  std::uint8_t* counts = counts_.reserve(classes);
  std::fill_n(counts, classes, 0);
  MeetScan scan{.values = part.values,
                .n = part.n,
                .layout = &layout,
                .lines = lines_.reserve(classes),
                .counts = counts,
                .noted = noted_.reserve(most_in_part + 1),
                .left = left_.reserve(most_in_part + 1),
                .notes = 0,
                .lefts = 0};
  kernels_.meet->meet(&scan);
  const std::vector<std::uint32_t> heavy = scan.lefts > most_left ? keep_light(scan) : std::vector<std::uint32_t>{};
  report(table, part, scan, {scan.noted, scan.notes}, false);
  if (scan.lefts != 0) {
    report(table, part, scan, {scan.left, scan.lefts}, true);
    meet_left(table, part, scan);
  }
  if (!heavy.empty()) join_heavy(table, part, key, layout, heavy);
}

void HalfPartJoin::report(const HalfTable& table, const HalfPart& part, const MeetScan& scan, std::span<const std::uint16_t> rows,
                          bool all) {
  pairs_.resize(pair_count);
  MeetReport report{.scan = &scan,
                    .rows = rows.data(),
                    .next = 0,
                    .last = static_cast<std::uint32_t>(rows.size()),
                    .all = all,
                    .key_at = table.key_at(),
                    .k = static_cast<int>(k_),
                    .skip_low = table.skip_low,
                    .out = pairs_.data(),
                    .capacity = pair_count};
  while (report.next < report.last) {
    const std::uint32_t count = kernels_.meet->report(&report);
    HammingPair* given = given_.reserve(pair_count);
    std::uint32_t kept = 0;
    for (std::uint32_t p = 0; p < count; ++p) {
      const std::uint32_t a = part.ids[pairs_[p].a], b = part.ids[pairs_[p].b];
      given[kept] = {std::min(a, b), std::max(a, b) - split_, pairs_[p].distance};
      kept += split_ == 0 || (a < split_) != (b < split_) ? 1 : 0;
    }
    found_.add({given, kept});
  }
}

// Takes the rows of keys that most rows were left of out of the lists. Returns those keys, ascending.
std::vector<std::uint32_t> HalfPartJoin::keep_light(MeetScan& scan) {
  std::vector<std::uint32_t> lefts(std::size_t{1} << scan.layout->key_bits);
  for (std::uint32_t r = 0; r < scan.lefts; ++r) ++lefts[key_of(*scan.layout, scan.values[scan.left[r]])];
  const std::uint32_t most = std::max(most_left, (scan.n >> scan.layout->key_bits) / 32);
  std::vector<std::uint32_t> heavy;
  for (std::uint32_t key = 0; key < lefts.size(); ++key) {
    if (lefts[key] > most) heavy.push_back(key);
  }
  const auto keep = [&](std::uint16_t* rows, std::uint32_t& count) {
    const auto* end =
        std::remove_if(rows, rows + count, [&](std::uint16_t row) { return lefts[key_of(*scan.layout, scan.values[row])] > most; });
    count = static_cast<std::uint32_t>(end - rows);
  };
  if (!heavy.empty()) {
    keep(scan.noted, scan.notes);
    keep(scan.left, scan.lefts);
  }
  return heavy;
}

// Pairs among the rows that stand in no line.
void HalfPartJoin::meet_left(const HalfTable& table, const HalfPart& part, const MeetScan& scan) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> rows;  // key, row
  for (std::uint32_t r = 0; r < scan.lefts; ++r) rows.emplace_back(key_of(*scan.layout, part.values[scan.left[r]]), scan.left[r]);
  std::sort(rows.begin(), rows.end());
  for (std::size_t first = 0; first < rows.size(); ++first) {
    for (std::size_t other = first + 1; other < rows.size() && rows[other].first == rows[first].first; ++other) {
      check(table, part, rows[first].second, rows[other].second);
    }
  }
}

void HalfPartJoin::check(const HalfTable& table, const HalfPart& part, std::uint32_t i, std::uint32_t j) {
  const std::uint64_t x = part.values[i] ^ part.values[j], filter = x & table.filter_mask();
  if ((filter & (filter - 1)) != 0 || !(filter == 0 ? table.equal : table.near)) return;
  if ((x >> table.key_at() & 0xffff) != 0 || static_cast<int>(bits_in(x & 0xffffffffU)) <= table.skip_low) return;
  const unsigned bits = bits_in(x);
  if (bits <= k_) give(part.ids[i], part.ids[j], bits);
}

void HalfPartJoin::give(std::uint32_t a, std::uint32_t b, std::uint32_t distance) {
  if (a > b) std::swap(a, b);
  if (split_ == 0) return found_.add({a, b, distance});
  if (a < split_ && b >= split_) found_.add({a, b - split_, distance});
}

// A part whose rows have no places of 16 bits: many rows share the upper bits of the key, or there are very many rows.
void HalfPartJoin::divide(const HalfTable& table, const HalfPart& part, const HalfKey& key) {
  const auto wanted = static_cast<unsigned>(std::bit_width(part.n)) - 14;  // 8,000 to 16,000 rows a part
  const unsigned bits = std::min({key.low_bits, wanted, 10U});
  const std::uint32_t parts = 1U << bits;
  const Digit digit{0, 16 * table.key_word + 16 - key.bits + key.low_bits - bits, parts - 1};
  const Rows rows{part.values, part.ids, part.n, 0};
  std::vector<std::uint32_t> cursors(parts);
  count_digits(rows, 1, digit, cursors.data());
  if (levels_.size() == depth_) levels_.emplace_back();
  Level& level = levels_[depth_++];
  std::uint64_t* values = level.values.reserve(part.n);
  std::uint32_t* ids = level.ids.reserve(part.n);
  std::uint32_t sum = 0;
  for (std::uint32_t& cursor : cursors) sum += std::exchange(cursor, sum);
  scatter(rows, 1, digit, cursors.data(), values, ids);
  std::uint32_t first = 0;
  for (std::uint32_t p = 0; p < parts; ++p) {
    join(table, {values + first, ids + first, cursors[p] - first}, {key.bits, key.low_bits - bits, key.sub_bits});
    first = cursors[p];
  }
  --depth_;
}

// Keys whose rows are many: divided by more bits of the filter. If that spreads them no further, by the general join.
void HalfPartJoin::join_heavy(const HalfTable& table, const HalfPart& part, const HalfKey& key, const MeetLayout& layout,
                              const std::vector<std::uint32_t>& keys) {
  std::vector<OfKey> rows(keys.size());
  std::vector<std::uint32_t> place(std::size_t{1} << key.low_bits, ~0U);
  for (std::uint32_t h = 0; h < keys.size(); ++h) place[keys[h]] = h;
  for (std::uint32_t i = 0; i < part.n; ++i) {
    const std::uint32_t h = place[key_of(layout, part.values[i])];
    if (h == ~0U) continue;
    rows[h].values.push_back(part.values[i]);
    rows[h].ids.push_back(part.ids[i]);
  }
  for (const OfKey& heavy : rows) {
    const HalfPart inner{heavy.values.data(), heavy.ids.data(), static_cast<std::uint32_t>(heavy.values.size())};
    const unsigned sub_bits = sub_bits_for(inner.n);
    if (inner.n > most_divided || sub_bits <= key.sub_bits) {
      join_frame(table, inner);
    } else {
      join(table, inner, {key.bits, 0, sub_bits});
    }
  }
}

// The general join of rows that agree on the key. It finds all near pairs of them; those that belong to other tables are dropped.
void HalfPartJoin::join_frame(const HalfTable& table, const HalfPart& part) {
  Frame frame;
  frame.limit = static_cast<int>(k_);
  if (table.skip_low >= 0) frame.clauses.push_back({0, 0xffffffffU, static_cast<unsigned>(table.skip_low) + 1});
  if (!table.equal) frame.clauses.push_back({0, table.filter_mask(), 1});
  framed_ = {&table, &part};
  if (!frame_join_) {
    frame_join_.emplace(kernels_, 1, k_, [this](std::vector<HammingPair>& pairs) {
      for (const HammingPair& pair : pairs) check(*framed_.table, *framed_.part, pair.a, pair.b);
      pairs.clear();
      found_.flush_if_full();
    });
  }
  frame_join_->solve({part.values, nullptr, part.n, 0}, frame);
  frame_join_->flush();
}

}  // namespace leitong::hamming
