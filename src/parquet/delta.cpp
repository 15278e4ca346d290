#include "parquet/delta.h"

#include <algorithm>

#include "leitong/error.h"
#include "parquet/rle.h"

namespace leitong::parquet {
namespace {

[[noreturn]] void fail(const char* what) { throw Error(ErrorCode::format, what); }

std::uint64_t from_zigzag(std::uint64_t value) { return value >> 1U ^ (~(value & 1U) + 1U); }

}  // namespace

DeltaReader::DeltaReader(std::string_view bytes, std::uint64_t most) : bytes_(bytes) {
  block_values_ = varint();
  miniblocks_ = varint();
  left_ = varint();
  last_ = from_zigzag(varint());
  if (miniblocks_ == 0 || miniblocks_ > 1024 || block_values_ == 0 || block_values_ > 1U << 24U || block_values_ % miniblocks_ != 0) {
    fail("a delta encoding with impossible blocks");
  }
  miniblock_values_ = block_values_ / miniblocks_;
  if (miniblock_values_ % 8 != 0) fail("a delta encoding with impossible blocks");
  if (left_ > most) fail("a delta encoding has more values than its page");
}

std::uint64_t DeltaReader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (bytes_.empty()) fail("a delta encoding ends too early");
    const auto byte = static_cast<std::uint8_t>(bytes_.front());
    bytes_.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if (byte < 0x80) return value;
  }
  fail("a delta encoding has a number that is too long");
}

void DeltaReader::begin_block() {
  smallest_ = from_zigzag(varint());
  if (bytes_.size() < miniblocks_) fail("a delta encoding ends too early");
  widths_ = bytes_.substr(0, miniblocks_);
  bytes_.remove_prefix(miniblocks_);
}

void DeltaReader::begin_miniblock() {
  if (widths_.empty()) begin_block();
  bits_ = static_cast<std::uint8_t>(widths_.front());
  widths_.remove_prefix(1);
  if (bits_ > 64) fail("a delta encoding with impossible widths");
  const std::uint64_t size = miniblock_values_ / 8 * bits_;
  const std::uint64_t needed = (std::min(left_, miniblock_values_) * bits_ + 7) / 8;
  if (bytes_.size() < needed) fail("a delta encoding ends too early");
  packed_ = bytes_.substr(0, size);  // some writers cut the last one off after its last value
  bytes_.remove_prefix(packed_.size());
  in_miniblock_ = miniblock_values_;
  bit_ = 0;
}

std::uint64_t DeltaReader::next() {
  if (left_ == 0) fail("a page has fewer values than it should have");
  if (first_) {
    first_ = false;
    --left_;
    return last_;
  }
  if (in_miniblock_ == 0) begin_miniblock();
  last_ += smallest_ + bits_at(packed_, bit_, bits_);
  bit_ += bits_;
  --in_miniblock_;
  --left_;
  return last_;
}

std::string_view DeltaReader::rest() {
  if (first_ && left_ > 0) {
    first_ = false;
    --left_;
  }
  while (left_ > 0) {
    if (in_miniblock_ == 0) begin_miniblock();
    const std::uint64_t part = std::min(in_miniblock_, left_);
    in_miniblock_ -= part;
    left_ -= part;
  }
  return bytes_;
}

}  // namespace leitong::parquet
