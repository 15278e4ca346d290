// Rows with equal keys, found by one radix pass into buckets that fit the cache and a look at each bucket there. Private to this room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace leitong::candidates {

// A position and its key: key (scrambled one-to-one) in the upper half, position in the lower.
using KeyedPosition = std::uint64_t;

// Memory: 8 bytes a key. Reused from band to band.
class KeyPartition {
 public:
  KeyPartition(std::size_t rows, unsigned threads);
  // Positions 0, 1, … of `keys` into buckets, ascending in each bucket.
  void build(std::span<const std::uint32_t> keys);
  [[nodiscard]] std::size_t buckets() const { return begins_.size() - 1; }
  [[nodiscard]] std::span<KeyedPosition> bucket(std::size_t b);
  [[nodiscard]] unsigned bucket_bits() const { return bucket_bits_; }

 private:
  unsigned threads_, bucket_bits_;
  std::vector<KeyedPosition> entries_;
  std::vector<std::size_t> begins_;
  std::vector<std::vector<std::size_t>> counts_;  // of each thread
};

// Moves the entries of a bucket whose key another entry has too to its front, ordered by (key, position), and returns how many; a few whose
// key stands alone may be among them. One object a thread; it holds two small bitmaps.
class GroupFinder {
 public:
  std::size_t gather(std::span<KeyedPosition> bucket, unsigned bucket_bits);

 private:
  std::vector<std::uint64_t> seen_, repeated_;
};

}  // namespace leitong::candidates
