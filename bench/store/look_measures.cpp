// Look-ups: beside the index in memory, in one run and in several, quiet and beside a writer; and how slow the slowest are.
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "leitong/hamming_index.h"
#include "own.h"
#include "settings.h"

extern char** environ;

namespace bench_store {
namespace {

using leitong::HammingIndex;
using leitong::storage::posix_vfs;

// A store of `runs` runs of about the same size.
void make_of_runs(const Settings& settings) {
  if (settings.runs <= 1) return make_compact(settings.directory, settings.rows);
  make_fresh(settings.directory);
  Limits limits;
  const std::uint64_t part = (settings.rows + settings.runs - 1) / settings.runs;
  limits.table_rows = static_cast<std::uint32_t>((part + batch_size - 1) / batch_size * batch_size);
  limits.log_bytes = limits.table_bytes = 1ULL << 40U;
  limits.runs = std::max(limits.runs, settings.runs);
  Store store(posix_vfs(), settings.directory, Access::write, limits);
  Adder(store).add_rows(0, settings.rows);
  store.flush();
  store.close();
}

HammingIndex index_of(std::uint64_t rows) {
  std::vector<std::uint64_t> values(rows), ids(rows);
  for (std::uint64_t i = 0; i < rows; ++i) values[i] = item(i).value, ids[i] = item(i).id;
  return {values, ids};
}

// The same questions to the store and to the index in memory, one by one and in batches.
class Asker {
 public:
  Asker(const Store& store, const HammingIndex& index, std::span<const std::uint64_t> queries)
      : store_(store), index_(index), queries_(queries) {}

  void store_single(std::size_t from, std::size_t count, Latencies& latencies) {
    hits_.clear();
    for (const std::uint64_t& query : queries_.subspan(from, count))
      latencies.take([&] { find(store_, std::span(&query, 1), matches_, hits_); });
  }
  void index_single(std::size_t from, std::size_t count, Latencies& latencies) {
    tally_ = {};
    for (const std::uint64_t query : queries_.subspan(from, count)) {
      latencies.take([&] { found_ = index_.find(query, radius); });
      for (const auto& match : found_) tally_.add(query, {match.id, match.distance});
    }
  }
  [[nodiscard]] double store_batch(std::size_t from, std::size_t count) {
    hits_.clear();
    return seconds([&] { find(store_, queries_.subspan(from, count), matches_, hits_); });
  }
  [[nodiscard]] double index_batch(std::size_t from, std::size_t count) {
    return seconds([&] { index_.find_batch(queries_.subspan(from, count), radius, batch_); });
  }
  // Of the last single look-ups of the store.
  [[nodiscard]] Tally store_tally(std::size_t from, std::size_t count) const {
    Tally tally;
    for (std::size_t q = 0, at = 0; q < count; ++q)
      for (; at < hits_.ends[q]; ++at) tally.add(queries_[from + q], hits_.hits[at]);
    return tally;
  }
  [[nodiscard]] const Tally& index_tally() const { return tally_; }

