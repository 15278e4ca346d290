#include "parquet/rle.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "leitong/error.h"

namespace leitong::parquet {
namespace {

[[noreturn]] void ended() { throw Error(ErrorCode::format, "levels or indices end too early"); }

constexpr std::uint64_t most_groups_in_a_run = 1U << 12U;

}  // namespace

unsigned bits_for(std::uint64_t most) { return static_cast<unsigned>(std::bit_width(most)); }

std::uint64_t bits_at(std::string_view bytes, std::uint64_t at, unsigned bits) {
  if (bits == 0) return 0;
  const std::size_t byte = at / 8;
  const unsigned shift = at % 8;
  std::uint64_t low = 0;
  if (byte < bytes.size()) std::memcpy(&low, bytes.data() + byte, std::min<std::size_t>(8, bytes.size() - byte));
  std::uint64_t value = low >> shift;
  if (shift + bits > 64 && byte + 8 < bytes.size())
    value |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(bytes[byte + 8])) << (64 - shift);
  return bits == 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

RleReader RleReader::bit_packed(std::string_view bytes, unsigned bits) {
  RleReader reader({}, bits);
  reader.reversed_ = true;
  reader.packed_ = bytes;
  reader.left_ = bits == 0 ? 0 : bytes.size() * 8 / bits;
  return reader;
}

void RleReader::begin_run() {
  if (reversed_) ended();
  std::uint64_t head = 0;
  for (unsigned shift = 0;; shift += 7) {
    if (bytes_.empty() || shift > 63) ended();
    const auto byte = static_cast<std::uint8_t>(bytes_.front());
    bytes_.remove_prefix(1);
    head |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if (byte < 0x80) break;
  }
  repeats_ = (head & 1U) == 0;
  if (repeats_) {
    const std::size_t size = (bits_ + 7) / 8;
    if (bytes_.size() < size) ended();
    value_ = static_cast<std::uint32_t>(bits_at(bytes_.substr(0, size), 0, bits_));
    bytes_.remove_prefix(size);
    left_ = head >> 1U;
    return;
  }
  // The last group of a page may be cut off after the values that there are.
  const std::uint64_t whole = (head >> 1U) <= bytes_.size() / bits_ ? (head >> 1U) * bits_ : bytes_.size();
  packed_ = bytes_.substr(0, whole);
  bytes_.remove_prefix(whole);
  left_ = whole * 8 / bits_;
  bit_ = 0;
}

template <typename Value>
void RleReader::unpack(Value* out, std::size_t count) {
  if (reversed_) {
    for (std::size_t i = 0; i < count; ++i) {
      unsigned value = 0;
      for (unsigned b = 0; b < bits_; ++b, ++bit_)
        value = value << 1U | (static_cast<std::uint8_t>(packed_[bit_ / 8]) >> (7 - bit_ % 8) & 1U);
      out[i] = static_cast<Value>(value);
    }
    return;
  }
  const std::uint64_t mask = (std::uint64_t{1} << bits_) - 1;
  for (std::size_t i = 0; i < count; ++i, bit_ += bits_) {
    const std::size_t byte = bit_ / 8;
    if (byte + 8 > packed_.size()) {
      out[i] = static_cast<Value>(bits_at(packed_, bit_, bits_));
      continue;
    }
    std::uint64_t word = 0;
    std::memcpy(&word, packed_.data() + byte, 8);
    out[i] = static_cast<Value>(word >> (bit_ % 8) & mask);
  }
}

template <typename Value>
void RleReader::read_values(Value* out, std::size_t count) {
  if (bits_ == 0) {
    std::fill_n(out, count, Value{0});
    return;
  }
  while (count > 0) {
    while (left_ == 0) begin_run();
    const std::size_t part = std::min<std::uint64_t>(left_, count);
    if (repeats_) {
      std::fill_n(out, part, static_cast<Value>(value_));
    } else {
      unpack(out, part);
    }
    left_ -= part;
    out += part;
    count -= part;
  }
}

void RleReader::read(std::uint8_t* out, std::size_t count) { read_values(out, count); }
void RleReader::read(std::uint32_t* out, std::size_t count) { read_values(out, count); }

void RleReader::skip(std::size_t count) {
  if (bits_ == 0) return;
  while (count > 0) {
    while (left_ == 0) begin_run();
    const std::size_t part = std::min<std::uint64_t>(left_, count);
    bit_ += part * bits_;
    left_ -= part;
    count -= part;
  }
}

void RleWriter::number(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) out_ += static_cast<char>(value | 0x80U);
  out_ += static_cast<char>(value);
}

void RleWriter::end_packed() {
  if (groups_ == 0) return;
  number(groups_ << 1U | 1U);
  out_ += packed_;
  packed_.clear();
  groups_ = 0;
}

void RleWriter::flush_group() {
  std::uint64_t word = 0;
  unsigned filled = 0;
  for (const std::uint32_t value : group_) {
    word |= static_cast<std::uint64_t>(value) << filled;
    for (filled += bits_; filled >= 8; filled -= 8, word >>= 8U) packed_ += static_cast<char>(word);
  }
  waiting_ = 0;
  if (++groups_ == most_groups_in_a_run) end_packed();
}

// A run is worth its bytes from eight values on, and begins where a group of eight ends.
void RleWriter::flush_run() {
  if (run_ >= 8) {
    end_packed();
    number(run_ << 1U);
    for (unsigned byte = 0; byte * 8 < bits_; ++byte) out_ += static_cast<char>(run_value_ >> (byte * 8));
  } else {
    for (; run_ > 0; --run_) {
      group_[waiting_++] = run_value_;
      if (waiting_ == 8) flush_group();
    }
  }
  run_ = 0;
}

void RleWriter::add(std::uint32_t value) {
  if (bits_ == 0) return;
  if (run_ > 0 && value != run_value_) flush_run();
  run_value_ = value;
  ++run_;
  while (waiting_ > 0 && run_ > 0 && run_ + waiting_ >= 8) {  // fills the group that is open
    while (waiting_ < 8) {
      group_[waiting_++] = value;
      --run_;
    }
    flush_group();
  }
}

std::string RleWriter::take() {
  if (bits_ == 0) return {};
  flush_run();
  if (waiting_ > 0) {
    while (waiting_ < 8) group_[waiting_++] = 0;
    flush_group();
  }
  end_packed();
  return std::exchange(out_, {});
}

}  // namespace leitong::parquet
