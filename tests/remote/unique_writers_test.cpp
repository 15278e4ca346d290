// Several writers that add the same texts under ids of their own, each only if nothing near it is there: each text is stored once.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "leitong/access.h"
#include "leitong/collection.h"
#include "remote/store_places.h"

namespace leitong {
namespace {

constexpr int writer_count = 8;
constexpr std::size_t at_once = 500;  // of a call

std::vector<std::string> random_texts(std::size_t count) {
  std::mt19937_64 random(18);
  std::vector<std::string> texts(count);
  for (std::string& text : texts) {
    for (int word = 0; word < 24; ++word) {
      for (int letter = 0; letter < 6; ++letter) text += static_cast<char>('a' + random() % 26);
      text += ' ';
    }
  }
  return texts;
}

struct Writer {
  std::set<std::string> added;
  std::vector<std::string> met;
  std::string problem;
};

// Some in the same order, some in orders of their own. Ids: number of the text, "/", number of the writer.
Writer write(const std::string& where, const std::vector<std::string>& texts, int number) {
  Writer out;
  try {
    std::vector<std::size_t> order(texts.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::mt19937 random(static_cast<unsigned>(number));
    if (number % 2 == 1) std::shuffle(order.begin(), order.end(), random);
    Collection collection(where, Access::write);
    for (std::size_t at = 0; at < order.size(); at += at_once) {
      const std::size_t end = std::min(at + at_once, order.size());
      std::vector<std::string> ids;
      for (std::size_t i = at; i < end; ++i) ids.push_back(std::to_string(order[i]) + "/" + std::to_string(number));
      std::vector<CollectionDocument> documents;
      for (std::size_t i = at; i < end; ++i) documents.push_back({ids[i - at], texts[order[i]]});
      const auto outcomes = collection.add_unique(documents, {}, Acknowledge::durable);
      for (std::size_t i = 0; i < outcomes.size(); ++i) {
        if (outcomes[i].added) {
          out.added.insert(ids[i]);
        } else {
          out.met.push_back(outcomes[i].match.value().id);
        }
      }
    }
    collection.close();
  } catch (const std::exception& error) {
    out.problem = error.what();
  }
  return out;
}

class UniqueWriters : public ::testing::TestWithParam<StorePlaces> {};

TEST_P(UniqueWriters, StoreEachTextOnce) {
  if (const std::string missing = GetParam().missing(); !missing.empty()) GTEST_SKIP() << missing;
  const std::string where = GetParam().fresh();
  CollectionOptions options;
  options.fingerprints_only = true;
  options.layout = GetParam().layout;
  Collection::create(where, options);
  const std::vector<std::string> texts = random_texts(GetParam().slow ? 2'000 : 10'000);
  std::vector<Writer> writers(writer_count);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < writer_count; ++i) threads.emplace_back([&, i] { writers[static_cast<std::size_t>(i)] = write(where, texts, i); });
  }
  std::map<std::string, int> stored;  // by number of the text
  std::set<std::string> ids;
  const Collection collection(where, Access::read);
  collection.scan([&](const CollectionEntry& entry) {
    if (ids.insert(entry.id).second) ++stored[entry.id.substr(0, entry.id.find('/'))];
  });
  std::set<std::string> added;
  for (const Writer& writer : writers) {
    ASSERT_EQ(writer.problem, "");
    added.insert(writer.added.begin(), writer.added.end());
    for (const std::string& id : writer.met) ASSERT_TRUE(ids.contains(id)) << id << " was told and is not there";
  }
  EXPECT_EQ(added, ids);
  EXPECT_EQ(stored.size(), texts.size()) << "texts are lost";
  for (const auto& [text, times] : stored) ASSERT_EQ(times, 1) << "text " << text;
  collection.check();
}

std::vector<StorePlaces> server_places() {
  std::vector<StorePlaces> places = all_store_places();
  std::erase_if(places, [](const StorePlaces& one) { return one.in_memory || one.name == "Directory"; });
  return places;
}

INSTANTIATE_TEST_SUITE_P(Stores, UniqueWriters, ::testing::ValuesIn(server_places()),
                         [](const ::testing::TestParamInfo<StorePlaces>& one) { return one.param.name; });

}  // namespace
}  // namespace leitong
