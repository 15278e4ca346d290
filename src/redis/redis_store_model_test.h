// For tests: random histories of a FingerprintStore, compared with a map in memory.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "remote/fingerprint_store.h"

namespace leitong::redis {

using Model = std::map<std::string, std::uint64_t>;

inline std::vector<remote::FingerprintRow> rows_of(const Model& model) {
  std::vector<remote::FingerprintRow> rows;
  for (const auto& [id, fingerprint] : model) rows.push_back({id, fingerprint});
  return rows;
}

inline std::vector<remote::FoundRow> found_in(const Model& model, std::uint64_t query, unsigned k) {
  std::vector<remote::FoundRow> found;
  for (const auto& [id, fingerprint] : model) {
    const auto distance = static_cast<unsigned>(std::popcount(fingerprint ^ query));
    if (distance <= k) found.push_back({id, fingerprint, distance});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const remote::FoundRow& a, const remote::FoundRow& b) { return a.distance < b.distance; });
  return found;
}

inline Model scanned(remote::FingerprintStore& store) {
  Model rows;
  remote::ScanPlace place;
  do {
    place = store.scan(place, [&](const remote::FingerprintRow& row) { rows.insert_or_assign(std::string(row.id), row.fingerprint); });
  } while (!place.empty());
  return rows;
}

// Fingerprints in families, so that queries have matches.
class Families {
 public:
  explicit Families(std::uint64_t seed) : random_(seed) {
    for (std::uint64_t& one : centres_) one = random_();
  }
  std::uint64_t next(unsigned k) {
    std::uint64_t fingerprint = centres_[random_() % 8];
    for (std::uint64_t flips = random_() % (k + 3); flips > 0; --flips) fingerprint ^= std::uint64_t{1} << (random_() % 64);
    return fingerprint;
  }
  std::uint64_t number() { return random_(); }
  std::string id(bool numbers) {
    const std::uint64_t number = random_() % 200;
    if (numbers) return std::to_string(number < 10 ? ~number : number);
    return number < 5 ? std::string(static_cast<std::size_t>(number * 40 + 1), 'x') : "doc/" + std::to_string(number) + "\xc3\xa9{";
  }

 private:
  std::mt19937_64 random_;
  std::uint64_t centres_[8] = {};
};

inline void expect_equal(remote::FingerprintStore& store, const Model& model, Families& families, unsigned k) {
  std::vector<std::string_view> ids = {"nobody"};
  std::vector<std::optional<std::uint64_t>> values = {std::nullopt};
  for (const auto& [id, fingerprint] : model) {
    ids.push_back(id);
    values.push_back(fingerprint);
  }
  EXPECT_EQ(store.get(ids), values);
  std::vector<std::uint64_t> queries;
  for (int i = 0; i < 30; ++i) queries.push_back(families.next(k));
  const unsigned within = static_cast<unsigned>(families.number() % (k + 1));
  for (const unsigned distance : {k, within}) {
    const auto found = store.find(queries, distance);
    ASSERT_EQ(found.size(), queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i) ASSERT_EQ(found[i], found_in(model, queries[i], distance)) << i;
  }
}

inline void run_history(remote::FingerprintStore& store, unsigned k, std::uint64_t seed, bool number_ids, int steps) {
  Families families(seed);
  Model model;
  for (int step = 0; step < steps && !::testing::Test::HasFailure(); ++step) {
    std::vector<std::pair<std::string, std::uint64_t>> batch;
    for (std::uint64_t i = families.number() % 60; i > 0; --i) batch.emplace_back(families.id(number_ids), families.next(k));
    if (families.number() % 3 == 0) {
      std::vector<std::string_view> ids;
      std::uint64_t there = 0;
      for (const auto& [id, fingerprint] : batch) ids.push_back(id);
      for (const auto& [id, fingerprint] : batch) there += model.erase(id);
      EXPECT_EQ(store.erase(ids), there);
    } else {
      std::vector<remote::FingerprintRow> rows;
      for (const auto& [id, fingerprint] : batch) {
        rows.push_back({id, fingerprint});
        model.insert_or_assign(id, fingerprint);
      }
      store.put(rows);
    }
    if (families.number() % 5 == 0) store.compact();
    if (families.number() % 2 == 0) expect_equal(store, model, families, k);
  }
  store.refresh();
  expect_equal(store, model, families, k);
  EXPECT_EQ(scanned(store), model);
  EXPECT_EQ(store.size().rows.value_or(model.size()), model.size());
  store.check();
}

}  // namespace leitong::redis
