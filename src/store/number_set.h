// A set of row numbers that is filled and emptied for one look-up after the other: emptying takes no time, and memory is kept.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace leitong::store {

class NumberSet {
 public:
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool contains(std::uint32_t number) const { return slots_[place(slots_, number)] == entry(number); }
  void insert(std::uint32_t number) {
    std::uint64_t& slot = slots_[place(slots_, number)];
    if (slot == entry(number)) return;
    slot = entry(number);
    if (2 * ++size_ > slots_.size()) grow();
  }
  // What stands there from before counts as free.
  void clear() {
    size_ = 0;
    if (++round_ == 0) {
      std::fill(slots_.begin(), slots_.end(), 0);
      round_ = 1;
    }
  }

 private:
  using Slots = std::vector<std::uint64_t>;  // round and number
  [[nodiscard]] std::uint64_t entry(std::uint32_t number) const { return std::uint64_t{round_} << 32U | number; }
  // Where the number stands, or would.
  [[nodiscard]] std::size_t place(const Slots& slots, std::uint32_t number) const {
    std::size_t at = (number * 0x9e3779b97f4a7c15U >> 32U) & (slots.size() - 1);
    while (slots[at] >> 32U == round_ && slots[at] != entry(number)) at = (at + 1) & (slots.size() - 1);
    return at;
  }
  void grow() {
    Slots larger(2 * slots_.size());
    for (const std::uint64_t slot : slots_)
      if (slot >> 32U == round_) larger[place(larger, static_cast<std::uint32_t>(slot))] = slot;
    slots_ = std::move(larger);
  }

  Slots slots_ = Slots(1024);
  std::size_t size_ = 0;
  std::uint32_t round_ = 1;
};

}  // namespace leitong::store
