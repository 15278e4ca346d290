#include "parquet/thrift.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "leitong/error.h"

namespace leitong::parquet {
namespace {

constexpr int most_depth = 32;

constexpr std::uint64_t zigzag_of(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1U ^ static_cast<std::uint64_t>(value >> 63);
}

}  // namespace

void ThriftReader::fail(std::string_view what) const {
  throw Error(ErrorCode::format, fmt::format("broken metadata (Thrift) at its byte {}: {}", position_, what));
}

void ThriftReader::enter() {
  if (++depth_ > most_depth) {
    --depth_;  // the Struct is not made, and does not leave
    fail("structs are nested too deeply");
  }
}

std::uint8_t ThriftReader::byte() {
  if (position_ >= bytes_.size()) {
    ended_ = true;
    fail("it ends too early");
  }
  return static_cast<std::uint8_t>(bytes_[position_++]);
}

std::uint64_t ThriftReader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint8_t next = byte();
    value |= static_cast<std::uint64_t>(next & 0x7FU) << shift;
    if (next < 0x80) return value;
  }
  fail("a number is too long");
}

std::int64_t ThriftReader::zigzag() {
  const std::uint64_t value = varint();
  return static_cast<std::int64_t>(value >> 1U ^ (~(value & 1U) + 1U));
}

std::string_view ThriftReader::take_binary() {
  const std::uint64_t size = varint();
  if (size > bytes_.size() - position_) {
    ended_ = true;
    fail("a string ends beyond it");
  }
  const std::string_view value = bytes_.substr(position_, size);
  position_ += size;
  return value;
}

bool ThriftReader::Struct::next(Field& field) {
  const std::uint8_t head = reader_.byte();
  if (head == 0) return false;
  field.type = static_cast<ThriftType>(head & 15U);
  if (field.type > ThriftType::uuid || field.type == ThriftType::stop) reader_.fail("a field of an unknown type");
  std::int64_t id = last_ + (head >> 4U);
  if (head >> 4U == 0) id = reader_.zigzag();
  if (id < 0 || id > std::numeric_limits<std::int16_t>::max()) reader_.fail("a field of an impossible number");
  field.id = last_ = static_cast<std::int16_t>(id);
  return true;
}

void ThriftReader::require(const Field& field, ThriftType type) const {
  if (field.type != type) fail(fmt::format("field {} has the wrong type", field.id));
}

bool ThriftReader::boolean(const Field& field) const {
  if (field.type != ThriftType::yes) require(field, ThriftType::no);
  return field.type == ThriftType::yes;
}

std::int64_t ThriftReader::integer(const Field& field) {
  if (field.type == ThriftType::byte) return static_cast<std::int8_t>(byte());
  if (field.type != ThriftType::i16 && field.type != ThriftType::i32) require(field, ThriftType::i64);
  return zigzag();
}

std::int32_t ThriftReader::integer32(const Field& field) {
  const std::int64_t value = integer(field);
  if (value < std::numeric_limits<std::int32_t>::min() || value > std::numeric_limits<std::int32_t>::max()) {
    fail(fmt::format("field {} is beyond 32 bits", field.id));
  }
  return static_cast<std::int32_t>(value);
}

std::string_view ThriftReader::binary(const Field& field) {
  require(field, ThriftType::binary);
  return take_binary();
}

std::uint32_t ThriftReader::list_header(ThriftType& type) {
  const std::uint8_t head = byte();
  std::uint64_t size = head >> 4U;
  if (size == 15) size = varint();
  type = static_cast<ThriftType>(head & 15U);
  if (type > ThriftType::uuid) fail("a list of an unknown type");
  if (size > bytes_.size() - position_) {  // an element has a byte at least
    ended_ = true;
    fail("a list has more elements than there are bytes");
  }
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(size, std::numeric_limits<std::uint32_t>::max()));
}

