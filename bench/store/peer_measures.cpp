// One contender after the other, each in a process of its own, on the same rows and queries: adds, look-ups, bytes on disk, and the answers
// beside those of the index in memory and of every row compared.
#include <algorithm>
#include <array>
#include <filesystem>
#include <stdexcept>

#include "data.h"
#include "leitong/hamming_index.h"
#include "peer.h"
#include "settings.h"

namespace bench_store {
namespace {

struct Named {
  const char* name;
  OpenPeer open;
};
constexpr Named peers[] = {
    {"leitong", open_leitong},
#ifdef BENCH_STORE_ROCKSDB
    {"rocksdb", open_rocksdb},
#endif
#ifdef BENCH_STORE_SQLITE
    {"sqlite", open_sqlite},
#endif
#ifdef BENCH_STORE_REDIS
    {"redis", open_redis},
#endif
};

OpenPeer opener(const std::string& name) {
  for (const Named& peer : peers)
    if (name == peer.name) return peer.open;
  std::string known;
  for (const Named& peer : peers) known += std::string(" ") + peer.name;
  throw std::runtime_error("no such peer: " + name + "; built in are" + known + " (setup_peers.sh installs the others' packages)");
}

std::string empty_directory(const std::string& path) {
  std::filesystem::remove_all(path);
  std::filesystem::create_directories(path);
  return path;
}

double durable_rate(const Settings& settings, OpenPeer open) {
  const std::string directory = empty_directory(settings.directory + "/" + settings.who + "-durable");
  const std::uint64_t rows = std::min<std::uint64_t>(settings.rows, settings.batches * batch_size);
  const Peer peer = open(directory, true, rows);
  Latencies batches;
  for (std::uint64_t at = 0; at < rows; at += batch_size) {
    const auto batch = items(at, std::min<std::uint64_t>(batch_size, rows - at));
    batches.take([&] { peer.add(batch); });
  }
  return static_cast<double>(rows) / batches.sum();
}

Tally tally(std::span<const std::uint64_t> queries, const Hits& hits) {
  Tally made;
  for (std::size_t q = 0, at = 0; q < queries.size(); ++q)
    for (; at < hits.ends[q]; ++at) made.add(queries[q], hits.hits[at]);
  return made;
}

Tally of_index(std::uint64_t rows, std::span<const std::uint64_t> queries) {
  std::vector<std::uint64_t> values(rows), ids(rows);
  for (std::uint64_t i = 0; i < rows; ++i) values[i] = item(i).value, ids[i] = item(i).id;
  const leitong::HammingIndex index(values, ids);
  Tally made;
  for (const std::uint64_t query : queries)
    for (const auto& match : index.find(query, radius)) made.add(query, {match.id, match.distance});
  return made;
}

void add(const Settings& settings, const Peer& peer, Record& record) {
  const std::uint64_t written = bytes_written(peer.process);
  Latencies batches;
  for (std::uint64_t at = 0; at < settings.rows; at += batch_size) {
    const auto batch = items(at, std::min<std::uint64_t>(batch_size, settings.rows - at));
    batches.take([&] { peer.add(batch); });
  }
  const double added = batches.sum(), finished = seconds([&] { peer.finish(); });
  const auto rows = static_cast<double>(settings.rows);
  record.add("add_per_s", rows / added).add("add_and_finish_per_s", rows / (added + finished));
  record.add_latencies("batch", batches).add("written_B", static_cast<double>(bytes_written(peer.process) - written) / rows);
}

void look_up(const Settings& settings, const Peer& peer, Record& record) {
  const std::vector<std::uint64_t> queries = make_queries(settings.rows, settings.queries);
  Hits hits;
  Latencies single;
  std::vector<double> single_ns, batch_ns;
  const double each = 1e9 / static_cast<double>(queries.size());
  for (int round = -1; round < settings.rounds; ++round) {  // the first brings pages and caches in
    hits.clear();
    if (round == 0) single.clear(), single_ns.clear(), batch_ns.clear();
    single_ns.push_back(each * seconds([&] {
                          for (const std::uint64_t query : queries) single.take([&] { peer.find(query, hits); });
                        }));
    if (!peer.find_batch) continue;
    Hits batch_hits;
    batch_ns.push_back(each * seconds([&] {
                         for (std::size_t at = 0; at < queries.size(); at += batch_size)
                           peer.find_batch(std::span(queries).subspan(at, std::min(batch_size, queries.size() - at)), batch_hits);
                       }));
    if (tally(queries, batch_hits) != tally(queries, hits))
      throw std::runtime_error(settings.who + ": a batch's answers are not those of single look-ups");
  }
  record.add("find_ns", median(single_ns)).add_latencies("single", single);
  if (!batch_ns.empty()) record.add("batch_find_ns", median(batch_ns));
  const Tally found = tally(queries, hits), expected = of_index(settings.rows, queries);
  const std::span some = std::span(queries).first(std::min(settings.checked, queries.size()));
  Hits of_some;
  for (const std::uint64_t query : some) peer.find(query, of_some);
  const bool equal = found == expected && tally(some, of_some) == brute_force(settings.rows, some);
  record.add("found", found.count).add("checksum", fmt::format("{:016x}", found.checksum)).add("equal", equal ? "equal" : "DIFFERENT");
}

}  // namespace

void measure_peer(const Settings& settings) {
  const OpenPeer open = opener(settings.who);
  const double durable = durable_rate(settings, open);
  const std::string directory = empty_directory(settings.directory + "/" + settings.who);
  const Peer peer = open(directory, false, settings.rows);
  Record record = settings.record("peer");
  record.add("who", settings.who).add("version", peer.version).add("licence", peer.licence).add("setting", peer.setting);
  record.add("durable_per_s", durable);
  add(settings, peer, record);
  record.add("disk_B", static_cast<double>(bytes_in(directory)) / static_cast<double>(settings.rows));
  if (peer.memory_bytes) record.add("memory_B", static_cast<double>(peer.memory_bytes()) / static_cast<double>(settings.rows));
  look_up(settings, peer, record);
  record.write();
}

}  // namespace bench_store
