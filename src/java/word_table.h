// Words to numbers: the order in which they were added. Looked up by a hash that the caller has already (java_hash_code()).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "java/java_string.h"

namespace leitong::java {

class WordTable {
 public:
  // The number of the word; the next one if it is new.
  std::uint32_t add(std::u16string_view word);
  [[nodiscard]] std::optional<std::uint32_t> find(std::u16string_view word) const { return find(word, java_hash_code(word)); }
  [[nodiscard]] std::optional<std::uint32_t> find(std::u16string_view word, std::uint32_t java_hash) const {
    if (slots_.empty()) return std::nullopt;
    for (std::size_t at = place(java_hash);; at = (at + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[at];
      if (slot.number == none) return std::nullopt;
      if (slot.hash == java_hash && (*this)[slot.number] == word) return slot.number;
    }
  }
  [[nodiscard]] std::size_t size() const { return begins_.size() - 1; }
  [[nodiscard]] std::u16string_view operator[](std::size_t number) const {
    return std::u16string_view(units_).substr(begins_[number], begins_[number + 1] - begins_[number]);
  }

 private:
  struct Slot {
    std::uint32_t hash = 0, number = none;
  };
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  [[nodiscard]] std::size_t place(std::uint32_t hash) const { return hash * 0x9E3779B97F4A7C15ULL >> shift_; }
  void grow();

  std::vector<Slot> slots_;  // a power of two, at most half full
  unsigned shift_ = 64;
  std::vector<std::size_t> begins_{0};
  std::u16string units_;
};

}  // namespace leitong::java
