// Leitong's store as the measures use it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data.h"
#include "peer.h"
#include "store/store.h"

namespace bench_store {

using leitong::Access;
using leitong::Acknowledge;
using leitong::store::Limits;
using leitong::store::Store;

inline constexpr leitong::store::Shape shape{.words = 1, .k = radius, .numeric_ids = true};
inline constexpr double row_bytes = sizeof(Item);  // what the user gives: amplification is measured against it

// A new, empty store where nothing is left of an older one.
void make_fresh(const std::string& directory);
// A store of the first `rows` rows in one run: the one that is there, if it is such a one.
void make_compact(const std::string& directory, std::uint64_t rows);

// Adds rows, batch after batch; its memory is kept.
class Adder {
 public:
  explicit Adder(Store& store) : store_(store) {}
  void add(std::span<const Item> batch, Acknowledge acknowledge);
  // Rows first … first + count - 1, in batches of 1,000.
  void add_rows(std::uint64_t first, std::uint64_t count, Acknowledge acknowledge = Acknowledge::buffered);

 private:
  Store& store_;
  std::vector<leitong::store::Row> rows_{};
  std::vector<Item> items_{};
};

// Everything in runs, and no more of them than the limit.
void settle(Store& store, std::size_t runs);

void find(const Store& store, std::span<const std::uint64_t> queries, std::vector<leitong::store::Match>& matches, Hits& out);

}  // namespace bench_store
