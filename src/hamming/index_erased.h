// A set of ids that does not change: what was erased since the rows before it came.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace leitong::hamming {

class IdSet {
 public:
  explicit IdSet(std::span<const std::uint64_t> ids) : slots_(std::bit_ceil(2 * ids.size() + 2)) {
    for (const std::uint64_t id : ids) add(id);
  }
  [[nodiscard]] bool contains(std::uint64_t id) const noexcept {
    if (id == 0) return has_zero_;
    for (std::size_t slot = first_slot(id); slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
      if (slots_[slot] == id) return true;
    }
    return false;
  }
  void append_to(std::vector<std::uint64_t>& ids) const {
    if (has_zero_) ids.push_back(0);
    for (const std::uint64_t id : slots_) {
      if (id != 0) ids.push_back(id);
    }
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return slots_.size() * sizeof(std::uint64_t); }

 private:
  [[nodiscard]] std::size_t first_slot(std::uint64_t id) const noexcept {
    const std::uint64_t mixed = (id ^ id >> 32) * 0x9e3779b97f4a7c15U;
    return static_cast<std::size_t>((mixed ^ mixed >> 32) & (slots_.size() - 1));
  }
  void add(std::uint64_t id) {
    if (contains(id)) return;
    ++size_;
    if (id == 0) {
      has_zero_ = true;
      return;
    }
    std::size_t slot = first_slot(id);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = id;
  }

  std::vector<std::uint64_t> slots_;  // 0: free
  std::size_t size_ = 0;
  bool has_zero_ = false;
};

}  // namespace leitong::hamming
