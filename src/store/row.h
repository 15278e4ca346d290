// A row: the stored data of one document, or the fact that an id was erased.
#pragma once

#define XXH_INLINE_ALL  // keys are hashed within searches, where a call would cost more than the hash
#include <xxhash.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace leitong::store {

// The properties that all rows of a store share; fixed when the store is created.
struct Shape {
  unsigned words = 1;         // 64-bit words of a fingerprint: 1, 2 or 4
  unsigned k = 3;             // the distance for which indexes are built
  bool numeric_ids = false;   // ids are u64, stored as 8 bytes, least significant first; otherwise byte strings of 1 to 65,535 bytes
  bool sketches = false;      // rows have a byte string beside the fingerprint, opaque to the store
  bool metadata = false;      // rows may have metadata
  bool texts = false;         // rows may have a text
  bool keys = false;          // rows can also be found by keys, which the owner computes from `sketch`
  std::uint64_t id_seed = 0;  // random for each store, so that nobody can choose ids whose keys collide
  friend bool operator==(const Shape&, const Shape&) = default;
};

namespace flags {
inline constexpr std::uint8_t fingerprint = 1;  // has a fingerprint, by which it can be found
inline constexpr std::uint8_t erased = 2;       // an erasing row: it only says that older rows of this id are erased
inline constexpr std::uint8_t unverified = 4;   // was added as a fingerprint without a text
inline constexpr std::uint8_t all = 7;
}  // namespace flags
inline constexpr std::size_t most_id_bytes = 65535;

// An erasing row has no other flag, and an unverified row must have a fingerprint.
[[nodiscard]] inline bool sensible(std::uint8_t flags) {
  if ((flags & ~flags::all) != 0 || ((flags & flags::erased) != 0 && flags != flags::erased)) return false;
  return (flags & flags::unverified) == 0 || (flags & flags::fingerprint) != 0;
}

// Views are valid as long as the owner of the row specifies.
struct Row {
  std::string_view id;
  std::uint64_t key = 0;       // key_of(shape, id)
  std::uint64_t sequence = 0;  // number of the operation, from 1; each number is used once
  std::uint8_t flags = 0;
  const std::uint64_t* words = nullptr;  // Shape::words of them; zeros if there is no fingerprint
  std::string_view sketch, metadata, text;

  [[nodiscard]] bool erased() const { return (flags & flags::erased) != 0; }
  [[nodiscard]] bool has_fingerprint() const { return (flags & flags::fingerprint) != 0; }
};

// Rows are sorted by this key, then by the bytes of the id.
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
