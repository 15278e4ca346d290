// The three-way curve: for one limit of runs, what look-ups cost while a store grows, what is written for it, and what it takes on disk.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "own.h"
#include "settings.h"

namespace bench_store {
namespace {

constexpr std::uint64_t tables = 128;  // that a store grows by, if nothing else is asked for
constexpr std::uint64_t looks = 32;    // moments at which it is asked

// The most that a directory has held, looked at every few milliseconds.
class Peak {
 public:
  explicit Peak(const std::string& directory)
      : thread_([this, directory](const std::stop_token& stop) {
          while (!stop.stop_requested()) {
            most_ = std::max(most_.load(), bytes_in(directory));
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
          }
        }) {}
  [[nodiscard]] std::uint64_t bytes() const { return most_; }

 private:
  std::atomic<std::uint64_t> most_ = 0;
  std::jthread thread_;
};

double ask(const Store& store, std::span<const std::uint64_t> queries) {
  std::vector<leitong::store::Match> matches;
  Hits hits;
  return seconds([&] {
           for (const std::uint64_t& query : queries) find(store, std::span(&query, 1), matches, hits);
         }) /
         static_cast<double>(queries.size());
}

}  // namespace

void measure_curve(const Settings& settings) {
  make_fresh(settings.directory);
  const std::uint64_t table = std::max<std::uint64_t>(settings.table_rows > 0 ? settings.table_rows : settings.rows / tables, batch_size);
  Limits limits;
  limits.runs = settings.runs;
  limits.table_rows = static_cast<std::uint32_t>(table);
  limits.log_bytes = limits.table_bytes = 1ULL << 40U;
  Store store(leitong::storage::posix_vfs(), settings.directory, Access::write, limits);
  Adder adder(store);
  const std::size_t queries = std::min<std::size_t>(settings.queries, 5000);
  double asked = 0, runs = 0, added = 0;
  std::uint64_t peak = 0;
  {
    const Peak most(settings.directory);
    for (std::uint64_t look = 0; look < looks; ++look) {
      const std::uint64_t from = settings.rows * look / looks, to = settings.rows * (look + 1) / looks;
      added += seconds([&] {
        adder.add_rows(from, to - from);
        settle(store, limits.runs);
      });
      const auto some = make_queries(to, queries);
      (void)ask(store, some);  // brings pages in
      asked += ask(store, some);
      runs += static_cast<double>(store.stats().runs);
    }
    peak = most.bytes();
  }
  const auto n = static_cast<double>(settings.rows);
  const auto stats = store.stats();
  const std::uint64_t before = bytes_in(settings.directory);
  store.compact();
  const std::uint64_t compact = bytes_in(settings.directory);
  const double compact_ns =
      (void(ask(store, make_queries(settings.rows, queries))), ask(store, make_queries(settings.rows, queries))) * 1e9;
  Record record = settings.record("curve");
  record.add("limit", settings.runs).add("table_rows", table).add("mean_runs", runs / looks).add("read_ns", asked / looks * 1e9);
  record.add("compact_read_ns", compact_ns).add("read_ratio", asked / looks * 1e9 / compact_ns).add("sustained_per_s", n / added);
  record.add("written_B", static_cast<double>(stats.written_bytes) / n);
  record.add("amplification", static_cast<double>(stats.written_bytes) / n / row_bytes);
  record.add("disk_B", static_cast<double>(before) / n).add("compact_disk_B", static_cast<double>(compact) / n);
  record.add("peak_disk_B", static_cast<double>(peak) / n).add("space", static_cast<double>(peak) / static_cast<double>(compact)).write();
}

}  // namespace bench_store
