// The same demands on every store: memory, directory, Redis, Redis cluster, search servers. What is asked goes through leitong/collection.h
// only, and is compared with a model that knows nothing but std::map and popcount.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <map>
#include <random>
#include <set>

#include "leitong/access.h"
#include "leitong/collection.h"
#include "leitong/copy.h"
#include "leitong/error.h"
#include "leitong/job.h"
#include "remote/store_places.h"

namespace leitong {
namespace {

using Model = std::map<std::string, std::uint64_t>;

Fingerprint fingerprint(std::uint64_t value) { return {{value}, 64}; }

CollectionOptions options_for(unsigned k = 3, CollectionIds ids = CollectionIds::text) {
  CollectionOptions options;
  options.k = k;
  options.ids = ids;
  options.fingerprints_only = true;
  return options;
}

// Id and distance, in an order that all stores can be brought to.
using Found = std::set<std::pair<unsigned, std::string>>;
Found found(const CollectionAnswer& answer) {
  Found out;
  for (const CollectionMatch& match : answer.matches) out.emplace(match.distance.value(), match.id);
  EXPECT_EQ(out.size(), answer.matches.size()) << "a match twice";
  EXPECT_TRUE(std::is_sorted(answer.matches.begin(), answer.matches.end(),
                             [](const CollectionMatch& a, const CollectionMatch& b) { return a.distance < b.distance; }));
  return out;
}
Found expected(const Model& model, std::uint64_t query, unsigned k) {
  Found out;
  for (const auto& [id, value] : model)
    if (const auto distance = static_cast<unsigned>(std::popcount(value ^ query)); distance <= k) out.emplace(distance, id);
  return out;
}

// Families of near fingerprints, so that there is something to find; many share blocks.
class Values {
 public:
  explicit Values(unsigned seed) : random_(seed) {
    for (std::uint64_t& centre : centres_) centre = random_();
    centres_[1] = centres_[0] << 16U | centres_[0] >> 48U;  // the same blocks at other positions
    centres_[2] = 0;
    centres_[3] = ~std::uint64_t{0};
  }
  std::uint64_t next() {
    std::uint64_t value = centres_[random_() % centres_.size()];
    for (std::uint64_t flips = random_() % 6; flips > 0; --flips) value ^= std::uint64_t{1} << random_() % 64;
    return value;
  }
  std::mt19937_64& random() { return random_; }

 private:
  std::mt19937_64 random_;
  std::array<std::uint64_t, 24> centres_{};
};

void put(Collection& collection, Model& model, const std::vector<std::pair<std::string, std::uint64_t>>& rows) {
  std::vector<CollectionFingerprint> fingerprints;
  for (const auto& [id, value] : rows) {
    fingerprints.push_back({id, fingerprint(value)});
    model[id] = value;
  }
  collection.add_fingerprints(fingerprints, Acknowledge::durable);
}

void expect_same(const Collection& collection, const Model& model, Values& values, unsigned k) {
  std::vector<Fingerprint> queries;
  std::vector<std::uint64_t> asked;
  for (int i = 0; i < 60; ++i) {
    asked.push_back(values.next());
    queries.push_back(fingerprint(asked.back()));
  }
  for (unsigned within = 0; within <= k; within += std::max(1U, k / 2)) {
    CollectionQuery query;
    query.k = within;
    const auto answers = collection.query_all(std::span<const Fingerprint>(queries), query);
    ASSERT_EQ(answers.size(), queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i)
      ASSERT_EQ(found(answers[i]), expected(model, asked[i], within)) << "query " << i << " within " << within;
  }
  std::vector<std::string_view> ids = {"nobody"};
  if (collection.options().ids == CollectionIds::number) ids = {"18446744073709551615"};
  for (const auto& [id, value] : model) ids.push_back(id);
  const auto entries = collection.get_all(ids);
  ASSERT_EQ(entries.size(), ids.size());
  EXPECT_FALSE(entries[0]);
  for (std::size_t i = 1; i < ids.size(); ++i) {
    ASSERT_TRUE(entries[i]) << ids[i];
    ASSERT_EQ(entries[i]->id, ids[i]);
    ASSERT_EQ(entries[i]->fingerprint->words[0], model.at(std::string(ids[i])));
  }
  EXPECT_EQ(collection.stats().documents, model.size());
  Model scanned;
  collection.scan([&](const CollectionEntry& entry) { scanned[entry.id] = entry.fingerprint->words[0]; });
  EXPECT_EQ(scanned, model);
}

class Conformance : public testing::TestWithParam<StorePlaces> {
 protected:
  void SetUp() override {
    if (const std::string reason = GetParam().missing(); !reason.empty()) GTEST_SKIP() << reason;
  }
  void make(const CollectionOptions& options) {
    CollectionOptions made = options;
    made.layout = GetParam().layout;
    if (GetParam().in_memory) {
      collection_.emplace(Collection::in_memory(options));
      return;
    }
    where_ = GetParam().fresh();
    Collection::create(where_, made);
    open();
  }
  // Another opening of the same store: what was acknowledged is there. Memory has only one.
  void open() {
    if (GetParam().in_memory) return;
    collection_.reset();
    collection_.emplace(where_, Access::write);
  }
  [[nodiscard]] bool on_server() const { return is_store_url(where_); }

