// Adding: until acknowledged, synced, in runs, compact; durable beside the system's own fdatasync; opening, also after a crash.
#include <fcntl.h>
#include <sys/wait.h>

#include <algorithm>
#include <stdexcept>
#include <thread>

#include "own.h"
#include "settings.h"

namespace bench_store {
namespace {

using leitong::storage::posix_vfs;

constexpr std::uint64_t window_size = 1'000'000;
constexpr std::size_t log_batch = batch_size * 17 + 32;  // bytes of log that a batch takes

// Appends and syncs as many bytes as a batch of log. Batches a second.
double fdatasync_rate(const std::string& path, std::uint64_t batches) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) throw std::runtime_error("cannot write " + path);
  const std::string bytes(log_batch, 'x');
  const double took = seconds([&] {
    for (std::uint64_t b = 0; b < batches; ++b)
      if (write(file, bytes.data(), bytes.size()) != std::ssize(bytes) || fdatasync(file) != 0)
        throw std::runtime_error("cannot write and sync " + path);
  });
  close(file);
  unlink(path.c_str());
  return static_cast<double>(batches) / took;
}

double durable_rate(Store& store, std::uint64_t& next, std::uint64_t batches, unsigned threads) {
  const std::uint64_t each = batches / threads * batch_size, first = next;
  next += each * threads;
  const double took = seconds([&] {
    std::vector<std::jthread> adding;
    for (unsigned t = 0; t < threads; ++t)
      adding.emplace_back([&store, each, from = first + t * each] { Adder(store).add_rows(from, each, Acknowledge::durable); });
  });
  return static_cast<double>(each * threads) / took;
}

}  // namespace

void measure_add(const Settings& settings) {
  make_fresh(settings.directory);
  Limits limits;
  limits.runs = settings.runs;
  if (settings.table_rows > 0) limits.table_rows = settings.table_rows;
  Store store(posix_vfs(), settings.directory, Access::write, limits);
  Adder adder(store);
  Latencies batches, first, last;
  const std::uint64_t window = std::max(window_size, settings.rows / 10);
  const std::uint64_t system_written = bytes_written(getpid());
  for (std::uint64_t at = 0; at < settings.rows; at += batch_size) {
    const auto batch = items(at, std::min<std::uint64_t>(batch_size, settings.rows - at));
    const auto add = [&] { adder.add(batch, Acknowledge::buffered); };
    (at < window_size ? first : at + window >= settings.rows ? last : batches).take(add);
  }
  const double added = first.sum() + batches.sum() + last.sum(), synced = seconds([&] { store.sync(); }),
               settled = seconds([&] { settle(store, limits.runs); });
  const auto before = store.stats();
  const std::uint64_t disk_before = bytes_in(settings.directory);
  const double compacted = seconds([&] { store.compact(); });
  const auto after = store.stats();
  store.close();
  const auto n = static_cast<double>(settings.rows);
  Record record = settings.record("add");
  record.add("add_per_s", n / added).add("add_and_sync_per_s", n / (added + synced)).add("sustained_per_s", n / (added + synced + settled));
  record.add("compact_s", compacted).add("runs_before", before.runs);
  record.add("first_per_s", static_cast<double>(batch_size) / first.mean());
  if (last.count() > 0) record.add("last_per_s", static_cast<double>(batch_size) / last.mean());
  record.add("slowest_batch_ms", 1e3 * std::max({first.at(1), batches.at(1), last.at(1)}));
  const auto a_row = [&](std::uint64_t bytes) { return static_cast<double>(bytes) / n; };
  record.add("written_B", a_row(before.written_bytes)).add("amplification", a_row(before.written_bytes) / row_bytes);
  record.add("written_with_compact_B", a_row(after.written_bytes)).add("system_written_B", a_row(bytes_written(getpid()) - system_written));
  record.add("disk_before_B", a_row(disk_before)).add("disk_B", a_row(bytes_in(settings.directory))).write();
}

void measure_durable(const Settings& settings) {
  make_fresh(settings.directory);
  Store store(posix_vfs(), settings.directory, Access::write);
  std::vector<double> plain, one, four;
  std::uint64_t next = 0;
  for (int round = -1; round < settings.rounds; ++round) {  // the first makes the log
    if (round == 0) plain.clear(), one.clear(), four.clear();
    plain.push_back(fdatasync_rate(settings.directory + "/yardstick", settings.batches) * batch_size);
    one.push_back(durable_rate(store, next, settings.batches, 1));
    four.push_back(durable_rate(store, next, settings.batches, 4));
  }
  Record record = settings.record("durable");
  record.add("durable_per_s", median(one)).add("four_threads_per_s", median(four)).add("fdatasync_x_1000_per_s", median(plain));
  record.add("ratio", median(one) / median(plain)).add("four_threads_ratio", median(four) / median(plain)).write();
}

void measure_open(const Settings& settings) {
  Latencies reading, writing;
  for (int round = -1; round < settings.rounds; ++round) {
    if (round == 0) reading.clear(), writing.clear();
    reading.take([&] { const Store store(posix_vfs(), settings.directory, Access::read); });
    writing.take([&] { const Store store(posix_vfs(), settings.directory, Access::write); });
  }
  const Store store(posix_vfs(), settings.directory, Access::read);
  Record record("open");
  record.add("rows", store.snapshot().rows()).add("runs", store.stats().runs);
  record.add("open_ms", 1e3 * reading.at(.5)).add("open_to_write_and_close_ms", 1e3 * writing.at(.5)).write();
}

void measure_recover(const Settings& settings) {
  make_fresh(settings.directory);
  Limits limits;  // whose table takes it all
  limits.log_bytes = 1ULL << 40U;
  limits.table_bytes = 1ULL << 40U;
  limits.table_rows = leitong::store::Memtable::most_rows;
  const std::uint64_t rows = (settings.log_mb << 20U) / log_batch * batch_size;
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    Store store(posix_vfs(), settings.directory, Access::write, limits);
    Adder(store).add_rows(0, rows);
    store.sync();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  const std::uint64_t log = bytes_in(settings.directory);
  Latencies reading;
  for (int round = 0; round < settings.rounds; ++round)
    reading.take([&] { const Store store(posix_vfs(), settings.directory, Access::read); });
  std::unique_ptr<Store> store;
  const double writing = seconds([&] { store = std::make_unique<Store>(posix_vfs(), settings.directory, Access::write, limits); });
  const std::uint64_t found = store->snapshot().rows();
  Record record("recover");
  record.add("rows", rows).add("log_bytes", log).add("read_s", reading.at(.5)).add("write_s", writing);
  record.add("found", found).add("equal", status == 0 && found == rows ? "equal" : "DIFFERENT").write();
}

}  // namespace bench_store
