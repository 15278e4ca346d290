// dedup --against on every store there is: an input goes if, and only if, a document within k bits is stored.
#include <gtest/gtest.h>

#include <bit>
#include <fstream>
#include <map>
#include <random>

#include "leitong/access.h"
#include "leitong/collection.h"
#include "leitong/dedup.h"
#include "leitong/fingerprint.h"
#include "leitong/stages.h"
#include "remote/store_places.h"
#include "support/read_json.h"

namespace leitong {
namespace {

std::string text_of(unsigned seed) {
  std::mt19937 random(seed);
  std::string text;
  for (unsigned w = 0; w < 60; ++w) text += "word" + std::to_string(random() % 9000) + " ";
  return text;
}

class DedupAgainst : public testing::TestWithParam<StorePlaces> {
 protected:
  void SetUp() override {
    if (GetParam().in_memory) GTEST_SKIP() << "has no address";
    if (const std::string missing = GetParam().missing(); !missing.empty()) GTEST_SKIP() << missing;
  }
  TemporaryDirectory directory_;
};

TEST_P(DedupAgainst, RemovesExactlyWhatIsWithinK) {
  constexpr unsigned inputs = 5'000, k = 3;  // more than are asked for at once
  const std::string where = GetParam().fresh();
  CollectionOptions make;
  make.k = k, make.layout = GetParam().layout, make.fingerprints_only = true;
  Collection::create(where, make);
  Fingerprinter fingerprinter{Profile{}};
  std::map<unsigned, unsigned> distances;  // of an input to the document that was made of it
  {
    std::ofstream file(directory_ / "new.jsonl");
    std::mt19937_64 random(1);
    std::vector<std::string> ids;
    std::vector<std::uint64_t> values;
    for (unsigned i = 0; i < inputs; ++i) {
      const std::string text = text_of(i);
      file << "{\"id\":" << i << ",\"text\":\"" << text << "\"}\n";
      if (i % 5 != 0) continue;
      const std::uint64_t value = fingerprinter(text).fingerprint.value().words[0];
      std::uint64_t stored = value;
      for (std::uint64_t flips = random() % 6; flips > 0; --flips) stored ^= std::uint64_t{1} << random() % 64;
      ids.push_back(std::to_string(i)), values.push_back(stored);
      distances[i] = static_cast<unsigned>(std::popcount(stored ^ value));
    }
    std::vector<CollectionFingerprint> rows;
    for (std::size_t i = 0; i < ids.size(); ++i) rows.push_back({ids[i], Fingerprint{{values[i]}, 64}});
    Collection collection(where, Access::write);
    collection.add_fingerprints(rows, Acknowledge::durable);
    collection.refresh();
  }
  DedupOptions options;
  options.input.paths = {directory_ / "new.jsonl"};
  options.against = {where};
  options.output_dir = directory_ / "out";
  const Counts counts = dedup(options);
  std::map<unsigned, unsigned> removed;
  std::ifstream lines(directory_ / "out/removed.jsonl");
  for (std::string line; std::getline(lines, line);) {
    const JsonLine entry(line);
    const auto id = static_cast<unsigned>(entry.number("id"));
    EXPECT_EQ(entry.text("kept"), std::to_string(id)) << line;
    EXPECT_EQ(entry.text("reason"), "unverified") << line;
    removed[id] = static_cast<unsigned>(entry.number("distance"));
  }
  std::erase_if(distances, [](const auto& one) { return one.second > k; });
  EXPECT_EQ(removed, distances);
  EXPECT_EQ(counts.old_met, distances.size());
  EXPECT_GT(distances.size(), 400U);
}

INSTANTIATE_TEST_SUITE_P(Stores, DedupAgainst, testing::ValuesIn(all_store_places()),
                         [](const testing::TestParamInfo<StorePlaces>& place) { return place.param.name; });

}  // namespace
}  // namespace leitong
