// Packed records: the members of a bucket, one after the other in one string, as the layout "compact" stores them.
//
// A record is the id and the fingerprint without the block, which is in the bucket's key. The other 64 - width bits, with those above the
// block before those below it, are stored big-endian in as few bytes as hold them. The id follows: a LEB128 number if all ids are decimal
// numbers below 2^64, otherwise its length as a LEB128 number and its bytes.
//
// Threads: any. Errors: Error(format) for bytes that end within a record, as a value of another program would.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "remote/block_form.h"

namespace leitong::redis {

// The value of a decimal number below 2^64 without leading zeros; empty if `id` is anything else.
[[nodiscard]] std::optional<std::uint64_t> number_of_id(std::string_view id);

// The properties that all records of one block share. `form` must not be reversed.
class RecordForm {
 public:
  RecordForm(const remote::BlockForm& form, unsigned block, bool number_ids);

  [[nodiscard]] bool number_ids() const { return number_ids_; }
  [[nodiscard]] unsigned rest_bytes() const { return bytes_; }
  [[nodiscard]] std::uint64_t rest_of(std::uint64_t fingerprint) const {
    return (shift_ + width_ < 64 ? fingerprint >> (shift_ + width_) << shift_ : 0) | (fingerprint & ((std::uint64_t{1} << shift_) - 1));
  }
  [[nodiscard]] std::uint64_t whole(std::uint64_t rest, std::uint64_t block_bits) const {
    const std::uint64_t above = shift_ + width_ < 64 ? rest >> shift_ << (shift_ + width_) : 0;
    return above | block_bits << shift_ | (rest & ((std::uint64_t{1} << shift_) - 1));
  }
  // Throws Error(usage) for an id that is not a number although all must be.
  void append(std::string_view id, std::uint64_t fingerprint, std::string& out) const;

 private:
  unsigned width_, shift_, bytes_;
  bool number_ids_;
};

// A view of one record.
struct PackedRecord {
  std::string_view bytes;  // the whole record
  std::string_view id;     // its bytes; for number ids in LEB128
};

// The `id` of a record as text: a view of it, or of `buffer`, which receives the digits of a number.
[[nodiscard]] std::string_view id_text(const RecordForm& form, std::string_view id, std::string& buffer);

// Iterates over the records of a bucket: for (RecordReader r(form, bytes); r.next();) ... r.rest(), r.record().
class RecordReader {
 public:
  RecordReader(const RecordForm& form, std::string_view bytes)
      : at_(bytes.data()), end_(at_ + bytes.size()), bytes_(form.rest_bytes()), number_ids_(form.number_ids()) {}
  bool next() {
    if (at_ == end_) return false;
    step();
    return true;
  }
  [[nodiscard]] std::uint64_t rest() const { return rest_; }
  [[nodiscard]] PackedRecord record() const { return {{begin_, at_}, {id_, at_}}; }

 private:
  void step();
  [[noreturn]] static void fail();
  const char* at_;
  const char* end_;
  const char* begin_ = nullptr;
  const char* id_ = nullptr;
  std::uint64_t rest_ = 0;
  unsigned bytes_;
  bool number_ids_;
};

}  // namespace leitong::redis
