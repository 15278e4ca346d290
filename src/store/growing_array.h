// An array to which one thread appends while others read earlier items; items never move. Chunks double in size.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace leitong::store {

template <typename T>
class GrowingArray {
 public:
  // Holds at most 2^32 - 257 items.
  [[nodiscard]] std::uint32_t size() const { return size_; }  // writer only
  // Adds an item, which is not initialised. Readers may learn of it (with release order) once it is filled.
  T& append() {
    const Place at = place(size_);
    if (at.item == 0) {
      owned_[at.chunk] = std::make_unique_for_overwrite<T[]>(std::size_t{first} << at.chunk);
      chunks_[at.chunk].store(owned_[at.chunk].get(), std::memory_order_release);
      bytes_ += (std::uint64_t{first} << at.chunk) * sizeof(T);
    }
    ++size_;
    return owned_[at.chunk][at.item];
  }
  [[nodiscard]] T& at(std::uint32_t i) { return owned_[place(i).chunk][place(i).item]; }  // writer only
  [[nodiscard]] const T& operator[](std::uint32_t i) const {
    const Place at = place(i);
    return chunks_[at.chunk].load(std::memory_order_acquire)[at.item];
  }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }  // writer only

 private:
  static constexpr std::uint64_t first = 256;
  static constexpr unsigned chunks = 32 - 8 + 1;
  struct Place {
    unsigned chunk;
    std::uint64_t item;
  };
  // Chunk c holds the items from first * (2^c - 1) on.
  static Place place(std::uint32_t i) {
    const std::uint64_t at = i + first;
    const auto chunk = static_cast<unsigned>(std::bit_width(at)) - 9;
    return {chunk, at - (first << chunk)};
  }

  std::array<std::atomic<T*>, chunks> chunks_{};
  std::array<std::unique_ptr<T[]>, chunks> owned_;
  std::uint32_t size_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace leitong::store
