// DELTA_BINARY_PACKED: integers as differences in bit-packed miniblocks.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace leitong::parquet {

class DeltaReader {
 public:
  // `most`: values that there can be. Error(format) for a header that is none.
  DeltaReader(std::string_view bytes, std::uint64_t most);
  std::uint64_t next();  // wraps around, as the encoding says; the low 32 bits are those of an int32. Error(format) after the last one
  [[nodiscard]] std::uint64_t left() const { return left_; }
  // Reads all that is left, and gives the bytes behind it.
  [[nodiscard]] std::string_view rest();

 private:
  std::uint64_t varint();
  void begin_block();
  void begin_miniblock();

  std::string_view bytes_;  // what follows the current miniblock
  std::uint64_t block_values_ = 0, miniblocks_ = 0, miniblock_values_ = 0;
  std::uint64_t left_ = 0;
  std::uint64_t last_ = 0;
  bool first_ = true;
  std::uint64_t smallest_ = 0;  // difference of the block
  std::string_view widths_;     // of the block's miniblocks that are left
  std::string_view packed_;     // the current miniblock
  unsigned bits_ = 0;
  std::uint64_t in_miniblock_ = 0;  // values that it has left
  std::uint64_t bit_ = 0;
};

}  // namespace leitong::parquet
