// Clusters of a collection, and the changes between two states of them: against a dedup run of the same documents.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include "collection/cluster_changes.h"
#include "collection/collection_about.h"
#include "collection/collection_keys.h"
#include "collection/saved_clusters.h"
#include "job/id_sort.h"
#include "leitong/access.h"
#include "leitong/collection.h"
#include "leitong/dedup.h"
#include "leitong/error.h"
#include "leitong/records.h"
#include "leitong/stages.h"
#include "records/read_input_test.h"
#include "stages/cluster_reader.h"
#include "stages/stages.h"
#include "store/manifest.h"
#include "store/store.h"

namespace leitong {
namespace {

namespace fs = std::filesystem;
using Ids = std::vector<std::string>;
using Partition = std::map<Ids, std::string>;  // ids of each cluster, ascending, and the one that is kept
using Texts = std::map<std::string, std::string>;
using Groups = std::map<std::uint64_t, std::set<std::string>>;

class Random {
 public:
  using result_type = std::uint32_t;
  explicit Random(unsigned seed) : engine_(seed) {}
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return 0xffffffffU; }
  result_type operator()() { return static_cast<result_type>(engine_()); }

 private:
  std::mt19937 engine_;
};

// Families of edited texts, so similar that ties and chains of pairs are common; short texts; copies; texts without words.
std::string a_text(Random& random) {
  const unsigned family = random() % 12, words = family < 4 ? 12 + family : 60 + 10 * family;
  if (random() % 40 == 0) return random() % 2 == 0 ? "!!!" : "";
  Random of_family(family);
  std::vector<unsigned> numbers;
  for (unsigned w = 0; w < words; ++w) numbers.push_back(of_family() % 3000);
  for (unsigned edit = random() % (words / 8 + 1); edit-- > 0;) numbers[random() % words] = 1000 + random() % 1000;  // same length
  std::string text;
  for (const unsigned number : numbers) text += "w" + std::to_string(1000 + number) + (random() % 50 == 0 ? ", " : " ");
  return text;
}

// A collection, the documents that it must hold, and random changes by every way of adding documents.
class History {
 public:
  History(std::string path, const CollectionOptions& options, unsigned seed) : path_(std::move(path)), random_(seed) {
    Collection::create(path_, options);
    open();
  }
  [[nodiscard]] Collection& collection() { return *collection_; }
  [[nodiscard]] const Texts& texts() const { return texts_; }

  void add(const std::vector<std::pair<std::string, std::string>>& documents) {
    std::vector<CollectionDocument> batch;
    for (const auto& [id, text] : documents) {
      batch.push_back({id, text});
      texts_[id] = text;
    }
    collection_->add(batch, Acknowledge::buffered);
  }
  void erase(const std::string& id) {
    const std::string_view one = id;
    collection_->erase(std::span(&one, 1), Acknowledge::buffered);
    texts_.erase(id);
  }
  // Changes some of the first `ids` documents; sometimes starts a new run.
  void go_on(unsigned steps, unsigned ids) {
    while (steps-- > 0) {
      if (!texts_.empty() && random_() % 4 == 0) {
        erase(std::next(texts_.begin(), random_() % texts_.size())->first);
        continue;
      }
      std::vector<std::pair<std::string, std::string>> batch;
      for (unsigned n = 1 + random_() % 9; n-- > 0;) batch.emplace_back("d" + std::to_string(random_() % ids), a_text(random_));
      add(batch);
      if (random_() % 8 == 0) new_run();
    }
  }
  // Brings the collection to exactly these documents, in random order and batches, with other documents and older versions in between.
  void become(const Texts& wanted) {
    std::vector<std::pair<std::string, std::string>> documents(wanted.begin(), wanted.end());
    std::shuffle(documents.begin(), documents.end(), random_);
    for (std::size_t i = 0; i < documents.size();) {
      std::vector<std::pair<std::string, std::string>> batch;
      if (random_() % 3 == 0) batch.emplace_back("other" + std::to_string(random_() % 20), a_text(random_));
      if (random_() % 3 == 0) batch.emplace_back(documents[random_() % (i + 1)].first, a_text(random_));
      for (std::size_t n = 1 + random_() % 60; n-- > 0 && i < documents.size(); ++i) batch.push_back(documents[i]);
      add(batch);
      if (random_() % 4 == 0) new_run();
    }
    for (const auto& [id, text] : Texts(texts_))
      if (!wanted.contains(id))
        erase(id);
      else if (wanted.at(id) != text)
        add({{id, wanted.at(id)}});
    ASSERT_EQ(texts_, wanted);
  }
  // Moves what is in memory into a run of its own.
  void new_run() {
    collection_.reset();
    const store::Manifest manifest = store::read_manifest(storage::posix_vfs(), path_);
    const auto about = collection::read_about(manifest.about, manifest.shape, path_, {});
    store::Limits limits;
    limits.runs = 100;
    store::Store store(storage::posix_vfs(), path_, Access::write, limits, collection::keys_of_documents(about.bands));
    store.flush();
    store.close();
    open();
  }

