// What every contender can do, and nothing else of it.
#pragma once

#include <sys/types.h>

#include <bit>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "data.h"

namespace bench_store {

// Hits of several queries, those of query i before ends[i].
struct Hits {
  std::vector<Hit> hits{};
  std::vector<std::size_t> ends{};
  void clear() {
    hits.clear();
    ends.clear();
  }
};

struct Peer {
  std::string version{}, licence{}, setting{};
  std::function<void(std::span<const Item>)> add{};  // acknowledged when it returns
  std::function<void()> finish{};                    // everything is where it stays, in the state that is best to read
  std::function<void(std::uint64_t, Hits&)> find{};  // appends one query's hits
  std::function<void(std::span<const std::uint64_t>, Hits&)> find_batch{};  // none: it has no such thing
  std::function<std::uint64_t()> memory_bytes{};                            // of data held in memory, where it tells
  pid_t process = 0;                                                        // that writes
};

// A new, empty one in a directory that is there. `durable`: what is added survives a crash of the machine. `rows`: what caches are sized
// for.
using OpenPeer = Peer (*)(const std::string& directory, bool durable, std::uint64_t rows);
Peer open_leitong(const std::string& directory, bool durable, std::uint64_t rows);
Peer open_rocksdb(const std::string& directory, bool durable, std::uint64_t rows);
Peer open_sqlite(const std::string& directory, bool durable, std::uint64_t rows);
Peer open_redis(const std::string& directory, bool durable, std::uint64_t rows);

// The articles' scheme: of four blocks of 16 bits, one is equal in any two fingerprints within three bits.
inline constexpr unsigned blocks = 4;
[[nodiscard]] constexpr std::uint16_t block_of(std::uint64_t value, unsigned block) {
  return static_cast<std::uint16_t>(value >> 16 * block);
}
// A candidate that was found by `block`: taken if it is near, and by the first block only in which the two are equal.
inline void take_candidate(std::uint64_t query, unsigned block, Item candidate, Hits& out) {
  const std::uint64_t difference = query ^ candidate.value;
  const auto distance = static_cast<std::uint32_t>(std::popcount(difference));
  if (distance > radius) return;
  for (unsigned b = 0; b < block; ++b)
    if (block_of(difference, b) == 0) return;
  out.hits.push_back({candidate.id, distance});
}

}  // namespace bench_store
