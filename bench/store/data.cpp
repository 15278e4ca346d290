#include "data.h"

#include <algorithm>
#include <bit>

namespace bench_store {

std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

std::vector<Item> items(std::uint64_t first, std::uint64_t count) {
  std::vector<Item> made(count);
  for (std::uint64_t i = 0; i < count; ++i) made[i] = item(first + i);
  return made;
}

std::vector<std::uint64_t> make_queries(std::uint64_t rows, std::size_t count) {
  std::vector<std::uint64_t> queries(count);
  for (std::size_t q = 0; q < count; ++q) {
    std::uint64_t random = mixed(q * 77 + 1);
    if (q % 2 == 1 || rows == 0) {
      queries[q] = mixed(random);
      continue;
    }
    queries[q] = item(random % rows).value;
    const std::uint64_t flips = q / 2 % (radius + 1);
    for (std::uint64_t f = 0; f < flips; ++f) queries[q] ^= 1ULL << ((random = mixed(random)) % 64);
  }
  return queries;
}

Tally brute_force(std::uint64_t rows, std::span<const std::uint64_t> queries) {
  Tally tally;
  for (std::uint64_t i = 0; i < rows; ++i) {
    const Item row = item(i);
    for (std::size_t q = 0; q < queries.size(); ++q) {
      const auto distance = static_cast<std::uint32_t>(std::popcount(row.value ^ queries[q]));
      if (distance <= radius) tally.add(queries[q], {row.id, distance});
    }
  }
  return tally;
}

}  // namespace bench_store
