// Stores on servers: how fast fingerprints go in and are found, and whether the answers are those of the index in memory.
//
//   bench_remote load URL ROWS LAYOUT number|text      makes the store and fills it
//   bench_remote look URL ROWS QUERIES BATCH [ROUNDS]  asks it, BATCH queries at a time, and compares every answer
//   bench_remote compact URL
//   bench_remote article PUTS QUERIES number|text ROWS the same as commands for tests/remote/article: puts, "end", finds of ROWS, "end"
//   bench_remote answers ROWS QUERIES number|text      what the finds must answer
//
// A line of JSON for each measure.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "leitong/access.h"
#include "leitong/collection.h"
#include "leitong/error.h"
#include "leitong/hamming_index.h"

namespace {

using namespace leitong;
using Clock = std::chrono::steady_clock;

constexpr unsigned bit_count = 3;
constexpr std::size_t batch_size = 4'096;  // rows that are put at once

std::uint64_t mixed(std::uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

std::uint64_t near(std::uint64_t value, std::uint64_t seed) {  // up to three bits away
  for (std::uint64_t flips = seed % 4; flips > 0; --flips) value ^= std::uint64_t{1} << (mixed(seed + flips) % 64);
  return value;
}

// One row in five is near another, as among crawled pages.
std::uint64_t row(std::uint64_t i) { return i % 5 == 4 ? near(mixed(i / 5), mixed(~i)) : mixed(i); }
// One query in two is near a row.
std::uint64_t query(std::uint64_t j, std::uint64_t rows) {
  const std::uint64_t seed = mixed(j ^ 0x5bd1e995U);
  return j % 2 == 0 ? near(row(seed % rows), mixed(seed)) : seed;
}

std::string id_of(std::uint64_t i, bool text) { return text ? fmt::format("doc-{:010}", i) : std::to_string(i); }
std::uint64_t number_of(const std::string& id) { return std::strtoull(id.c_str() + (id[0] == 'd' ? 4 : 0), nullptr, 10); }

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

void load(const std::string& url, std::uint64_t rows, const std::string& layout, bool text) {
  CollectionOptions options;
  options.fingerprints_only = true;
  options.layout = is_store_url(url) ? layout : "";
  options.ids = text ? CollectionIds::text : CollectionIds::number;
  Collection::create(url, options);
  Collection collection(url, Access::write);
  const auto begin = Clock::now();
  std::vector<std::string> ids;
  std::vector<CollectionFingerprint> batch;
  for (std::uint64_t at = 0; at < rows; at += batch_size) {
    ids.clear();
    batch.clear();
    for (std::uint64_t i = at; i < std::min(rows, at + batch_size); ++i) ids.push_back(id_of(i, text));
    for (std::size_t i = 0; i < ids.size(); ++i) batch.push_back({ids[i], {{row(at + i)}, 64}});
    collection.add_fingerprints(batch, Acknowledge::durable);
  }
  collection.refresh();
  const double seconds = seconds_since(begin);
  const CollectionStats stats = collection.stats();
  fmt::print("{{\"measure\":\"load\",\"rows\":{},\"seconds\":{:.3f},\"rows_per_s\":{:.0f},\"bytes\":{},\"documents\":{}}}\n", rows, seconds,
             static_cast<double>(rows) / seconds, stats.bytes, stats.documents);
}

std::vector<std::vector<std::pair<unsigned, std::uint64_t>>> answers_of_memory(std::uint64_t rows, std::uint64_t queries) {
  std::vector<std::uint64_t> values(rows), asked(queries);
  for (std::uint64_t i = 0; i < rows; ++i) values[i] = row(i);
  for (std::uint64_t j = 0; j < queries; ++j) asked[j] = query(j, rows);
  HammingIndexOptions options;
  options.k = bit_count;
  options.threads = 2;
  const HammingIndex index(values, {}, options);
  HammingMatches found;
  index.find_batch(asked, bit_count, found);
  std::vector<std::vector<std::pair<unsigned, std::uint64_t>>> out(queries);
  for (std::uint64_t j = 0; j < queries; ++j)
    for (const HammingMatch& match : found.of(j)) out[j].emplace_back(match.distance, match.id);
  return out;
}

void look(const std::string& url, std::uint64_t rows, std::uint64_t queries, std::size_t batch, unsigned rounds) {
  const Collection collection(url, Access::read);
  std::vector<Fingerprint> asked;
  for (std::uint64_t j = 0; j < queries; ++j) asked.push_back({{query(j, rows)}, 64});
  std::vector<double> took;
  std::vector<CollectionAnswer> answers;
  for (unsigned round = 0; round < rounds; ++round) {
    answers.clear();
    const auto begin = Clock::now();
    for (std::size_t at = 0; at < asked.size(); at += batch) {
      auto part = collection.query_all(std::span<const Fingerprint>(asked).subspan(at, std::min(batch, asked.size() - at)));
      std::move(part.begin(), part.end(), std::back_inserter(answers));
    }
    took.push_back(seconds_since(begin));
  }
  const auto expected = answers_of_memory(rows, queries);
  std::uint64_t matches = 0, different = 0;
  for (std::uint64_t j = 0; j < queries; ++j) {
    std::vector<std::pair<unsigned, std::uint64_t>> found;
    for (const CollectionMatch& match : answers[j].matches) found.emplace_back(*match.distance, number_of(match.id));
    std::sort(found.begin(), found.end());
    matches += found.size();
    different += found != expected[j];
  }
  std::sort(took.begin(), took.end());
  const double median = took[took.size() / 2];
  fmt::print(
      "{{\"measure\":\"look\",\"rows\":{},\"queries\":{},\"batch\":{},\"seconds\":{:.4f},\"queries_per_s\":{:.1f},\"matches\":{},"
      "\"equal\":\"{}\"}}\n",
      rows, queries, batch, median, static_cast<double>(queries) / median, matches, different == 0 ? "yes" : "DIFFERENT");
  if (different > 0) std::exit(1);
}

std::string bits_of(std::uint64_t value) { return to_bits({{value}, 64}); }

int run(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto word = [&](std::size_t i) { return i < words.size() ? words[i] : std::string(); };
  const auto number = [&](std::size_t i) { return std::strtoull(word(i).c_str(), nullptr, 10); };
  if (word(0) == "load") {
    load(word(1), number(2), word(3), word(4) == "text");
  } else if (word(0) == "look") {
    look(word(1), number(2), number(3), number(4), static_cast<unsigned>(std::max(1ULL, number(5))));
  } else if (word(0) == "compact") {
    Collection collection(word(1), Access::write);
    const auto begin = Clock::now();
    collection.compact();
    fmt::print("{{\"measure\":\"compact\",\"seconds\":{:.3f},\"bytes\":{}}}\n", seconds_since(begin), collection.stats().bytes);
  } else if (word(0) == "article") {
    for (std::uint64_t i = 0; i < number(1); ++i) fmt::print("put {} {}\n", id_of(i, word(3) == "text"), bits_of(row(i)));
    fmt::print("end\n");
    for (std::uint64_t j = 0; j < number(2); ++j) fmt::print("find {}\n", bits_of(query(j, number(4))));
    fmt::print("end\n");
  } else if (word(0) == "answers") {
    for (const auto& found : answers_of_memory(number(1), number(2))) {
      std::vector<std::string> shown;
      for (const auto& [distance, id] : found) shown.push_back(fmt::format("{}/{}", id_of(id, word(3) == "text"), distance));
      std::sort(shown.begin(), shown.end());
      fmt::print("{}\n", fmt::join(shown, " "));
    }
  } else {
    fmt::print(stderr, "bench_remote: load, look, compact, article or answers; see the head of its source\n");
    return 2;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const Error& error) {
    fmt::print(stderr, "bench_remote: {}\n", error.what());
    return 2;
  }
}
