// An array that is reused from text to text: it only grows, and is not cleared.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace leitong::fingerprint {

template <typename T>
class Buffer {
 public:
  // Room for `size` elements, which is also the new size; what they held is lost, and their values are not set.
  T* reset(std::size_t size) {
    if (size > capacity_) {
      capacity_ = size + size / 2;
      elements_ = std::make_unique_for_overwrite<T[]>(capacity_);
    }
    size_ = size;
    return elements_.get();
  }
  [[nodiscard]] T* data() const { return elements_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return elements_[i]; }
  operator std::span<const T>() const { return {elements_.get(), size_}; }  // NOLINT: as of std::vector

 private:
  std::unique_ptr<T[]> elements_;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace leitong::fingerprint
