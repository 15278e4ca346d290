// RedisLayout: how fingerprints and their blocks are stored in Redis. Plain data, read from JSON and written as JSON.
//
// A bucket is the value under the key of one block; it has a member for each fingerprint with that block. The map leads from an id to its
// fingerprint.
//
// Presets, for blocks = k + 1 (k 1 to 15):
//   article-plain       the key "0101..." (block) has a set of ids; "fp:<id>" has the fingerprint as a string of 0 and 1
//   article-positioned  the same with keys "<position>:0101..."
//   compact             keys of a position byte and the block's bytes; values are strings of packed records (redis_records.h); the map is
//                       in hashes of about a hundred fields, under "m" and three bytes of shard number, with fingerprints of eight bytes
//
// Threads: a value. Errors: Error(usage) that names the layout and the setting that is impossible.
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
  // All keys begin with the store's prefix. If blocks are written as bytes, a position is one byte, too.
  remote::Pattern key{"{block}"};
  Container container = Container::set;
  remote::Pattern member{"{id}"};                          // in sets, lists and strings
  std::string separator = ",";                             // between members in strings
  WrittenForm fingerprint = WrittenForm::bits_most_first;  // in members, and as value of the map, except in shards
  MapKind map = MapKind::string;
  // string: the key of an id; hash: the single key, whose fields are the ids; shards: what precedes the shard number in a key.
  remote::Pattern map_key{"fp:{id}"};
  std::uint32_t shards = std::uint32_t{1} << 17;

  // Whether the members of a bucket contain the fingerprint; otherwise only the map does.
  [[nodiscard]] bool tells_fingerprint() const { return container == Container::packed || member.has_fingerprint(); }
  // Whether ids are the written fingerprints, because members contain nothing else.
  [[nodiscard]] bool id_is_fingerprint() const { return container != Container::packed && !member.has_id(); }
};

[[nodiscard]] RedisLayout redis_preset(std::string_view name, unsigned k);
// Reads a preset's name, or JSON: {"preset":"compact","shards":1024}, or a complete layout. "bits":"least-first" sets three things: block 0
// holds the least significant bits, and blocks and fingerprints are written from the least significant bit on. k: the layout gets at least
// k + 1 blocks; empty: as the text says.
[[nodiscard]] RedisLayout read_redis_layout(std::string_view text, std::optional<unsigned> k);
[[nodiscard]] std::string to_json(const RedisLayout& layout);

}  // namespace leitong::redis
