// RedisLayout: how fingerprints and their blocks lie in Redis. Data, read from JSON and written as JSON.
//
// A bucket is the key of one block's value; it holds a member for each fingerprint with that block. The map leads from an id to its
// fingerprint.
//
// Presets, for blocks = k + 1 (k 1 to 15):
//   article-plain       "0101..." (block) is a set of ids; "fp:<id>" is the fingerprint as 01-string
//   article-positioned  the same with keys "<position>:0101..."
//   compact             position byte and block bytes; a string of packed records (redis_records.h); the map in hashes of about a hundred
//                       fields, "m" and three bytes of shard number, with the fingerprints' eight bytes as values
//
// Threads: a value. Errors: Error(usage) that names the layout and what it cannot be.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "leitong/fingerprint.h"
#include "remote/block_form.h"
#include "remote/pattern.h"

namespace leitong::redis {

enum class Container : std::uint8_t { set, list, string, packed };
enum class MapKind : std::uint8_t { none, string, hash, shards };

struct RedisLayout {
  std::string name = "custom";
  remote::BlockForm form;
  // All keys stand behind the store's prefix. Where blocks are bytes a position is one byte, too.
  remote::Pattern key{"{block}"};
  Container container = Container::set;
  remote::Pattern member{"{id}"};                          // of sets, lists and strings
  std::string separator = ",";                             // of strings: between members
  WrittenForm fingerprint = WrittenForm::bits_most_first;  // in members, and as value of the map unless that is of shards
  MapKind map = MapKind::string;
  remote::Pattern map_key{
      "fp:{id}"};  // string: a key an id; hash: the one key, whose fields are the ids; shards: what stands before the number
  std::uint32_t shards = std::uint32_t{1} << 17;

  // A bucket's members tell the fingerprint, or only the map does.
  [[nodiscard]] bool tells_fingerprint() const { return container == Container::packed || member.has_fingerprint(); }
  // An id is the fingerprint as written, which is all that is there.
  [[nodiscard]] bool id_is_fingerprint() const { return container != Container::packed && !member.has_id(); }
};

[[nodiscard]] RedisLayout redis_preset(std::string_view name, unsigned k);
// A preset's name, or JSON: {"preset":"compact","shards":1024}, or all of it. "bits":"least-first" says at once that block 0 holds the
// least significant bits, that blocks are written in this direction, and fingerprints too. k: at least so many blocks less one; none: as it
// stands there.
[[nodiscard]] RedisLayout read_redis_layout(std::string_view text, std::optional<unsigned> k);
[[nodiscard]] std::string to_json(const RedisLayout& layout);

}  // namespace leitong::redis
