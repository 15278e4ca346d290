// For tests: rows, and the answers that a store with these rows must give.
#pragma once

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "search/search_process_test.h"

namespace leitong::search {

using Model = std::map<std::string, std::uint64_t>;

// Fingerprints in families whose members differ in a few bits, so that all distances up to k + 2 occur.
class Rows {
 public:
  explicit Rows(unsigned seed) : random_(seed) {}
  std::uint64_t fingerprint(unsigned k) {
    if (seen_.empty() || random_() % 4 == 0) {
      seen_.push_back(random_() << 32 ^ random_());
      return seen_.back();
    }
    std::uint64_t value = seen_[random_() % seen_.size()];
    for (unsigned bits = static_cast<unsigned>(random_() % (k + 3)); bits > 0; --bits) value ^= std::uint64_t{1} << random_() % 64;
    return value;
  }
  Model some(int count, unsigned k) {
    Model rows;
    for (int i = 0; i < count; ++i) rows[id()] = fingerprint(k);
    return rows;
  }
  std::string id() { return ids_[random_() % std::size(ids_)] + std::to_string(random_() % 4'000); }

 private:
  const char* const ids_[5] = {"", "doc-", "文档:", "a/b \"c\" \\", "http://x.org/?q=1&r="};
  std::mt19937_64 random_;
  std::vector<std::uint64_t> seen_;
};

inline void put(remote::FingerprintStore& store, const Model& rows) {
  std::vector<remote::FingerprintRow> all;
  for (const auto& [id, fingerprint] : rows) all.push_back({id, fingerprint});
  store.put(all);
}

inline std::vector<remote::FoundRow> found_in(const Model& model, std::uint64_t query, unsigned k) {
  std::vector<remote::FoundRow> rows;
  for (const auto& [id, fingerprint] : model) {
    const auto distance = static_cast<unsigned>(std::popcount(fingerprint ^ query));
    if (distance <= k) rows.push_back({id, fingerprint, distance});
  }
  std::sort(rows.begin(), rows.end(), [](const remote::FoundRow& a, const remote::FoundRow& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.id < b.id;
  });
  return rows;
}

inline Model scanned(remote::FingerprintStore& store) {
  Model rows;
  remote::ScanPlace place;
  do {
    place = store.scan(place, [&](const remote::FingerprintRow& row) { rows.emplace(row.id, row.fingerprint); });
  } while (!place.empty());
  return rows;
}

inline void expect_same(remote::FingerprintStore& store, const Model& model, unsigned k, unsigned seed) {
  store.refresh();
  Rows rows(seed);
  std::vector<std::uint64_t> queries;
  for (const auto& [id, fingerprint] : model) {
    if (queries.size() < 100) queries.push_back(fingerprint);
  }
  for (int i = 0; i < 30; ++i) queries.push_back(rows.fingerprint(k));
  for (const unsigned within : {k, 0U}) {
    const auto found = store.find(queries, within);
    ASSERT_EQ(found.size(), queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i) ASSERT_EQ(found[i], found_in(model, queries[i], within)) << i;
  }
  EXPECT_EQ(scanned(store), model);
  EXPECT_EQ(store.size().rows, model.size());
  std::vector<std::string_view> ids = {"not there"};
  for (const auto& [id, fingerprint] : model) ids.push_back(id);
  ids.push_back(ids[1]);
  const auto got = store.get(ids);
  ASSERT_EQ(got.size(), ids.size());
  EXPECT_FALSE(got[0]);
  for (std::size_t i = 1; i < ids.size(); ++i) ASSERT_EQ(got[i], model.at(std::string(ids[i]))) << ids[i];
}

}  // namespace leitong::search