std::uint32_t ThriftReader::list(const Field& field, ThriftType type) {
  require(field, ThriftType::list);
  ThriftType found{};
  const std::uint32_t size = list_header(found);
  if (size > 0 && found != type) fail(fmt::format("the list of field {} has the wrong type", field.id));
  return size;
}

void ThriftReader::skip(ThriftType type) {
  switch (type) {
    case ThriftType::yes:
    case ThriftType::no:
      return;
    case ThriftType::byte:
      static_cast<void>(byte());
      return;
    case ThriftType::i16:
    case ThriftType::i32:
    case ThriftType::i64:
      static_cast<void>(varint());
      return;
    case ThriftType::number:
      for (int i = 0; i < 8; ++i) static_cast<void>(byte());
      return;
    case ThriftType::uuid:
      for (int i = 0; i < 16; ++i) static_cast<void>(byte());
      return;
    case ThriftType::binary:
      static_cast<void>(take_binary());
      return;
    case ThriftType::structure: {
      Struct inner(*this);
      for (Field field; inner.next(field);) skip(field.type);
      return;
    }
    case ThriftType::list:
    case ThriftType::set: {
      ThriftType element{};
      const std::uint32_t size = list_header(element);
      enter();
      for (std::uint32_t i = 0; i < size; ++i) {
        // In a list a boolean is a byte; an element without bytes would make a long list of nothing.
        if (element == ThriftType::stop) fail("a list of no type");
        skip(element == ThriftType::yes || element == ThriftType::no ? ThriftType::byte : element);
      }
      --depth_;
      return;
    }
    default:
      fail("a map, which Parquet has not");
  }
}

void ThriftWriter::varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) out_ += static_cast<char>(value | 0x80U);
  out_ += static_cast<char>(value);
}

void ThriftWriter::header(std::int16_t id, ThriftType type) {
  const int step = id - last_.back();
  if (step > 0 && step < 16) {
    out_ += static_cast<char>(step << 4 | static_cast<int>(type));
  } else {
    out_ += static_cast<char>(type);
    varint(zigzag_of(id));
  }
  last_.back() = id;
}

void ThriftWriter::boolean(std::int16_t id, bool value) { header(id, value ? ThriftType::yes : ThriftType::no); }

void ThriftWriter::i8(std::int16_t id, std::int8_t value) {
  header(id, ThriftType::byte);
  out_ += static_cast<char>(value);
}

void ThriftWriter::i32(std::int16_t id, std::int32_t value) {
  header(id, ThriftType::i32);
  varint(zigzag_of(value));
}

void ThriftWriter::i64(std::int16_t id, std::int64_t value) {
  header(id, ThriftType::i64);
  varint(zigzag_of(value));
}

void ThriftWriter::binary(std::int16_t id, std::string_view value) {
  header(id, ThriftType::binary);
  element_binary(value);
}

void ThriftWriter::begin_struct(std::int16_t id) {
  header(id, ThriftType::structure);
  begin_element();
}

void ThriftWriter::begin_element() { last_.push_back(0); }

void ThriftWriter::end_struct() {
  out_ += '\0';
  last_.pop_back();
}

void ThriftWriter::begin_list(std::int16_t id, ThriftType type, std::size_t size) {
  header(id, ThriftType::list);
  if (size < 15) {
    out_ += static_cast<char>(size << 4U | static_cast<unsigned>(type));
  } else {
    out_ += static_cast<char>(0xF0U | static_cast<unsigned>(type));
    varint(size);
  }
}

void ThriftWriter::element_i32(std::int32_t value) { varint(zigzag_of(value)); }

void ThriftWriter::element_binary(std::string_view value) {
  varint(value.size());
  out_ += value;
}

void ThriftWriter::element_raw(std::string_view encoded) { out_ += encoded; }

void ThriftWriter::raw(std::int16_t id, ThriftType type, std::string_view value) {
  header(id, type);
  out_ += value;
}

std::string ThriftWriter::take() {
  out_ += '\0';
  last_ = {0};
  return std::exchange(out_, {});
}

}  // namespace leitong::parquet
