// Rows sorted into the buckets of one block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "hamming/plan.h"

namespace leitong::hamming {

// Memory for at least `bytes`, uninitialised, on huge pages where the system has them: partitions write to hundreds of places at once.
struct FreePages {
  void operator()(void* p) const noexcept;
};
[[nodiscard]] std::unique_ptr<void, FreePages> allocate_pages(std::size_t bytes);

// An array of plain values that is not initialised and only ever grows; growing loses what was in it.
template <typename T>
class Buffer {
 public:
  T* reserve(std::size_t n) {
    if (n > capacity_) {
      data_.reset();
      capacity_ = 0;
      data_ = allocate_pages(n * sizeof(T));
      capacity_ = n;
    }
    return data();
  }
  [[nodiscard]] T* data() const noexcept { return static_cast<T*>(data_.get()); }

 private:
  std::unique_ptr<void, FreePages> data_;
  std::size_t capacity_ = 0;
};

// `ids` may be null: then the rows are numbered first_id, first_id + 1, …
struct Rows {
  const std::uint64_t* values = nullptr;
  const std::uint32_t* ids = nullptr;
  std::uint32_t n = 0;
  std::uint32_t first_id = 0;

  [[nodiscard]] std::uint32_t id(std::uint32_t row) const noexcept { return ids == nullptr ? first_id + row : ids[row]; }
  [[nodiscard]] Rows slice(std::uint32_t first, std::uint32_t count, unsigned words) const noexcept {
    return {values + std::size_t{first} * words, ids == nullptr ? nullptr : ids + first, count, first_id + first};
  }
};

// One digit of a key: ((row[word] >> shift) & mask).
struct Digit {
  unsigned word, shift;
  std::uint64_t mask;
};

// Adds to counts[digit] the number of rows that have it.
void count_digits(const Rows& rows, unsigned words, const Digit& digit, std::uint32_t* counts) noexcept;

// Moves every row to place cursors[digit]++ of `values` and `ids`.
void scatter(const Rows& rows, unsigned words, const Digit& digit, std::uint32_t* cursors, std::uint64_t* values,
             std::uint32_t* ids) noexcept;

// Bits that differ between any two of the rows.
[[nodiscard]] BitSet varying_bits(const Rows& rows, unsigned words) noexcept;

// The rows of a frame in bucket order. starts[key] … starts[key + 1] are the rows with that key.
struct Table {
  Buffer<std::uint64_t> values;
  Buffer<std::uint32_t> ids;
  Buffer<std::uint32_t> starts;
  Buffer<std::uint32_t> cursors;

  // Room for n rows and 2^span buckets.
  void reserve(std::uint32_t n, unsigned words, unsigned span);
  // Sorts `rows` by the block in one pass.
  void fill(const Rows& rows, unsigned words, const Block& block);
  [[nodiscard]] Rows rows(std::uint32_t n) const noexcept { return {values.data(), ids.data(), n, 0}; }
};

// The filter column of rows: filters 16 or 32 bits wide, with 128 readable bytes behind the last one.
class FilterColumn {
 public:
  void reserve(std::uint32_t n);
  // Computes the filters of `rows` as rows [at, at + rows.n) of the column.
  void fill(const Rows& rows, unsigned words, const Filter& filter, std::uint32_t at) noexcept;
  [[nodiscard]] const void* at(const Filter& filter, std::uint32_t row) const noexcept;

 private:
  Buffer<std::uint16_t> narrow_;
  Buffer<std::uint32_t> wide_;
};

}  // namespace leitong::hamming
