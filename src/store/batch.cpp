#include "store/batch.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "leitong/error.h"

namespace leitong::store {
namespace {

void put(const void* data, std::size_t size, std::vector<std::byte>& out) {
  const auto* bytes = static_cast<const std::byte*>(data);
  out.insert(out.end(), bytes, bytes + size);
}

void put_length(std::uint64_t length, std::vector<std::byte>& out) {
  for (; length >= 0x80; length >>= 7U) out.push_back(static_cast<std::byte>(length | 0x80U));
  out.push_back(static_cast<std::byte>(length));
}

void put_text(std::string_view text, std::vector<std::byte>& out) {
  put_length(text.size(), out);
  put(text.data(), text.size(), out);
}

class Cursor {
 public:
  Cursor(std::span<const std::byte> payload, const std::string& where) : payload_(payload), where_(where) {}
  [[nodiscard]] bool at_end() const { return at_ == payload_.size(); }
  std::string_view take(std::uint64_t size) {
    if (size > payload_.size() - at_) bad("it ends in the middle of a row");
    const std::string_view taken(reinterpret_cast<const char*>(payload_.data()) + at_, static_cast<std::size_t>(size));
    at_ += taken.size();
    return taken;
  }
  std::uint64_t length() {
    std::uint64_t length = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<std::uint8_t>(take(1)[0]);
      length |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return length;
    }
    bad("a length has too many bytes");
  }
  std::string_view text() { return take(length()); }
  [[noreturn]] void bad(const char* what) const {
    throw Error(ErrorCode::format, fmt::format("{}: a log record at payload offset {} is no batch of rows: {}", where_, at_, what));
  }

 private:
  std::span<const std::byte> payload_;
  const std::string& where_;
  std::size_t at_ = 0;
};

}  // namespace

void begin_batch(std::vector<std::byte>& out) { out.assign(sizeof(std::uint64_t), std::byte{0}); }

void number_batch(std::uint64_t first_sequence, std::vector<std::byte>& payload) {
  std::memcpy(payload.data(), &first_sequence, sizeof first_sequence);
}

void append_row(const Shape& shape, const Row& row, std::vector<std::byte>& out) {
  out.push_back(static_cast<std::byte>(row.flags));
  if (shape.numeric_ids)
    put(row.id.data(), sizeof(std::uint64_t), out);
  else
    put_text(row.id, out);
  if (row.erased()) return;
  if (row.has_fingerprint()) put(row.words, shape.words * sizeof(std::uint64_t), out);
  if (shape.sketches) put_text(row.sketch, out);
  if (shape.metadata) put_text(row.metadata, out);
  if (shape.texts) put_text(row.text, out);
}

std::uint64_t first_sequence_of(std::span<const std::byte> payload, const std::string& where) {
  return number_of(Cursor(payload, where).take(sizeof(std::uint64_t)));
}

void read_batch(const Shape& shape, std::span<const std::byte> payload, const std::string& where,
                const std::function<void(const Row&)>& visit) {
  Cursor cursor(payload, where);
  std::uint64_t sequence = number_of(cursor.take(sizeof(std::uint64_t)));
  std::array<std::uint64_t, 4> words{};
  while (!cursor.at_end()) {
    Row row;
    row.flags = static_cast<std::uint8_t>(cursor.take(1)[0]);
    if (!sensible(row.flags)) cursor.bad("its flags contradict each other");
    row.id = shape.numeric_ids ? cursor.take(sizeof(std::uint64_t)) : cursor.text();
    if (row.id.empty() || row.id.size() > most_id_bytes) cursor.bad("an id is empty or too long");
    row.key = key_of(shape, row.id);
    row.sequence = sequence++;
    words.fill(0);
    row.words = words.data();
    if (!row.erased()) {
      if (row.has_fingerprint()) {
        const std::string_view bytes = cursor.take(shape.words * sizeof(std::uint64_t));
        std::memcpy(words.data(), bytes.data(), bytes.size());
      }
      if (shape.sketches) row.sketch = cursor.text();
      if (shape.metadata) row.metadata = cursor.text();
      if (shape.texts) row.text = cursor.text();
    }
    visit(row);
  }
}

}  // namespace leitong::store
