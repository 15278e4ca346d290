// One number a question of the store, as JSON on standard output: store_bench WHAT DIR ROWS [ARGUMENT]
//
//   add          buffered adds in batches of 1,000, then compact: rates, amplification, bytes a row on disk
//   durable      durable adds in batches of 1,000, beside fdatasync of as many bytes
//   look         look-ups one by one after compact, beside the index in memory and std::unordered_set
//   open         opening to read, warm
//   recover      opening to write with ARGUMENT bytes of log left by a writer that ended without a word
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

#include "leitong/hamming_index.h"
#include "store/store.h"

namespace {

using namespace leitong;
using namespace leitong::store;

std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}
std::uint64_t value_of(std::uint64_t i) { return mixed(i); }

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

constexpr Shape kShape{.words = 1, .k = 3, .numeric_ids = true};

void add_rows(Store& store, std::uint64_t first, std::uint64_t count, Acknowledge acknowledge, std::uint64_t batch = 1000) {
  std::vector<Row> rows;
  std::vector<std::uint64_t> ids(batch), words(batch);
  for (std::uint64_t at = 0; at < count; at += batch) {
    const std::uint64_t size = std::min(batch, count - at);
    rows.resize(size);
    for (std::uint64_t i = 0; i < size; ++i) {
      ids[i] = mixed(~(first + at + i));
      words[i] = value_of(first + at + i);
      rows[i].id = {reinterpret_cast<const char*>(&ids[i]), sizeof(std::uint64_t)};
      rows[i].words = &words[i];
      rows[i].flags = flags::fingerprint;
    }
    (void)store.add(rows, acknowledge);
  }
}

std::uint64_t bytes_in(const std::string& directory) {
  std::uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) bytes += entry.file_size();
  return bytes;
}

void fresh(const std::string& directory) {
  std::filesystem::remove_all(directory);
  Store::create(storage::posix_vfs(), directory, kShape, "{}");
}

void add(const std::string& directory, std::uint64_t rows) {
  fresh(directory);
  Store store(storage::posix_vfs(), directory, Access::write);
  const double added = seconds([&] { add_rows(store, 0, rows, Acknowledge::buffered); });
  const double synced = seconds([&] { store.sync(); });
  const double flushed = seconds([&] { store.flush(); });
  const StoreStats before = store.stats();
  const double compacted = seconds([&] { store.compact(); });
  const StoreStats after = store.stats();
  const double n = static_cast<double>(rows);
  fmt::print(
      "{{\"rows\":{},\"add_per_s\":{:.0f},\"add_and_sync_per_s\":{:.0f},\"flush_s\":{:.2f},\"runs_before\":{},\"written_before_B\":{:.1f},"
      "\"compact_s\":{:.2f},"
      "\"written_B\":{:.1f},\"disk_B\":{:.2f}}}\n",
      rows, n / added, n / (added + synced), flushed, before.runs, static_cast<double>(before.written_bytes) / n, compacted,
      static_cast<double>(after.written_bytes) / n, static_cast<double>(bytes_in(directory)) / n);
}

void durable(const std::string& directory, std::uint64_t rows) {
  fresh(directory);
  const std::uint64_t batches = rows / 1000;
  double plain = 0;
  {
    // The yardstick: as many bytes as a batch of log, appended and synced.
    const std::string path = directory + "/yardstick";
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    const std::string bytes(17032, 'x');
    plain = seconds([&] {
      for (std::uint64_t b = 0; b < batches; ++b)
        if (::write(file, bytes.data(), bytes.size()) < 0 || ::fdatasync(file) < 0) std::abort();
    });
    ::close(file);
    ::unlink(path.c_str());
  }
  Store store(storage::posix_vfs(), directory, Access::write);
  const double added = seconds([&] { add_rows(store, 0, rows, Acknowledge::durable); });
  fmt::print("{{\"rows\":{},\"durable_per_s\":{:.0f},\"fdatasync_x_1000_per_s\":{:.0f},\"ratio\":{:.2f}}}\n", rows,
             static_cast<double>(rows) / added, static_cast<double>(rows) / plain, plain / added);
}

