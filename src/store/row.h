// A row: what the store keeps of one document, or that an id was erased.
#pragma once

#define XXH_INLINE_ALL  // keys are hashed in searches, where a call would cost more than the hash
#include <xxhash.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace leitong::store {

// What every row of a store has. Fixed when it is made.
struct Shape {
  unsigned words = 1;         // 64-bit words of a fingerprint: 1, 2 or 4
  unsigned k = 3;             // the distance that indexes are laid out for
  bool numeric_ids = false;   // ids are u64, kept as 8 bytes, least significant first; else byte strings of 1 to 65,535 bytes
  bool sketches = false;      // rows have a byte string beside the fingerprint, which the store does not look into
  bool metadata = false;      // rows may have metadata
  bool texts = false;         // rows may have a text
  bool keys = false;          // rows are found by keys, too, which the owner makes of `sketch`
  std::uint64_t id_seed = 0;  // random, of the store: who writes ids cannot choose them so that their keys fall together
  friend bool operator==(const Shape&, const Shape&) = default;
};

namespace flags {
inline constexpr std::uint8_t fingerprint = 1;  // has one: can be found by it
inline constexpr std::uint8_t erased = 2;       // only says that older rows of this id are gone
inline constexpr std::uint8_t unverified = 4;   // came as a fingerprint without a text
inline constexpr std::uint8_t all = 7;
}  // namespace flags
inline constexpr std::size_t most_id_bytes = 65535;

// An erasing row has no other flag, and only what has a fingerprint can have come as one.
[[nodiscard]] inline bool sensible(std::uint8_t flags) {
  if ((flags & ~flags::all) != 0 || ((flags & flags::erased) != 0 && flags != flags::erased)) return false;
  return (flags & flags::unverified) == 0 || (flags & flags::fingerprint) != 0;
}

// Views live as long as the row's owner says.
struct Row {
  std::string_view id;
  std::uint64_t key = 0;       // key_of(shape, id)
  std::uint64_t sequence = 0;  // number of the operation, from 1 on, never given twice
  std::uint8_t flags = 0;
  const std::uint64_t* words = nullptr;  // Shape::words of them, zeros without a fingerprint
  std::string_view sketch, metadata, text;

  [[nodiscard]] bool erased() const { return (flags & flags::erased) != 0; }
  [[nodiscard]] bool has_fingerprint() const { return (flags & flags::fingerprint) != 0; }
};

// Rows are kept in order of it, then of the id's bytes.
[[nodiscard]] inline std::uint64_t key_of(const Shape& shape, std::string_view id) {
  return XXH3_64bits_withSeed(id.data(), id.size(), shape.id_seed);
}
[[nodiscard]] inline bool before(std::uint64_t key, std::string_view id, std::uint64_t other_key, std::string_view other_id) {
  return key != other_key ? key < other_key : id < other_id;
}

[[nodiscard]] inline std::string bytes_of(std::uint64_t number) {
  std::string bytes(sizeof number, '\0');
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}
[[nodiscard]] inline std::uint64_t number_of(std::string_view bytes) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes.data(), std::min(sizeof number, bytes.size()));
  return number;
}

}  // namespace leitong::store
