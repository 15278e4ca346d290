#include "hamming/index_log.h"

#include <algorithm>

#include "hamming/bits.h"
#include "hamming/hamming.h"

namespace leitong::hamming {

IndexLog::IndexLog(unsigned words)
    : words_(words),
      values_(std::size_t{kRoom} * words),
      ids_(kRoom),
      erased_(kRoom),
      rows_before_(kRoom),
      slots_(std::make_unique<std::atomic<std::uint32_t>[]>(kSlots)) {}

void IndexLog::add(std::uint64_t id, const std::uint64_t* value) noexcept {
  const View now = view();
  for (unsigned w = 0; w < words_; ++w) values_[std::size_t{now.rows} * words_ + w] = value[w];
  ids_[now.rows] = id;
  published_.store(std::uint64_t{now.erased} << 32 | (now.rows + 1), std::memory_order_release);
}

bool IndexLog::is_erased(std::uint64_t id) const noexcept {
  const View now = view();
  const std::uint32_t below = hidden_below(now, id);
  return below != 0 && std::find(ids_.begin() + (below - 1), ids_.begin() + now.rows, id) == ids_.begin() + now.rows;
}

void IndexLog::erase(std::uint64_t id) noexcept {
  const View now = view();
  erased_[now.erased] = id;
  rows_before_[now.erased] = now.rows;
  std::uint32_t slot = slot_of(id);
  while (slots_[slot].load(std::memory_order_relaxed) != 0) slot = (slot + 1) % kSlots;
  slots_[slot].store(now.erased + 1, std::memory_order_relaxed);
  published_.store(std::uint64_t{now.erased + 1} << 32 | now.rows, std::memory_order_release);
}

std::uint32_t IndexLog::hidden_below(const View& view, std::uint64_t id) const noexcept {
  std::uint32_t below = 0;
  for (std::uint32_t slot = slot_of(id);; slot = (slot + 1) % kSlots) {
    const std::uint32_t taken = slots_[slot].load(std::memory_order_relaxed);
    if (taken == 0) return below;
    const std::uint32_t e = taken - 1;
    if (e >= view.erased || erased_[e] != id) continue;  // what came later is not looked at
    below = below > rows_before_[e] + 1 ? below : rows_before_[e] + 1;
  }
}

void IndexLog::find(const View& view, std::span<const std::uint64_t> queries, unsigned k, std::vector<Found>& found) const {
  if (view.rows == 0) return;
  std::array<std::uint32_t, kRoom> hits;
  for (std::uint32_t q = 0; q < queries.size() / words_; ++q) {
    const std::uint64_t* query = queries.data() + std::size_t{q} * words_;
    const std::uint32_t count = compare(query, values_.data(), view.rows, words_, k, hits.data());
    for (std::uint32_t h = 0; h < count; ++h) {
      const std::uint32_t row = hits[h];
      if (view.erased != 0 && hidden_below(view, ids_[row]) > row + 1) continue;
      found.push_back({q, distance(query, values_.data() + std::size_t{row} * words_, words_), ids_[row]});
    }
  }
}

void IndexLog::collect(const View& view, std::vector<std::uint64_t>& values, std::vector<std::uint64_t>& ids,
                       std::vector<std::uint64_t>& erased) const {
  for (std::uint32_t row = 0; row < view.rows; ++row) {
    if (view.erased != 0 && hidden_below(view, ids_[row]) > row + 1) continue;
    const auto first = values_.begin() + static_cast<std::ptrdiff_t>(std::size_t{row} * words_);
    values.insert(values.end(), first, first + words_);
    ids.push_back(ids_[row]);
  }
  erased.insert(erased.end(), erased_.begin(), erased_.begin() + view.erased);
}

std::uint64_t IndexLog::bytes() const noexcept { return std::uint64_t{kRoom} * (8 * words_ + 8 + 8 + 4) + kSlots * sizeof(std::uint32_t); }

}  // namespace leitong::hamming