 private:
  const Store& store_;
  const HammingIndex& index_;
  std::span<const std::uint64_t> queries_;
  std::vector<leitong::store::Match> matches_{};
  std::vector<leitong::HammingMatch> found_{};
  leitong::HammingMatches batch_{};
  Hits hits_{};
  Tally tally_{};
};

void add_ratio(Record& record, const std::string& name, double store, double index) {
  record.add(name + "_ns", store * 1e9).add(name + "_memory_ns", index * 1e9).add(name + "_ratio", store / index);
}

void ask_quietly(const Settings& settings, Asker& asker, std::size_t queries, Record& record) {
  Latencies single;
  std::vector<double> store_single, index_single, store_batch, index_batch;
  bool equal = true;
  Latencies first;  // of a store that was just opened: pages come as they are asked for, and are compared with their checksums
  asker.store_single(0, std::min<std::size_t>(queries, 1000), first);
  for (int round = -1; round < settings.rounds; ++round) {  // the first is for those that were not asked for yet
    if (round == 0) single.clear(), store_single.clear(), index_single.clear(), store_batch.clear(), index_batch.clear();
    Latencies memory, here;
    asker.index_single(0, queries, memory);
    asker.store_single(0, queries, here);
    equal = equal && asker.store_tally(0, queries) == asker.index_tally();
    single.add(here);
    double of_index = 0, of_store = 0;
    for (std::size_t at = 0; at < queries; at += batch_size) {
      const std::size_t count = std::min(batch_size, queries - at);
      of_index += asker.index_batch(at, count);
      of_store += asker.store_batch(at, count);
    }
    store_single.push_back(here.mean()), index_single.push_back(memory.mean());
    store_batch.push_back(of_store / static_cast<double>(queries)), index_batch.push_back(of_index / static_cast<double>(queries));
  }
  record.add("first_single_ns", first.mean() * 1e9);
  add_ratio(record, "single", median(store_single), median(index_single));
  add_ratio(record, "batch", median(store_batch), median(index_batch));
  record.add_latencies("quiet", single).add("equal", equal ? "equal" : "DIFFERENT");
}

// Adds at a given rate (0: as fast as it goes) until it is destroyed.
class Writer {
 public:
  Writer(Store& store, std::uint64_t first, std::uint64_t rate)
      : start_(now()), thread_([this, &store, first, rate](const std::stop_token& stop) {
          Adder adder(store);
          const auto begin = std::chrono::steady_clock::now();
          while (!stop.stop_requested()) {
            adder.add_rows(first + added_, batch_size);
            added_ += batch_size;
            if (rate > 0) std::this_thread::sleep_until(begin + std::chrono::nanoseconds(added_ * 1'000'000'000 / rate));
          }
        }) {}
  // Rows a second so far.
  [[nodiscard]] double rate() const { return static_cast<double>(added_) / (now() - start_); }

 private:
  std::atomic<std::uint64_t> added_ = 0;
  double start_;
  std::jthread thread_;  // last: it uses the others
};

// Store and index take turns, so that both bear the load. Half-way a table is frozen and becomes a run.
void ask_beside_adds(const Settings& settings, Store& store, Asker& asker, std::size_t queries, std::uint64_t first, Record& record) {
  Latencies of_store, of_index;
  double batch = 0;
  std::uint64_t batch_queries = 0, most_runs = 0;
  const std::size_t chunk = std::min(batch_size, queries);
  const Writer writer(store, first, settings.rate);
  const double start = now();
  for (std::size_t at = 0; now() - start < settings.seconds; at = at + 2 * chunk <= queries ? at + chunk : 0) {
    asker.store_single(at, chunk, of_store);
    asker.index_single(at, chunk, of_index);
    batch += asker.store_batch(at, chunk);
    batch_queries += chunk;
    most_runs = std::max(most_runs, store.stats().runs);
  }
  record.add("adds_per_s", writer.rate()).add("most_runs", most_runs).add_latencies("loaded", of_store);
  record.add("loaded_memory_ns", of_index.mean() * 1e9).add("loaded_batch_ns", batch * 1e9 / static_cast<double>(batch_queries));
}

void ask_for(const Store& store, double how_long, std::span<const std::uint64_t> queries, Latencies& latencies) {
  std::vector<leitong::store::Match> matches;
  Hits hits;
  const double end = now() + how_long;
  for (std::size_t at = 0; now() < end; at = at + 1 < queries.size() ? at + 1 : 0) {
    hits.clear();
    latencies.take([&] { find(store, queries.subspan(at, 1), matches, hits); });
  }
}

// How often the system has taken the processor from this thread.
long preempted() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

// Beside as many threads as a writer keeps busy, which do nothing to the store: what the want of processors alone costs.
void ask_beside_spinning(const Store& store, double how_long, std::span<const std::uint64_t> queries, Latencies& latencies) {
  std::vector<std::jthread> spinning;
  for (int i = 0; i < 2; ++i)
    spinning.emplace_back([](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
      }
    });
  ask_for(store, how_long, queries, latencies);
}

void ask_in_process(const Settings& settings, bool beside_writer) {
  std::vector<std::string> words = {"bench_store",      "reader",
                                    settings.directory, std::to_string(settings.rows),
                                    "--table-rows",     std::to_string(settings.table_rows),
                                    "--seconds",        std::to_string(settings.seconds),
                                    "--write",          beside_writer ? "1" : "0"};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  int status = 0;
  if (posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, arguments.data(), environ) != 0 || waitpid(child, &status, 0) < 0 ||
      status != 0)
    throw std::runtime_error("the reading process failed");
}

}  // namespace

void measure_look(const Settings& settings) {
  make_of_runs(settings);
  const std::vector<std::uint64_t> queries = make_queries(settings.rows, settings.queries);
  const HammingIndex index = index_of(settings.rows);
  // A table that is full when half of what is added beside the look-ups has come.
  const auto beside = static_cast<std::uint64_t>(settings.seconds * static_cast<double>(settings.rate));
  const std::uint64_t before = std::min<std::uint64_t>(3'500'000, settings.rows / 4) / batch_size * batch_size;
  Limits limits;
  limits.table_rows = static_cast<std::uint32_t>(before + beside / 2);
  limits.log_bytes = 1ULL << 40U;
  Store store(posix_vfs(), settings.directory, Access::write, limits);
  Asker asker(store, index, queries);
  Record record = settings.record("look");
  record.add("runs", store.stats().runs);
  ask_quietly(settings, asker, queries.size(), record);
  if (settings.rate > 0) {
    Adder(store).add_rows(settings.rows, before);
    ask_beside_adds(settings, store, asker, queries.size(), settings.rows + before, record);
  }
  record.write();
}

void measure_latency(const Settings& settings) {
  make_compact(settings.directory, settings.rows);
  const std::vector<std::uint64_t> queries = make_queries(settings.rows, settings.queries);
  Limits limits;
  if (settings.table_rows > 0) limits.table_rows = settings.table_rows;
  Store store(posix_vfs(), settings.directory, Access::write, limits);
  Latencies quiet, spinning, loaded;
  ask_for(store, std::min(settings.seconds, 1.0), queries, quiet);
  quiet.clear();
  ask_for(store, settings.seconds, queries, quiet);
  ask_in_process(settings, false);
  ask_beside_spinning(store, settings.seconds, queries, spinning);
  const Writer writer(store, settings.rows, 0);
  const long before = preempted();
  ask_for(store, settings.seconds, queries, loaded);
  Record record = settings.record("latency");
  record.add("table_rows", settings.table_rows);
  record.add("adds_per_s", writer.rate()).add_latencies("quiet", quiet).add_latencies("loaded", loaded);
  record.add_latencies("spinning", spinning).add("loaded_preempted", preempted() - before);
  record.add("p999_ratio", loaded.at(.999) / quiet.at(.999)).add("runs", store.stats().runs).write();
  ask_in_process(settings, true);
}

// Goes on to what the writer has logged once a second, between look-ups.
void measure_reader(const Settings& settings) {
  Store store(posix_vfs(), settings.directory, Access::read);
  const std::vector<std::uint64_t> queries = make_queries(settings.rows, settings.queries);
  Latencies asked, refreshed;
  ask_for(store, std::min(settings.seconds, 1.0), queries, asked);
  asked.clear();
  for (const double end = now() + settings.seconds; now() < end;) {
    refreshed.take([&] { store.refresh(); });
    ask_for(store, std::min(settings.seconds, 1.0), queries, asked);
  }
  Record record = settings.record("reader");
  record.add("table_rows", settings.table_rows);
  record.add("load", settings.write ? "full" : "none").add_latencies("reader", asked);
  record.add("refresh_ms", refreshed.at(.5) * 1e3).add("slowest_refresh_ms", refreshed.at(1) * 1e3);
  record.add("rows_at_end", store.snapshot().rows()).write();
}

}  // namespace bench_store
