#include "hamming/index_log.h"

#include <algorithm>
#include <functional>

#include "hamming/bits.h"
#include "hamming/hamming.h"

namespace leitong::hamming {

IndexLog::IndexLog(unsigned words, Form form)
    : words_(words),
      room_(form == Form::small ? small_log_rows : large),
      values_(std::size_t{room_} * words),
      ids_(room_),
      chains_(form == Form::small ? nullptr : std::make_unique<Chains>()),
      erased_(small_log_rows),
      rows_before_(small_log_rows),
      slots_(std::make_unique<std::atomic<std::uint32_t>[]>(slot_count)) {}

// Blocks of similar texts are often similar, so that neighbours are spread.
IndexLog::Slots IndexLog::slots_of(std::uint64_t value) noexcept {
  Slots slots;
  for (unsigned b = 0; b < blocks; ++b)
    slots[b] = static_cast<std::uint16_t>(static_cast<std::uint32_t>(value >> 16 * b & 0xffff) * 0x9e3779b1U >> (32 - chain_bits));
  return slots;
}

void IndexLog::add(std::uint64_t id, const std::uint64_t* value) noexcept {
  const View now = view();
  for (unsigned w = 0; w < words_; ++w) values_[std::size_t{now.rows} * words_ + w] = value[w];
  ids_[now.rows] = id;
  if (chains_) {
    const Slots slots = slots_of(*value);
    // All links of the row before the first way to it.
    for (unsigned b = 0; b < blocks; ++b) chains_->older[now.rows][b] = chains_->newest[b][slots[b]].load(std::memory_order_relaxed);
    for (unsigned b = 0; b < blocks; ++b)
      chains_->newest[b][slots[b]].store(static_cast<std::uint16_t>(now.rows + 1), std::memory_order_release);
  }
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
  while (slots_[slot].load(std::memory_order_relaxed) != 0) slot = (slot + 1) % slot_count;
  slots_[slot].store(now.erased + 1, std::memory_order_relaxed);
  published_.store(std::uint64_t{now.erased + 1} << 32 | now.rows, std::memory_order_release);
}

std::uint32_t IndexLog::hidden_below(const View& view, std::uint64_t id) const noexcept {
  std::uint32_t below = 0;
  for (std::uint32_t slot = slot_of(id);; slot = (slot + 1) % slot_count) {
    const std::uint32_t taken = slots_[slot].load(std::memory_order_relaxed);
    if (taken == 0) return below;
    const std::uint32_t e = taken - 1;
    if (e >= view.erased || erased_[e] != id) continue;  // what came later is not looked at
    below = below > rows_before_[e] + 1 ? below : rows_before_[e] + 1;
  }
}

// use(row) for the rows within k bits.
template <typename Use>
void IndexLog::each_compared(const View& view, const std::uint64_t* query, unsigned k, const Use& use) const {
  std::array<std::uint32_t, small_log_rows> hits;
  for (std::uint32_t first = 0; first < view.rows; first += small_log_rows) {
    const std::uint32_t rows = std::min(small_log_rows, view.rows - first);
    const std::uint32_t count = compare(query, values_.data() + std::size_t{first} * words_, rows, words_, k, hits.data());
    for (std::uint32_t h = 0; h < count; ++h) use(first + hits[h]);
  }
}

// The same by chains, each row in the first that leads to it. False: they are so long that it was given up half-way.
template <typename Use>
bool IndexLog::each_chained(const View& view, std::uint64_t query, unsigned k, const Use& use) const {
  const Slots slots = slots_of(query);
  std::uint32_t steps = 0;
  for (unsigned b = 0; b < blocks; ++b) {
    for (std::uint32_t next = chains_->newest[b][slots[b]].load(std::memory_order_acquire); next != 0; next = chains_->older[next - 1][b]) {
      if (++steps > most_steps) return false;
      const std::uint32_t row = next - 1;
      if (row >= view.rows || bits_in(query ^ values_[row]) > k) continue;
      const Slots others = slots_of(values_[row]);
      if (std::equal(slots.begin(), slots.begin() + b, others.begin(), std::not_equal_to<>())) use(row);
    }
  }
  return true;
}

void IndexLog::find(const View& view, std::span<const std::uint64_t> queries, unsigned k, std::vector<Found>& found) const {
  if (view.rows == 0) return;
  const bool chained = follows_chains(view, k);
  for (std::uint32_t q = 0; q < queries.size() / words_; ++q) {
    const std::uint64_t* query = queries.data() + std::size_t{q} * words_;
    const std::size_t before = found.size();
    const auto use = [&](std::uint32_t row) {
      if (view.erased != 0 && hidden_below(view, ids_[row]) > row + 1) return;
      found.push_back({q, distance(query, values_.data() + std::size_t{row} * words_, words_), ids_[row]});
    };
    if (chained && each_chained(view, *query, k, use)) continue;
    found.resize(before);
    each_compared(view, query, k, use);
  }
}

double IndexLog::compared(const View& view, unsigned k) const noexcept {
  const double all = view.rows;
  return follows_chains(view, k) ? all * blocks / (1U << chain_bits) : all;
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

std::uint64_t IndexLog::bytes() const noexcept {
  return room_ * (8 * std::uint64_t{words_} + 8) + std::uint64_t{small_log_rows} * (8 + 4) + slot_count * sizeof(std::uint32_t) +
         (chains_ ? sizeof(Chains) : 0);
}

}  // namespace leitong::hamming
