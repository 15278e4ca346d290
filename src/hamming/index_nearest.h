// The nearest rows that were seen so far, by distance, then id: a heap of fixed size, the furthest on top.
#pragma once

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

#include "hamming/index_run.h"

namespace leitong::hamming {

inline bool is_nearer(const Found& a, const Found& b) { return std::tie(a.distance, a.id) < std::tie(b.distance, b.id); }

class Nearest {
 public:
  // The `count` nearest, 1 or more, of rows of so many bits.
  Nearest(std::size_t count, unsigned bits) : count_(count), bits_(bits) {}

  // Rows offered from now on are left out if `hidden` says so of their id. May be empty.
  void hide(std::function<bool(std::uint64_t)> hidden) { hidden_ = std::move(hidden); }
  // Rows further away than this need not be offered.
  [[nodiscard]] unsigned radius() const { return is_full() ? heap_.front().distance : bits_; }
  void offer(std::uint32_t distance, std::uint64_t id) {
    const Found row{0, distance, id};
    if (is_full() && !is_nearer(row, heap_.front())) return;
    if (hidden_ && hidden_(id)) return;
    if (is_full()) {
      std::pop_heap(heap_.begin(), heap_.end(), is_nearer);
      heap_.back() = row;
    } else {
      heap_.push_back(row);
    }
    std::push_heap(heap_.begin(), heap_.end(), is_nearer);
  }
  // In no order.
  [[nodiscard]] const std::vector<Found>& rows() const { return heap_; }

 private:
  [[nodiscard]] bool is_full() const { return heap_.size() == count_; }

  std::size_t count_;
  unsigned bits_;
  std::vector<Found> heap_;
  std::function<bool(std::uint64_t)> hidden_;
};

}  // namespace leitong::hamming