 private:
  void open() { collection_.emplace(path_, Access::write); }
  std::string path_;
  Random random_;
  std::optional<Collection> collection_;
  Texts texts_;
};

Partition partition_of(const Collection& collection) {
  Partition out;
  std::uint64_t last = 0;
  collection.clusters([&](const CollectionCluster& cluster) {
    EXPECT_GT(cluster.id, last);
    last = cluster.id;
    Ids ids = cluster.documents;
    EXPECT_EQ(collection.get(ids.front())->sequence, cluster.id);
    std::sort(ids.begin(), ids.end());
    out[ids] = cluster.keep;
  });
  return out;
}

// The clusters that one dedup run finds for the documents in that order.
Partition dedup_of(const std::vector<std::pair<std::string, std::string>>& documents, DedupOptions options,
                   const TemporaryDirectory& directory) {
  std::string lines;
  for (const auto& [id, text] : documents) {
    append_json_string(lines += "{\"id\":", id);
    append_json_string(lines += ",\"text\":", text);
    lines += "}\n";
  }
  options.input.paths = {directory.write("whole.jsonl", lines)};
  options.output_dir = directory / "whole";
  options.overwrite = true;
  dedup(options);
  const auto table = stages::open_stage_file(options.output_dir + "/stages/clusters.ltt", "clusters");
  std::map<std::uint32_t, std::pair<Ids, std::string>> clusters;
  for (stages::ClusterReader rows(table, documents.size()); rows.head() != nullptr; rows.next()) {
    auto& [ids, keep] = clusters[rows.head()->cluster];
    ids.push_back(documents[rows.head()->row].first);
    keep = documents[rows.head()->kept].first;
  }
  Partition out;
  for (auto& [number, cluster] : clusters) {
    std::sort(cluster.first.begin(), cluster.first.end());
    out[cluster.first] = cluster.second;
  }
  return out;
}

Groups groups_of(const Collection& collection) {
  Groups out;
  collection.clusters([&](const CollectionCluster& cluster) { out[cluster.id] = {cluster.documents.begin(), cluster.documents.end()}; });
  return out;
}

// Applies a change to the groups as docs/collection.md tells a reader of changes to do.
void follow(const CollectionClusterChange& change, Groups& groups) {
  if (change.what == CollectionClusterStep::reset) {
    groups.clear();
    return;
  }
  std::set<std::string> members;
  if (change.was) {
    ASSERT_TRUE(groups.contains(*change.was)) << *change.was;
    members = groups[*change.was];
    groups.erase(*change.was);
  }
  for (const std::string& id : change.removed) EXPECT_EQ(members.erase(id), 1U) << id;
  for (const std::string& id : change.added) EXPECT_TRUE(members.insert(id).second) << id;
  EXPECT_EQ(members.size(), change.documents);
  if (members.empty()) return;
  EXPECT_TRUE(members.contains(change.keep));
  EXPECT_TRUE(groups.emplace(change.cluster, std::move(members)).second) << change.cluster;
}

class ClustersTest : public testing::Test {
 protected:
  static CollectionOptions with_texts() {
    CollectionOptions options;
    options.texts = true;
    return options;
  }
  static Texts documents(unsigned count, unsigned seed) {
    Random random(seed);
    Texts out;
    while (out.size() < count) out.emplace("d" + std::to_string(random() % 10'000), a_text(random));
    return out;
  }
  TemporaryDirectory directory_;
  std::string path_ = directory_ / "c";
};

TEST_F(ClustersTest, AreThoseOfOneDedupInWhateverOrderDocumentsCame) {
  const Texts wanted = documents(250, 1);
  const Partition whole = dedup_of({wanted.begin(), wanted.end()}, {}, directory_);
  ASSERT_GT(whole.size(), 10U);
  for (unsigned seed = 0; seed < 3; ++seed) {
    History history(path_ + std::to_string(seed), with_texts(), seed);
    history.become(wanted);
    history.collection().update_clusters();
    EXPECT_EQ(partition_of(history.collection()), whole);
  }
}

TEST_F(ClustersTest, WithoutTextsAreThoseOfADedupBySketchesAlone) {
  const Texts wanted = documents(200, 2);
  DedupOptions by_sketch;
  by_sketch.verify = Verify::sketch;
  History history(path_, {}, 1);
  history.become(wanted);
  history.collection().update_clusters();
  // Without texts the collection takes the number of tokens for the length, and that is equal within a family here. So the dedup run must
  // not prefer texts by their length in bytes.
  by_sketch.keep = "central,first";
  const Partition whole = dedup_of({wanted.begin(), wanted.end()}, by_sketch, directory_), own = partition_of(history.collection());
  ASSERT_GT(whole.size(), 10U);
  EXPECT_EQ(own, whole);
}

TEST_F(ClustersTest, OfFingerprintsAloneAreThoseOfADedupByK) {
  // Dedup recognises equal texts before it compares fingerprints; a collection does not, so these texts are all different.
  Texts wanted;
  std::set<std::string> seen;
  for (auto& [id, text] : documents(250, 3)) {
    std::string words = text;
    std::erase(words, ',');
    if (Fingerprinter(Profile{})(text).fingerprint && seen.insert(words).second) wanted[id] = text;
  }
  CollectionOptions options;
  options.fingerprints_only = true;
  options.k = 6;
  DedupOptions by_k;
  by_k.k = 6;
  by_k.verify = Verify::none;
  by_k.keep = "central,first";  // a collection of fingerprints has no lengths
  History history(path_, options, 1);
  history.become(wanted);
  history.collection().update_clusters();
  const Partition whole = dedup_of({wanted.begin(), wanted.end()}, by_k, directory_);
  ASSERT_GT(whole.size(), 10U);
  EXPECT_EQ(partition_of(history.collection()), whole);
}

TEST_F(ClustersTest, NumbersAreInOrderOfTheirValues) {
  CollectionOptions options = with_texts();
  options.ids = CollectionIds::number;
  Collection::create(path_, options);
  Collection collection(path_, Access::write);
  const std::string text = "one and the same text of some words that stands here more than once in a collection of documents";
  const CollectionDocument all[] = {{"1000", text}, {"9", text}, {"70000", text}};
  collection.add(all, Acknowledge::durable);
  collection.update_clusters();
  EXPECT_EQ(partition_of(collection), (Partition{{{"1000", "70000", "9"}, "9"}}));
}

TEST_F(ClustersTest, ChangesLeadFromEachStateToTheNext) {
  History history(path_, with_texts(), 5);
  Groups told;
  std::map<CollectionClusterStep, unsigned> seen;
  std::uint64_t state = 0;
  for (unsigned day = 0; day < 14; ++day) {
    history.go_on(day == 0 ? 30 : 6, 100);
    if (day == 7)
      for (const auto& [id, text] : Texts(history.texts())) history.erase(id);
    const CollectionClusterState now = history.collection().update_clusters({}, [&](const CollectionClusterChange& change) {
      ++seen[change.what];
      EXPECT_EQ(change.state, state + 1);
      follow(change, told);
    });
    EXPECT_EQ(told, groups_of(history.collection()));
    EXPECT_EQ(now.clusters, told.size());
    EXPECT_GE(now.mark.state, state);
    EXPECT_EQ(now.sequence, history.collection().stats().next_sequence);
    state = now.mark.state;
    // Nothing has changed, so no change may be reported.
    const auto told_again = [](const CollectionClusterChange& change) { FAIL() << static_cast<int>(change.what); };
    EXPECT_EQ(day % 3 != 0 ? state : history.collection().update_clusters({}, told_again).mark.state, state);
    if (day % 4 == 0) history.collection().compact();
  }
  using enum CollectionClusterStep;
  for (const CollectionClusterStep what : {reset, begun, gone, split, merged, renamed, grown, shrunk})
    EXPECT_GT(seen[what], 0U) << static_cast<int>(what);
}

TEST_F(ClustersTest, WhoHasAnotherStateIsToldAllOfIt) {
  History history(path_, with_texts(), 7);
  Groups told;
  history.go_on(20, 60);
  CollectionClusterOptions options;
  options.since = CollectionClusterMark{};
  const auto follow_all = [&](const CollectionClusterChange& change) { follow(change, told); };
  const CollectionClusterMark first = history.collection().update_clusters(options, follow_all).mark;
  const Groups then = told;
  history.go_on(3, 60);
  const CollectionClusterMark second = history.collection().update_clusters().mark;  // another reader received these changes
  EXPECT_GT(second.state, first.state);
  options.since = first;
  const CollectionClusterMark third = history.collection().update_clusters(options, follow_all).mark;
  EXPECT_GT(third.state, second.state);
  EXPECT_EQ(told, groups_of(history.collection()));
  // A reader whose state is ahead, because the file was lost, must never see a state number twice either.
  fs::remove(collection::clusters_path(path_));
  options.since = third;
  EXPECT_GT(history.collection().update_clusters(options, follow_all).mark.state, third.state);
  EXPECT_EQ(told, groups_of(history.collection()));
  // If the reader throws while it receives changes, nothing is lost.
  history.go_on(10, 60);
  const CollectionClusterMark state = history.collection().clusters([](const CollectionCluster&) {}).mark;
  EXPECT_THROW(history.collection().update_clusters({}, [](const CollectionClusterChange&) { throw Error(ErrorCode::io, "full"); }), Error);
  EXPECT_TRUE(history.collection().clusters([](const CollectionCluster&) {}).mark == state);
}

TEST_F(ClustersTest, WhatCameAsAFingerprintTakesPartIfItMay) {
  const std::string text = "the quick brown fox jumps over the lazy dog and then it rests a while before it jumps again over the dog";
  const std::string other = "a wholly different text about ships and harbours and the winds of the northern sea in late autumn days";
  for (const bool texts : {true, false}) {
    CollectionOptions options;
    options.texts = texts;
    const std::string path = path_ + (texts ? "texts" : "none");
    Collection::create(path, options);
    Collection collection(path, Access::write);
    const std::string longer = text + " again";
    const CollectionDocument documents[] = {{"a", text}, {"b", longer}, {"c", other}};
    collection.add(documents, Acknowledge::durable);
    Fingerprinter fingerprint((Profile()));
    const CollectionFingerprint stored[] = {{"f1", *fingerprint(other).fingerprint}, {"f2", *fingerprint(text).fingerprint}};
    collection.add_fingerprints(stored, Acknowledge::durable);
    CollectionClusterOptions allowing;
    std::vector<std::string> notes;
    allowing.job.note = [&](const std::string& note) { notes.push_back(note); };
    collection.update_clusters(allowing);
    EXPECT_EQ(partition_of(collection).size(), 1U);
    EXPECT_TRUE(partition_of(collection).begin()->first == (Ids{"a", "b"}));
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_EQ(notes[0].substr(0, 12), "2 documents ");
    allowing.allow_unverified = true;
    collection.update_clusters(allowing);
    EXPECT_EQ(partition_of(collection).size(), 2U);
    EXPECT_TRUE(partition_of(collection).contains({"a", "b", "f2"}));
    EXPECT_TRUE(partition_of(collection).contains({"c", "f1"}));
    EXPECT_EQ(notes.size(), 1U);
  }
}

TEST_F(ClustersTest, AreSavedCheckedAndCopied) {
  History history(path_, with_texts(), 9);
  EXPECT_EQ(history.collection().clusters([](const CollectionCluster&) { FAIL(); }).mark.state, 0U);
  history.go_on(30, 100);
  fs::create_directories(path_ + "/clusters.tmp/left/by/a/killed/program");
  history.collection().update_clusters();
  const Groups groups = groups_of(history.collection());
  ASSERT_GT(groups.size(), 5U);
  EXPECT_FALSE(fs::exists(path_ + "/clusters.tmp"));
  history.new_run();
  history.collection().compact();
  const Collection reader(path_, Access::read);
  EXPECT_EQ(groups_of(reader), groups);
  EXPECT_THROW(Collection(path_, Access::read).update_clusters(), Error);
  reader.check();
  reader.backup(directory_ / "copy");
  EXPECT_EQ(groups_of(Collection(directory_ / "copy", Access::read)), groups);
  std::atomic<bool> stop = true;
  CollectionClusterOptions stopped;
  stopped.job.stop = &stop;
  EXPECT_THROW(history.collection().update_clusters(stopped), Error);
  EXPECT_FALSE(fs::exists(path_ + "/clusters.tmp"));
  // Any wrong byte in the file must give an error that says what to do.
  std::string bytes;
  {
    std::ifstream in(collection::clusters_path(path_), std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  Random random(1);
  for (unsigned i = 0; i < 200; ++i) {
    std::string rotten = bytes;
    rotten[random() % rotten.size()] ^= static_cast<char>(1U << random() % 8);
    std::ofstream(collection::clusters_path(path_), std::ios::binary) << rotten;
    try {
      reader.check();  // padding between the parts of the file has no meaning
      EXPECT_EQ(groups_of(reader), groups);
    } catch (const Error& error) {
      EXPECT_TRUE(error.code() == ErrorCode::format || error.code() == ErrorCode::unsupported) << error.what();
    }
  }
}

// A reader of a collection's changes: the clusters built from them, and the mark after the last change.
struct Follower {
  Groups groups;
  CollectionClusterMark mark;
  unsigned told = 0, resets = 0;  // in the last update

  void update(Collection& collection) {
    told = resets = 0;
    CollectionClusterOptions options;
    options.since = mark;
    const auto state = collection.update_clusters(options, [&](const CollectionClusterChange& change) {
      ++told;
      resets += change.what == CollectionClusterStep::reset ? 1 : 0;
      EXPECT_GT(change.state, mark.state);
      follow(change, groups);
    });
    EXPECT_EQ(told == 0, state.mark == mark);
    mark = state.mark;
    EXPECT_EQ(groups, groups_of(collection));
  }
};

TEST_F(ClustersTest, WhatIsReplacedByItsLikeIsNoChange) {
  const std::string text = "the quick brown fox jumps over the lazy dog and then it rests a while before it jumps again over the dog";
  History history(path_, with_texts(), 1);
  history.add({{"a", text}, {"b", text}, {"c", text}});
  Follower follower;
  follower.update(history.collection());
  EXPECT_EQ(follower.resets, 1U);
  history.add({{"b", text}});
  follower.update(history.collection());
  EXPECT_EQ(follower.told, 0U);
  EXPECT_EQ(history.collection()
                .clusters([](const CollectionCluster& cluster) {
                  EXPECT_EQ(cluster.documents, (Ids{"a", "c", "b"}));  // in the order of the last additions
                })
                .sequence,
            5U);
  follower.update(history.collection());
  EXPECT_EQ(follower.told, 0U);
  history.add({{"d", text}});
  follower.update(history.collection());
  EXPECT_EQ(follower.told, 1U);
  EXPECT_EQ(follower.mark.state, 2U);
}

// For both ways of copying a collection: a backup, and a copy of the directory.
TEST_F(ClustersTest, StatesOfARestoredCollectionAreNotTakenForThoseThatWereLost) {
  for (const bool backup : {true, false}) {
    const std::string path = path_ + (backup ? "backup" : "copy"), saved = path + ".saved";
    Collection::create(path, with_texts());
    Follower follower;
    const auto add = [](Collection& collection, const char* first, const char* second, const std::string& text) {
      const CollectionDocument documents[] = {{first, text}, {second, text}};
      collection.add(documents, Acknowledge::durable);
    };
    const std::string text = "the quick brown fox jumps over the lazy dog and then it rests a while before it jumps again over the dog";
    {
      Collection collection(path, Access::write);
      add(collection, "a", "b", text);
      follower.update(collection);
      if (backup) collection.backup(saved);
    }
    if (!backup) fs::copy(path, saved, fs::copy_options::recursive);
    {
      Collection collection(path, Access::write);
      add(collection, "c", "d", "a wholly different text about ships and harbours and the winds of the northern sea in late autumn");
      follower.update(collection);
      EXPECT_EQ(follower.resets, 0U);
    }
    fs::remove_all(path);
    fs::rename(saved, path);
    Collection collection(path, Access::write);
    add(collection, "m", "n", "shares of the three largest bakeries fell on tuesday after the price of flour had doubled within a month");
    EXPECT_EQ(collection.update_clusters().mark.state, follower.mark.state);  // the numbers are equal, but the clusters differ
    follower.update(collection);
    EXPECT_EQ(follower.resets, 1U);
    EXPECT_EQ(follower.groups.size(), 2U);
  }
}

TEST_F(ClustersTest, ADamagedFileOfThemStandsInNobodysWay) {
  History history(path_, with_texts(), 9);
  history.go_on(30, 100);
  Follower follower;
  follower.update(history.collection());
  const CollectionClusterMark before = follower.mark;
  std::ofstream(collection::clusters_path(path_), std::ios::binary) << "XX";
  EXPECT_THROW(history.collection().check(), Error);
  EXPECT_THROW(history.collection().clusters([](const CollectionCluster&) {}), Error);
  history.collection().backup(directory_ / "copy");
  EXPECT_FALSE(fs::exists(collection::clusters_path(directory_ / "copy")));
  Collection(directory_ / "copy", Access::read).check();
  follower.update(history.collection());
  EXPECT_EQ(follower.resets, 1U);
  EXPECT_EQ(follower.mark.state, before.state + 1);
  history.collection().check();
  // update_clusters() without a mark sends no reset that a caller would notice, so a note reports the damage.
  std::ofstream(collection::clusters_path(path_), std::ios::binary) << "XX";
  CollectionClusterOptions options;
  std::vector<std::string> notes;
  options.job.note = [&](const std::string& note) { notes.push_back(note); };
  history.collection().update_clusters(options);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("CLUSTERS"), std::string::npos);
}

TEST_F(ClustersTest, OfAnEarlierDayAreMadeAnew) {
  History history(path_, with_texts(), 9), other(path_ + "2", with_texts(), 10);
  history.go_on(30, 100);
  history.collection().update_clusters();
  other.go_on(3, 20);
  ASSERT_LT(other.collection().stats().next_sequence, history.collection().stats().next_sequence);
  fs::copy(collection::clusters_path(path_), collection::clusters_path(path_ + "2"));
  Follower follower;
  follower.mark = history.collection().clusters([](const CollectionCluster&) {}).mark;
  follower.groups = groups_of(history.collection());
  follower.update(other.collection());
  EXPECT_EQ(follower.resets, 1U);
  EXPECT_EQ(other.collection().clusters([](const CollectionCluster&) {}).sequence, other.collection().stats().next_sequence);
}

TEST_F(ClustersTest, OfADamagedRunAreRightOrAnError) {
  std::string run;
  {
    History history(path_, with_texts(), 4);
    history.go_on(12, 40);
    history.collection().compact();
    history.collection().close();
  }
  const auto groups = [&] {
    Collection collection(path_, Access::write);
    collection.update_clusters();
    return groups_of(collection);
  };
  const auto expected = groups();
  for (const auto& file : fs::directory_iterator(path_))
    if (file.path().extension() == ".table") run = file.path();
  ASSERT_FALSE(run.empty());
  std::string bytes;
  {
    std::ifstream in(run, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  Random random(1);
  unsigned errors = 0;
  for (unsigned i = 0; i < 100; ++i) {
    std::string rotten = bytes;
    // Over the iterations, every byte of the columns with ids and keys is damaged now and then.
    rotten[64 + random() % (rotten.size() / (i % 2 == 0 ? 1 : 8) - 64)] ^= static_cast<char>(1U << random() % 8);
    std::ofstream(run, std::ios::binary) << rotten;
    fs::remove(collection::clusters_path(path_));
    try {
      EXPECT_EQ(groups(), expected);
    } catch (const Error& error) {
      ++errors;
      EXPECT_FALSE(fs::exists(collection::clusters_path(path_))) << error.what();
      EXPECT_TRUE(error.code() == ErrorCode::format || error.code() == ErrorCode::unsupported || error.code() == ErrorCode::limit)
          << error.what();
    }
  }
  EXPECT_GT(errors, 50U);
}

// Any two partitions of numbered documents; some documents are replaced in between.
TEST(ClusterChanges, LeadFromAnyStateToAnyOther) {
  Random random(3);
  for (unsigned round = 0; round < 3000; ++round) {
    std::map<std::string, std::uint64_t> sequences;
    std::uint64_t next = 1;
    const unsigned documents = 2 + random() % 14, ways = 1 + random() % 6;
    const auto some_state = [&] {
      for (unsigned d = 0; d < documents; ++d)
        if (std::uint64_t& sequence = sequences["d" + std::to_string(d)]; sequence == 0 || random() % 5 == 0) sequence = next++;
      std::map<unsigned, std::vector<collection::ClusterMember>> groups;
      for (const auto& [id, sequence] : sequences)
        if (random() % 8 != 0) groups[random() % ways].push_back({0, sequence, id, false});
      std::vector<collection::ClusterMember> members;
      for (auto& [number, group] : groups) {
        if (group.size() < 2) continue;
        std::uint64_t least = ~0ULL;
        for (const auto& member : group) least = std::min(least, member.sequence);
        for (auto& member : group) member.cluster = least;
        group[random() % group.size()].kept = true;
        members.insert(members.end(), group.begin(), group.end());
      }
      std::sort(members.begin(), members.end());
      return members;
    };
    const auto groups_in = [](const std::vector<collection::ClusterMember>& members) {
      Groups out;
      for (const auto& member : members) out[member.cluster].insert(member.id);
      return out;
    };
    const auto before = some_state(), now = some_state();
    Groups told = groups_in(before);
    collection::cluster_changes(before, now, CollectionIds::text, [&](CollectionClusterChange& change) {
      const Groups then = groups_in(before), after = groups_in(now);
      if (change.what == CollectionClusterStep::split) {  // old id -> new ids
        ASSERT_TRUE(change.was && change.into.size() > 1);
        for (const std::uint64_t into : change.into)
          EXPECT_TRUE(std::ranges::any_of(after.at(into), [&](const auto& id) { return then.at(*change.was).contains(id); }));
      }
      follow(change, told);
    });
    ASSERT_EQ(told, groups_in(now)) << round;
  }
}

TEST(IdSort, OrdersWhatFitsAndWhatDoesNot) {
  Random random(1);
  std::vector<std::string> all;
  for (unsigned i = 0; i < 6'000; ++i) {
    std::string id(random() % (i % 100 == 0 ? 60'000 : 30), '\0');
    for (char& c : id) c = static_cast<char>(random() % 3 == 0 ? random() : 'a');
    all.push_back(id);
  }
  for (const std::uint64_t memory : {1ULL << 30U, 1ULL << 20U, 1ULL << 14U}) {
    const TemporaryDirectory directory;
    job::IdSort sort(directory / "ids-", memory);
    for (const std::string& id : all) sort.add(id);
    std::vector<std::string> got;
    sort.drain([&](std::string_view id) { got.emplace_back(id); });
    std::vector<std::string> wanted = all;
    std::sort(wanted.begin(), wanted.end());
    EXPECT_TRUE(got == wanted) << memory;
  }
}

}  // namespace
}  // namespace leitong
