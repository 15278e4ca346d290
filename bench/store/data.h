// The rows and queries of every measure, the same on every machine, and what the answers must be.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace bench_store {

inline constexpr unsigned radius = 3;
inline constexpr std::size_t batch_size = 1000;  // rows of an add, queries of a batch

struct Item {
  std::uint64_t id, value;
};
struct Hit {
  std::uint64_t id;
  std::uint32_t distance;
};

// SplitMix64's finalizer.
[[nodiscard]] std::uint64_t mixed(std::uint64_t x);
// Row i: a random fingerprint and a random id, as hashes are.
[[nodiscard]] inline Item item(std::uint64_t i) { return {mixed(~i), mixed(i)}; }
[[nodiscard]] std::vector<Item> items(std::uint64_t first, std::uint64_t count);
// Every second one is 0 to 3 flips away from one of the first `rows` rows, the others are random.
[[nodiscard]] std::vector<std::uint64_t> make_queries(std::uint64_t rows, std::size_t count);

// How many matches, and a sum over (query, id, distance) that does not depend on their order.
struct Tally {
  std::uint64_t count = 0, checksum = 0;
  void add(std::uint64_t query, Hit hit) {
    ++count;
    checksum += mixed(mixed(hit.id ^ mixed(query)) + hit.distance);
  }
  void add(std::uint64_t query, std::span<const Hit> hits) {
    for (const Hit hit : hits) add(query, hit);
  }
  friend bool operator==(const Tally&, const Tally&) = default;
};

// Every query compared with each of the first `rows` rows.
[[nodiscard]] Tally brute_force(std::uint64_t rows, std::span<const std::uint64_t> queries);

}  // namespace bench_store