void look(const std::string& directory, std::uint64_t rows) {
  fresh(directory);
  std::vector<std::uint64_t> queries(std::min<std::uint64_t>(rows, 200000));
  for (std::size_t i = 0; i < queries.size(); ++i)
    queries[i] = i % 2 == 0 ? value_of(mixed(i) % rows) ^ 1ULL << mixed(i) % 64 : mixed(i * 77);
  std::uint64_t found = 0;
  const auto per_query = [&](double s) { return s * 1e9 / static_cast<double>(queries.size()); };
  double store_ns = 0, memory_ns = 0, set_ns = 0;
  const auto ask = [&](const Store& store) {
    std::vector<Match> matches;
    return per_query(seconds([&] {
      for (const std::uint64_t q : queries) {
        store.snapshot().find(std::span(&q, 1), 3, false, matches);
        found += matches.size();
      }
    }));
  };
  std::uint64_t runs = 0;
  double many_ns = 0;
  {
    Limits limits;
    limits.table_rows = static_cast<std::uint32_t>(std::max<std::uint64_t>(rows / 8, 1000));
    limits.log_bytes = 1ULL << 40U;
    Store store(storage::posix_vfs(), directory, Access::write, limits);
    add_rows(store, 0, rows, Acknowledge::buffered);
    store.flush();
    runs = store.stats().runs;
    (void)ask(store);  // pages come as they are asked for
    many_ns = ask(store);
    store.compact();
    (void)ask(store);
    store_ns = ask(store);
  }
  {
    std::vector<std::uint64_t> values(rows);
    for (std::uint64_t i = 0; i < rows; ++i) values[i] = value_of(i);
    const HammingIndex index(values, {});
    std::vector<HammingMatch> matches;
    memory_ns = per_query(seconds([&] {
      for (const std::uint64_t q : queries) found += index.find(q, 3).size();
    }));
    const std::unordered_set<std::uint64_t> set(values.begin(), values.end());
    set_ns = per_query(seconds([&] {
      for (const std::uint64_t q : queries) found += set.count(q);
    }));
  }
  fmt::print(
      "{{\"rows\":{},\"store_ns\":{:.0f},\"runs\":{},\"with_runs_ns\":{:.0f},\"memory_index_ns\":{:.0f},\"unordered_set_ns\":{:.0f},"
      "\"found\":{}}}\n",
      rows, store_ns, runs, many_ns, memory_ns, set_ns, found);
}

void open_warm(const std::string& directory) {
  std::vector<double> times;
  for (unsigned i = 0; i < 5; ++i) times.push_back(seconds([&] { const Store store(storage::posix_vfs(), directory, Access::read); }));
  std::sort(times.begin(), times.end());
  const Store store(storage::posix_vfs(), directory, Access::read);
  fmt::print("{{\"rows\":{},\"open_ms\":{:.2f}}}\n", store.stats().run_rows, times[2] * 1e3);
}

void recover(const std::string& directory, std::uint64_t log_bytes) {
  fresh(directory);
  const std::uint64_t rows = log_bytes / 17;
  if (const pid_t child = ::fork(); child == 0) {
    Limits limits;
    limits.log_bytes = 2 * log_bytes;
    limits.table_rows = Memtable::kMostRows;
    limits.table_bytes = 1ULL << 40U;
    Store store(storage::posix_vfs(), directory, Access::write, limits);
    add_rows(store, 0, rows, Acknowledge::buffered);
    store.sync();
    ::_exit(0);
  } else {
    ::waitpid(child, nullptr, 0);
  }
  Limits limits;
  limits.log_bytes = 2 * log_bytes;
  const double read = seconds([&] { const Store store(storage::posix_vfs(), directory, Access::read); });
  std::uint64_t found = 0;
  const double write = seconds([&] {
    const Store store(storage::posix_vfs(), directory, Access::write, limits);
    found = store.snapshot().rows();
  });
  fmt::print("{{\"log_bytes\":{},\"rows\":{},\"recovered\":{},\"read_s\":{:.2f},\"write_s\":{:.2f}}}\n", log_bytes, rows, found, read,
             write);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const std::string what = argv[1];
  const std::uint64_t rows = std::strtoull(argv[3], nullptr, 10);
  if (what == "add") add(argv[2], rows);
  if (what == "durable") durable(argv[2], rows);
  if (what == "look") look(argv[2], rows);
  if (what == "open") open_warm(argv[2]);
  if (what == "recover") recover(argv[2], rows);
}
