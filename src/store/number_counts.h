// Row numbers that a look-up meets, in the order in which it met them, and how often: made for one look-up after the other, since emptying
// takes no time and memory is kept.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace leitong::store {

class NumberCounts {
 public:
  struct Met {
    std::uint32_t number, count;
  };
  [[nodiscard]] std::size_t size() const { return met_.size(); }
  [[nodiscard]] const Met& operator[](std::size_t i) const { return met_[i]; }
  void add(std::uint32_t number, std::uint32_t weight) {
    std::uint64_t& slot = slots_[place(number)];
    if (slot >> 32U == round_) {
      met_[static_cast<std::uint32_t>(slot)].count += weight;
      return;
    }
    slot = std::uint64_t{round_} << 32U | met_.size();
    met_.push_back({number, weight});
    if (2 * met_.size() > slots_.size()) grow();
  }
  // What stands there from before counts as free.
  void clear() {
    met_.clear();
    if (++round_ != 0) return;
    std::fill(slots_.begin(), slots_.end(), 0);
    round_ = 1;
  }

 private:
  // Where the number stands, or would.
  [[nodiscard]] std::size_t place(std::uint32_t number) const {
    std::size_t at = (number * 0x9e3779b97f4a7c15U >> 32U) & (slots_.size() - 1);
    while (slots_[at] >> 32U == round_ && met_[static_cast<std::uint32_t>(slots_[at])].number != number)
      at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow() {
    slots_.assign(2 * slots_.size(), 0);
    for (std::size_t i = 0; i < met_.size(); ++i) slots_[place(met_[i].number)] = std::uint64_t{round_} << 32U | i;
  }

  std::vector<Met> met_;
  std::vector<std::uint64_t> slots_ = std::vector<std::uint64_t>(1024);  // round, and place in met_
  std::uint32_t round_ = 1;
};

}  // namespace leitong::store
