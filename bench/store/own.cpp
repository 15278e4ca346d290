#include "own.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "leitong/error.h"

namespace bench_store {

using leitong::storage::posix_vfs;

void make_fresh(const std::string& directory) {
  std::filesystem::remove_all(directory);
  Store::create(posix_vfs(), directory, shape, "{}");
}

void make_compact(const std::string& directory, std::uint64_t rows) {
  try {
    const Store there(posix_vfs(), directory, Access::read);
    const auto stats = there.stats();
    if (stats.runs == 1 && stats.run_rows == rows && stats.memory_rows == 0) return;
  } catch (const leitong::Error&) {
    // None is there.
  }
  make_fresh(directory);
  Store store(posix_vfs(), directory, Access::write);
  Adder(store).add_rows(0, rows);
  store.compact();
  store.close();
}

void Adder::add(std::span<const Item> batch, Acknowledge acknowledge) {
  rows_.resize(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    rows_[i].id = {reinterpret_cast<const char*>(&batch[i].id), sizeof batch[i].id};
    rows_[i].words = &batch[i].value;
    rows_[i].flags = leitong::store::flags::fingerprint;
  }
  (void)store_.add(rows_, acknowledge);
}

void Adder::add_rows(std::uint64_t first, std::uint64_t count, Acknowledge acknowledge) {
  for (std::uint64_t at = 0; at < count; at += batch_size) {
    items_.resize(std::min<std::uint64_t>(batch_size, count - at));
    for (std::size_t i = 0; i < items_.size(); ++i) items_[i] = item(first + at + i);
    add(items_, acknowledge);
  }
}

void settle(Store& store, std::size_t runs) {
  store.flush();
  for (;;) {
    const auto stats = store.stats();
    if (stats.runs <= runs || stats.merging_failed) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void find(const Store& store, std::span<const std::uint64_t> queries, std::vector<leitong::store::Match>& matches, Hits& out) {
  const auto snapshot = store.snapshot();  // its rows are read below
  snapshot.find(queries, radius, false, matches);
  std::size_t next = 0;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    for (; next < matches.size() && matches[next].query == q; ++next)
      out.hits.push_back({leitong::store::number_of(matches[next].row.id), matches[next].distance});
    out.ends.push_back(out.hits.size());
  }
}

}  // namespace bench_store
