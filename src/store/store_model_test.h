// For tests: a model of a store's content in plain maps, and random rows.
#pragma once

#include <gtest/gtest.h>
#include <xxhash.h>

#include <array>
#include <bit>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "store/store.h"

namespace leitong::store {

struct ModelRow {
  std::array<std::uint64_t, 4> words{};
  std::uint8_t flags = flags::fingerprint;
  std::string sketch, metadata, text;
  std::uint64_t sequence = 0;
  friend bool operator==(const ModelRow&, const ModelRow&) = default;
};

struct Model {
  Shape shape;
  std::map<std::string, ModelRow> rows;  // by id
};

// An operation for both the model and the store.
struct Change {
  std::string id;
  std::optional<ModelRow> row;  // empty: erase
};

inline std::string id_of(const Shape& shape, std::uint64_t number) {
  return shape.numeric_ids ? bytes_of(number * 0x9e3779b97f4a7c15U) : "document " + std::to_string(number);
}

// Few ids, so that rows are replaced and erased; few centres, so that fingerprints are near each other.
inline Change random_change(const Shape& shape, std::mt19937_64& random, std::uint64_t ids) {
  Change change{id_of(shape, random() % ids), {}};
  if (random() % 6 == 0) return change;
  ModelRow row;
  if (random() % 10 == 0) {
    row.flags = 0;
  } else {
    for (unsigned w = 0; w < shape.words; ++w) row.words[w] = (random() % 8) * 0x0123456789abcdefU;
    for (unsigned flips = random() % 4; flips > 0; --flips) row.words[random() % shape.words] ^= 1ULL << random() % 64;
    if (random() % 5 == 0) row.flags |= flags::unverified;
  }
  if (shape.sketches) row.sketch.assign(random() % 40, 's');
  if (shape.metadata && random() % 2 == 0) row.metadata = "{\"n\":" + std::to_string(random() % 100) + "}";
  if (shape.texts) row.text.assign(random() % 200, static_cast<char>('a' + random() % 26));
  change.row = std::move(row);
  return change;
}

// A row and its model as views.
inline Row view_of(const std::string& id, const ModelRow& kept) {
  Row row;
  row.id = id;
  row.sequence = kept.sequence;
  row.flags = kept.flags;
  row.words = kept.words.data();
  row.sketch = kept.sketch;
  row.metadata = kept.metadata;
  row.text = kept.text;
  return row;
}

inline std::vector<Row> rows_of(const std::vector<Change>& changes) {
  std::vector<Row> rows;
  for (const Change& change : changes) {
    if (change.row) {
      rows.push_back(view_of(change.id, *change.row));
      continue;
    }
    Row row;
    row.id = change.id;
    row.flags = flags::erased;
    rows.push_back(row);
  }
  return rows;
}

inline void apply(const std::vector<Change>& changes, std::uint64_t first_sequence, Model& model) {
  for (const Change& change : changes) {
    model.rows.erase(change.id);
    if (change.row) {
      model.rows[change.id] = *change.row;
      model.rows[change.id].sequence = first_sequence;
    }
    ++first_sequence;
  }
}

inline ModelRow model_row(const Shape& shape, const Row& row) {
  ModelRow out;
  out.flags = row.flags;
  if (row.has_fingerprint()) std::copy_n(row.words, shape.words, out.words.begin());
  out.sketch = row.sketch;
  out.metadata = row.metadata;
  out.text = row.text;
  out.sequence = row.sequence;
  return out;
}

// The digest of one row; that of a set of rows is the sum of theirs.
inline std::uint64_t digest_of(const Row& row, unsigned words) {
  std::uint64_t digest = XXH3_64bits(row.id.data(), row.id.size()) ^ row.sequence * 0x9e3779b97f4a7c15U ^ row.flags;
  const auto mix = [&](std::string_view bytes) { digest = digest * 0xff51afd7ed558ccdU + XXH3_64bits(bytes.data(), bytes.size()); };
  if (row.has_fingerprint()) mix({reinterpret_cast<const char*>(row.words), words * sizeof(std::uint64_t)});
  mix(row.sketch);
  mix(row.metadata);
  mix(row.text);
  return digest;
}

inline std::uint64_t digest_of(const Snapshot& snapshot, unsigned words) {
  std::uint64_t sum = 0;
  const auto rows = snapshot.scan();
  for (Row row; rows->next(row);) sum += digest_of(row, words);
  return sum;
}
inline std::uint64_t digest_of(const Model& model) {
  std::uint64_t sum = 0;
  for (const auto& [id, kept] : model.rows) sum += digest_of(view_of(id, kept), model.shape.words);
  return sum;
}

// The rows that a scan of the snapshot visits.
inline std::map<std::string, ModelRow> contents(const Shape& shape, const Snapshot& snapshot) {
  std::map<std::string, ModelRow> rows;
  const auto source = snapshot.scan();
  for (Row row; source->next(row);) {
    EXPECT_NE(row.key, 0U);
    const bool is_new = rows.emplace(std::string(row.id), model_row(shape, row)).second;
    EXPECT_TRUE(is_new) << "an id came twice";
  }
  return rows;
}

// Checks that scan, get and find agree with the model.
inline void expect_same(const Model& model, const Snapshot& snapshot, std::mt19937_64& random) {
  ASSERT_EQ(contents(model.shape, snapshot), model.rows);
  for (unsigned i = 0; i < 20; ++i) {
    const std::string id = id_of(model.shape, random() % 300);
    const auto row = snapshot.get(id);
    const auto wanted = model.rows.find(id);
    ASSERT_EQ(row.has_value(), wanted != model.rows.end());
    if (row) {
      ASSERT_EQ(model_row(model.shape, *row), wanted->second);
    }
  }
  std::vector<std::uint64_t> queries;
  for (unsigned q = 0; q < 8; ++q)
    for (unsigned w = 0; w < model.shape.words; ++w) queries.push_back((random() % 8) * 0x0123456789abcdefU);
  for (const unsigned k : {0U, 3U, 7U}) {
    std::vector<Match> matches;
    snapshot.find(queries, k, false, matches);
    std::vector<std::array<std::uint64_t, 3>> found, wanted;
    for (const Match& m : matches) found.push_back({m.query, m.distance, m.row.sequence});
    for (std::uint64_t q = 0; q < 8; ++q) {
      for (const auto& [id, row] : model.rows) {
        unsigned distance = 0;
        for (unsigned w = 0; w < model.shape.words; ++w)
          distance += static_cast<unsigned>(std::popcount(row.words[w] ^ queries[q * model.shape.words + w]));
        if ((row.flags & flags::fingerprint) != 0 && distance <= k) wanted.push_back({q, distance, row.sequence});
      }
    }
    std::sort(wanted.begin(), wanted.end());
    ASSERT_EQ(found, wanted) << "k " << k;
  }
}

}  // namespace leitong::store