  std::string where_;
  std::optional<Collection> collection_;
};

TEST_P(Conformance, NothingIsFoundInNothing) {
  make(options_for());
  EXPECT_TRUE(collection_->query(fingerprint(7)).matches.empty());
  EXPECT_FALSE(collection_->get("a"));
  EXPECT_FALSE(collection_->query_id("a"));
  const std::string_view ids[] = {"a"};
  EXPECT_EQ(collection_->erase(ids, Acknowledge::durable), 0U);
  EXPECT_EQ(collection_->stats().documents, 0U);
  collection_->scan([](const CollectionEntry&) { FAIL(); });
  collection_->check();
  collection_->compact();
  EXPECT_TRUE(collection_->query_all(std::span<const Fingerprint>()).empty());
  EXPECT_EQ(collection_->options().k, 3U);
}

TEST_P(Conformance, HistoriesAreThoseOfAMap) {
  for (const unsigned k : {3U, 1U, 6U}) {
    make(options_for(k));
    Values values(k);
    Model model;
    for (int step = 0; step < 6; ++step) {
      std::vector<std::pair<std::string, std::uint64_t>> rows;
      for (int i = 0; i < 120; ++i) rows.emplace_back("doc-" + std::to_string(values.random()() % 400), values.next());
      put(*collection_, model, rows);  // some replace, some twice in one call: the last one counts
      if (step % 2 == 1) {
        std::vector<std::string> gone = {"nobody"};
        for (int i = 0; i < 40; ++i) gone.push_back("doc-" + std::to_string(values.random()() % 400));
        const std::vector<std::string_view> ids(gone.begin(), gone.end());
        std::uint64_t there = 0;
        for (const std::string& id : gone) there += model.erase(id);
        EXPECT_EQ(collection_->erase(ids, Acknowledge::durable), there);
      }
      if (step == 2) open();
      if (step == 3) collection_->compact();
      ASSERT_NO_FATAL_FAILURE(expect_same(*collection_, model, values, k)) << "k " << k << " step " << step;
    }
    collection_->check();
    if (GetParam().slow) break;
  }
}

TEST_P(Conformance, PuttingAgainChangesNothing) {
  make(options_for());
  Values values(9);
  Model model;
  std::vector<std::pair<std::string, std::uint64_t>> rows;
  for (int i = 0; i < 300; ++i) rows.emplace_back("id" + std::to_string(i), values.next());
  for (int again = 0; again < 3; ++again) put(*collection_, model, rows);
  open();
  expect_same(*collection_, model, values, 3);
}

TEST_P(Conformance, NumbersAreIdsToo) {
  make(options_for(3, CollectionIds::number));
  Values values(11);
  Model model;
  std::vector<std::pair<std::string, std::uint64_t>> rows = {{"0", 1}, {"18446744073709551614", 2}, {"127", 3}, {"128", 4}, {"16384", 5}};
  for (int i = 0; i < 100; ++i) rows.emplace_back(std::to_string(values.random()() >> values.random()() % 63U), values.next());
  put(*collection_, model, rows);
  open();
  expect_same(*collection_, model, values, 3);
  const CollectionFingerprint wrong[] = {{"seven", fingerprint(1)}};
  EXPECT_THROW(collection_->add_fingerprints(wrong, Acknowledge::durable), Error);
}

TEST_P(Conformance, IdsMayHoldAnyText) {
  make(options_for());
  Values values(12);
  Model model;
  put(*collection_, model,
      {{"文档 1", values.next()},
       {"a:b:c", values.next()},
       {"{brace}", values.next()},
       {"new\nline\r\n", values.next()},
       {"quote\"back\\slash", values.next()},
       {"https://example.org/?q=1&r=2#x", values.next()},
       {"*?[]", values.next()},
       {std::string(500, 'x'), values.next()},
       {" ", values.next()},
       {"leitong", values.next()},
       {"0", values.next()}});
  open();
  expect_same(*collection_, model, values, 3);
  for (const auto& [id, value] : model) EXPECT_TRUE(collection_->query_id(id)) << id;
  const CollectionFingerprint empty[] = {{"", fingerprint(1)}};
  EXPECT_THROW(collection_->add_fingerprints(empty, Acknowledge::durable), Error);
}

TEST_P(Conformance, TextsAreFoundByTheirFingerprints) {
  make(options_for());
  const std::string text = "国务院办公厅关于进一步加强文物安全工作的实施意见，各省、自治区、直辖市人民政府。";
  const std::string other = "An entirely different text about the weather of the northern sea and its islands.";
  const CollectionDocument documents[] = {{"a", text}, {"b", other}, {"copy", text}};
  collection_->add(documents, Acknowledge::durable);
  const CollectionAnswer answer = collection_->query(std::string_view(text));
  EXPECT_EQ(found(answer), (Found{{0, "a"}, {0, "copy"}}));
  const auto itself = collection_->query_id("a");
  ASSERT_TRUE(itself);
  EXPECT_EQ(found(*itself), (Found{{0, "copy"}}));
  const std::string_view texts[] = {other, "", text};
  const auto answers = collection_->query_all(std::span<const std::string_view>(texts));
  ASSERT_EQ(answers.size(), 3U);
  EXPECT_EQ(found(answers[0]), (Found{{0, "b"}}));
  EXPECT_TRUE(answers[1].matches.empty());
  EXPECT_EQ(answers[2].matches.size(), 2U);
  CollectionQuery one;
  one.most = 1;
  EXPECT_EQ(collection_->query(std::string_view(text), one).matches.size(), 1U);
}

TEST_P(Conformance, OnlyWhatIsNewIsAdded) {
  make(options_for());
  const std::string a = "the first text of them all, long enough to have words", b = "二〇二六年十一月二十二日，另一篇完全不同的文章。";
  const CollectionDocument first[] = {{"a", a}, {"a2", a}, {"b", b}};
  auto outcomes = collection_->add_unique(first, {}, Acknowledge::durable);
  ASSERT_EQ(outcomes.size(), 3U);
  EXPECT_TRUE(outcomes[0].added);
  ASSERT_TRUE(outcomes[1].match);
  EXPECT_EQ(outcomes[1].match->id, "a");
  EXPECT_FALSE(outcomes[1].added);
  EXPECT_TRUE(outcomes[2].added);
  open();
  const CollectionDocument again[] = {{"a", a}, {"b", a}, {"c", b}};
  outcomes = collection_->add_unique(again, {}, Acknowledge::durable);
  EXPECT_TRUE(outcomes[0].present);
  EXPECT_EQ(outcomes[1].match->id, "a");
  EXPECT_EQ(outcomes[2].match->id, "b");
  EXPECT_EQ(collection_->stats().documents, 2U);
}

TEST_P(Conformance, ADocumentThatBecomesAnotherIsFoundAsThatOnly) {
  make(options_for());
  Model model;
  put(*collection_, model, {{"a", 0}, {"b", 1}});
  put(*collection_, model, {{"a", ~std::uint64_t{0}}});
  EXPECT_EQ(found(collection_->query(fingerprint(0))), (Found{{1, "b"}}));
  EXPECT_EQ(found(collection_->query(fingerprint(~std::uint64_t{0}))), (Found{{0, "a"}}));
  put(*collection_, model, {{"a", 3}});
  EXPECT_EQ(found(collection_->query(fingerprint(1))), (Found{{0, "b"}, {1, "a"}}));
  EXPECT_TRUE(collection_->query(fingerprint(~std::uint64_t{0})).matches.empty());
  collection_->compact();
  collection_->check();
  EXPECT_EQ(found(collection_->query(fingerprint(1))), (Found{{0, "b"}, {1, "a"}}));
}

TEST_P(Conformance, AScanGoesOnWhereItWas) {
  make(options_for());
  Values values(13);
  Model model;
  std::vector<std::pair<std::string, std::uint64_t>> rows;
  for (int i = 0; i < 25'000; ++i) rows.emplace_back("row" + std::to_string(i), values.random()());
  for (std::size_t at = 0; at < rows.size(); at += 5'000)
    put(*collection_, model, {rows.begin() + static_cast<std::ptrdiff_t>(at), rows.begin() + static_cast<std::ptrdiff_t>(at + 5'000)});
  Model scanned;
  std::string place;
  for (int openings = 0; openings < 100; ++openings) {
    struct Enough {};
    try {
      collection_->scan_from(
          place, [&](const CollectionEntry& entry) { scanned[entry.id] = entry.fingerprint->words[0]; },
          [&](const std::string& reached) {
            place = reached;
            throw Enough();
          });
      break;
    } catch (const Enough&) {
      open();  // what a place means outlives the connection
    }
  }
  EXPECT_EQ(scanned.size(), model.size());
  EXPECT_EQ(scanned, model);
  EXPECT_FALSE(place.empty());
}

TEST_P(Conformance, WhatItCannotDoIsRefusedByName) {
  make(options_for());
  EXPECT_THROW(collection_->add_fingerprints(std::vector<CollectionFingerprint>{{"a", {{1}, 128}}}, Acknowledge::durable), Error);
  EXPECT_THROW((void)collection_->query(Fingerprint{{1}, 32}), Error);
  if (GetParam().in_memory) return;
  EXPECT_THROW(Collection::create(where_, options_for()), Error);
  CollectionOpen other;
  other.profile_id = "0000000000000000";
  EXPECT_THROW(Collection(where_, Access::read, other), Error);
  if (!on_server()) return;
  Collection reader(where_, Access::read);
  EXPECT_THROW(reader.add_fingerprints(std::vector<CollectionFingerprint>{{"a", fingerprint(1)}}, Acknowledge::durable), Error);
  EXPECT_THROW((void)Collection(GetParam().fresh(), Access::read), Error);
  CollectionQuery far;
  far.k = 4;
  EXPECT_THROW((void)collection_->query(fingerprint(1), far), Error);
  CollectionOptions wide = options_for();
  wide.profile.bits = 128;
  EXPECT_THROW(Collection::create(GetParam().fresh(), wide), Error);
  CollectionOptions texts = options_for();
  texts.fingerprints_only = false;
  texts.texts = true;
  EXPECT_THROW(Collection::create(GetParam().fresh(), texts), Error);
  EXPECT_THROW((void)collection_->update_clusters(), Error);
}

TEST_P(Conformance, TwoThatWriteBothAreHeard) {
  if (GetParam().in_memory) GTEST_SKIP() << "memory belongs to one";
  make(options_for());
  if (!on_server()) GTEST_SKIP() << "a directory has one writer";
  Collection second(where_, Access::write);
  Values values(14);
  Model model;
  for (int step = 0; step < 10; ++step) {
    std::vector<std::pair<std::string, std::uint64_t>> rows;
    for (int i = 0; i < 20; ++i) rows.emplace_back("id" + std::to_string(values.random()() % 100), values.next());
    put(step % 2 == 0 ? *collection_ : second, model, rows);
  }
  collection_->refresh();
  expect_same(*collection_, model, values, 3);
}

// From a directory to the store, and back into another directory.
TEST_P(Conformance, ACopyIsTheSame) {
  if (GetParam().in_memory) GTEST_SKIP() << "memory has no address";
  const StorePlaces directories = directory_places();
  const std::string from = directories.fresh(), back = directories.fresh();
  Values values(15);
  Model model;
  {
    Collection::create(from, options_for());
    Collection collection(from, Access::write);
    std::vector<std::pair<std::string, std::uint64_t>> rows;
    for (int i = 0; i < 12'000; ++i) rows.emplace_back("row" + std::to_string(i), values.next());
    put(collection, model, rows);
    collection.close();
  }
  CopyOptions options;
  options.from = from;
  options.to = where_ = GetParam().fresh();
  options.layout = GetParam().layout;
  const CopyResult there = copy(options);
  EXPECT_EQ(there.documents, model.size());
  EXPECT_EQ(there.others, 0U);
  if (on_server()) {
    options.layout.clear();
    EXPECT_EQ(copy(options).checksum, there.checksum);  // again: nothing changes
    options.from = where_;
    options.to = back;
    EXPECT_EQ(copy(options).checksum, there.checksum);
    where_ = back;
  }
  const Collection collection(where_, Access::read);
  expect_same(collection, model, values, 3);
}

// A stop in mid-copy, and a document that changes behind the place that was reached: the next copy is right, whatever the progress file
// says.
TEST_P(Conformance, ACopyThatWasStoppedGoesOn) {
  if (GetParam().in_memory) GTEST_SKIP() << "memory has no address";
  const StorePlaces directories = directory_places();
  make(options_for());
  if (!on_server()) GTEST_SKIP() << "directories are copied whole";
  Values values(16);
  Model model;
  std::vector<std::pair<std::string, std::uint64_t>> rows;
  for (int i = 0; i < 12'000; ++i) rows.emplace_back("row" + std::to_string(i), values.next());
  put(*collection_, model, rows);
  collection_->refresh();
  CopyOptions options;
  options.from = where_;
  options.to = directories.fresh();
  options.progress_file = options.to + ".progress";
  std::atomic<bool> stop{false};
  options.job.stop = &stop;
  options.job.progress = [&](const Progress&) { stop = true; };
  EXPECT_THROW((void)copy(options), Error);
  options.job = {};
  put(*collection_, model, {{"row0", 1}, {"row1", 2}});
  collection_->refresh();
  for (int tries = 0; tries < 2; ++tries) {  // the first may find the change, and says so
    try {
      const CopyResult result = copy(options);
      EXPECT_GE(result.documents, model.size());
      break;
    } catch (const Error& error) {
      ASSERT_EQ(tries, 0) << error.what();
    }
  }
  expect_same(Collection(options.to, Access::read), model, values, 3);
}

INSTANTIATE_TEST_SUITE_P(Stores, Conformance, testing::ValuesIn(all_store_places()),
                         [](const testing::TestParamInfo<StorePlaces>& one) { return one.param.name; });

}  // namespace
}  // namespace leitong
