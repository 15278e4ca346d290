#include "redis/redis_records.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "leitong/error.h"
#include "net/printable.h"
#include "redis/commands.h"

namespace leitong::redis {
namespace {

void append_number(std::uint64_t value, std::string& out) {
  while (value >= 0x80) {
    out += static_cast<char>(value | 0x80);
    value >>= 7;
  }
  out += static_cast<char>(value);
}

}  // namespace

std::optional<std::uint64_t> number_of_id(std::string_view id) {
  std::uint64_t value = 0;
  if (id.empty() || (id.size() > 1 && id.front() == '0')) return std::nullopt;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), value);
  if (error != std::errc() || end != id.data() + id.size()) return std::nullopt;
  return value;
}

RecordForm::RecordForm(const remote::BlockForm& form, unsigned block, bool number_ids)
    : width_(remote::block_width(form, block)),
      shift_(remote::block_shift(form, block)),
      bytes_((64 - width_ + 7) / 8),
      number_ids_(number_ids) {}

void RecordForm::append(std::string_view id, std::uint64_t fingerprint, std::string& out) const {
  const std::uint64_t rest = rest_of(fingerprint);
  for (unsigned i = bytes_; i-- > 0;) out += static_cast<char>(rest >> (8 * i));
  if (!number_ids_) {
    append_number(id.size(), out);
    out += id;
    return;
  }
  const auto number = number_of_id(id);
  if (!number)
    throw Error(ErrorCode::usage, fmt::format("id \"{}\": this store holds decimal numbers below 2^64 only", net::printable(id, 80)));
  append_number(*number, out);
}

std::string_view id_text(const RecordForm& form, std::string_view id, std::string& buffer) {
  if (!form.number_ids()) return id;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < id.size() && i < 10; ++i) value |= static_cast<std::uint64_t>(id[i] & 0x7F) << (7 * i);
  char digits[24];
  buffer.assign(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  return buffer;
}

void RecordReader::step() {
  begin_ = at_;
  if (end_ - at_ <= static_cast<std::ptrdiff_t>(bytes_)) fail();
  rest_ = 0;
  for (unsigned i = 0; i < bytes_; ++i) rest_ = rest_ << 8 | static_cast<unsigned char>(at_[i]);
  at_ += bytes_;
  id_ = at_;
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    if (at_ == end_ || shift > 63) fail();
    const auto byte = static_cast<unsigned char>(*at_++);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) break;
  }
  if (number_ids_) return;
  if (value > static_cast<std::uint64_t>(end_ - at_)) fail();
  id_ = at_;
  at_ += value;
}

void RecordReader::fail() { throw Error(ErrorCode::format, "a value ends amid a record: somebody else wrote it, or wrote into it"); }

}  // namespace leitong::redis
