#include "articles.h"

#include <bit>
#include <numeric>

namespace bench_hamming {
namespace {

constexpr unsigned tables = 4, key_bits = 16;

std::uint32_t key_of(std::uint64_t value, unsigned table) { return static_cast<std::uint32_t>(value >> (key_bits * table)) & 0xffffU; }

}  // namespace

FlatTable::FlatTable(std::size_t entries)
    : mask_(std::bit_ceil(entries * 3 / 2 + 2) - 1),
      shift_(64 - static_cast<unsigned>(std::popcount(mask_))),
      values_(mask_ + 1),
      rows_(mask_ + 1, none) {}

void FlatTable::insert(std::uint64_t value, std::uint32_t row) {
  std::size_t slot = start(value);
  while (rows_[slot] != none) slot = (slot + 1) & mask_;
  values_[slot] = value;
  rows_[slot] = row;
}

VariationProbe::VariationProbe(std::span<const std::uint64_t> values) : table_(values.size()) {
  for (std::size_t i = 0; i < values.size(); ++i) table_.insert(values[i], static_cast<std::uint32_t>(i));
}

void VariationProbe::find(std::uint64_t query, std::uint64_t number, unsigned k, Tally& found) const {
  each_variation(query, k, [&](std::uint64_t variation, unsigned flipped) {
    table_.find(variation, [&](std::uint32_t row) { found.add(number, row, flipped); });
  });
}

std::size_t ExpandedTable::variations(unsigned k) {
  std::size_t count = 0;
  each_variation(0, k, [&](std::uint64_t, unsigned) { ++count; });
  return count;
}

ExpandedTable::ExpandedTable(std::span<const std::uint64_t> values, unsigned k) : values_(values), table_(values.size() * variations(k)) {
  for (std::size_t i = 0; i < values.size(); ++i)
    each_variation(values[i], k, [&](std::uint64_t variation, unsigned) { table_.insert(variation, static_cast<std::uint32_t>(i)); });
}

void ExpandedTable::find(std::uint64_t query, std::uint64_t number, Tally& found) const {
  table_.find(query, [&](std::uint32_t row) { found.add(number, row, distance_of(&query, &values_[row], 1)); });
}

FourTables::FourTables(std::span<const std::uint64_t> values) : tables_(tables) {
  for (unsigned t = 0; t < tables; ++t) {
    Table& table = tables_[t];
    table.values.resize(values.size());
    table.rows.resize(values.size());
    table.starts.assign((1U << key_bits) + 1, 0);
    for (const auto value : values) ++table.starts[key_of(value, t) + 1];
    std::inclusive_scan(table.starts.begin(), table.starts.end(), table.starts.begin());
    std::vector<std::uint32_t> next(table.starts.begin(), table.starts.end() - 1);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::uint32_t place = next[key_of(values[i], t)]++;
      table.values[place] = values[i];
      table.rows[place] = static_cast<std::uint32_t>(i);
    }
  }
}

FourTables::Candidates FourTables::find(std::uint64_t query, std::uint64_t number, unsigned k, Tally& found) const {
  Candidates candidates{};
  for (unsigned t = 0; t < tables; ++t) {
    const Table& table = tables_[t];
    const std::uint32_t begin = table.starts[key_of(query, t)], end = table.starts[key_of(query, t) + 1];
    candidates.all += end - begin;
    if (t == 0) candidates.first = end - begin;
    for (std::uint32_t i = begin; i < end; ++i) {
      const std::uint64_t differs = query ^ table.values[i];
      if (static_cast<unsigned>(std::popcount(differs)) > k) continue;
      bool earlier = false;  // found in an earlier table, too
      for (unsigned e = 0; e < t; ++e) earlier = earlier || key_of(differs, e) == 0;
      if (!earlier) found.add(number, table.rows[i], static_cast<unsigned>(std::popcount(differs)));
    }
  }
  return candidates;
}

std::uint64_t FourTables::bytes() const { return tables * (12 * tables_[0].values.size() + 4 * tables_[0].starts.size()); }

}  // namespace bench_hamming
