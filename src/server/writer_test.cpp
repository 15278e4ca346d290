// What waits to be written: groups, errors, room.
// tiers: plain+sanitized
#include "server/writer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <future>
#include <latch>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "leitong/error.h"
#include "server/answer_pipe.h"
#include "server/unique_fingerprints.h"

namespace leitong::server {
namespace {

// A collection in memory, whose use can be held up and made to fail.
class Target : public WriteTarget {
 public:
  Target() : collection_(Collection::in_memory(options())) {}
  static CollectionOptions options() {
    CollectionOptions options;
    options.profile = load_profile("leitong-1");
    options.fingerprints_only = true;
    return options;
  }
  void with(const std::function<void(Collection&)>& use) override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return open_; });
    ++calls;
    if (fail) throw Error(ErrorCode::io, "the disk is full: No space left on device");
    use(collection_);
  }
  void reopen() override { ++reopened; }
  void let_go() {
    {
      const std::lock_guard lock(mutex_);
      open_ = true;
    }
    changed_.notify_all();
  }
  Collection& collection() { return collection_; }

  int calls = 0, reopened = 0;
  bool fail = false;

 private:
  Collection collection_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
};

Write write_of(const std::string& id, const std::string& text, std::function<void(Written, std::vector<Document>)> done) {
  Write write;
  write.documents.push_back({id, text, {}, {}});
  write.done = std::move(done);
  return write;
}

TEST(Writer, WritesWhatHasQueuedAtOnceAndInOrder) {
  Target target;
  Workers workers(2);
  WriteBudget budget(1 << 20);
  Metrics metrics;
  Writer writer("c", target, workers, budget, metrics);
  constexpr int requests = 50;
  std::latch done(requests);
  for (int i = 0; i < requests; ++i) {
    ASSERT_TRUE(budget.try_take(10));
    writer.write(write_of("d" + std::to_string(i), "a text of its own " + std::to_string(i),
                          [&](const Written& written, const auto& given) {
                            EXPECT_FALSE(written.failed);
                            EXPECT_EQ(given.size(), 1U);
                            done.count_down();
                          }),
                 10);
  }
  EXPECT_EQ(budget.taken(), 10U * requests);
  target.let_go();
  done.wait();
  workers.end();
  EXPECT_EQ(target.collection().stats().documents, static_cast<std::uint64_t>(requests));
  EXPECT_LE(target.calls, 2);  // the first may have been alone
  EXPECT_EQ(budget.taken(), 0U);
}

TEST(Writer, AnErrorOfTheDiskReachesAllOfTheGroupAndOpensTheCollectionAnew) {
  Target target;
  Workers workers(1);
  WriteBudget budget(1 << 20);
  Metrics metrics;
  Writer writer("c", target, workers, budget, metrics);
  target.fail = true;
  std::latch done(3);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(budget.try_take(10));
    writer.write(write_of("x", "y",
                          [&](const Written& written, const auto&) {
                            EXPECT_TRUE(written.failed);
                            done.count_down();
                          }),
                 10);
  }
  target.let_go();
  done.wait();
  workers.end();
  EXPECT_EQ(target.reopened, target.calls);
  EXPECT_EQ(budget.taken(), 0U);
}

TEST(Writer, ARequestThatIsWrongDoesNotFailItsNeighbours) {
  Target target;
  Workers workers(1);
  WriteBudget budget(1 << 20);
  Metrics metrics;
  Writer writer("c", target, workers, budget, metrics);
  std::latch done(3);
  std::atomic<int> failed{0};
  for (const std::string& id : {std::string("first"), std::string(70'000, 'x'), std::string("last")}) {  // the library takes no such id
    ASSERT_TRUE(budget.try_take(10));
    writer.write(write_of(id, "the words of " + id.substr(0, 5),
                          [&](const Written& written, const auto&) {
                            failed += written.failed ? 1 : 0;
                            done.count_down();
                          }),
                 10);
  }
  target.let_go();
  done.wait();
  workers.end();
  EXPECT_EQ(failed, 1);
  EXPECT_EQ(target.reopened, 0);
  EXPECT_EQ(target.collection().stats().documents, 2U);
}

// One after the other, by comparing each with everything.
class PlainUnique {
 public:
  explicit PlainUnique(unsigned k) : k_(k) {}
  // The outcome's result, and the distance to what it met.
  std::pair<std::string, unsigned> add(const std::string& id, const Fingerprint& fingerprint) {
    std::optional<unsigned> own, other;
    for (const auto& [there, one] : all_) {
      const unsigned bits = distance(one, fingerprint);
      std::optional<unsigned>& nearest = there == id ? own : other;
      if (bits <= k_ && (!nearest || bits < *nearest)) nearest = bits;
    }
    if (own) return {"present", *own};
    if (other) return {"duplicate", *other};
    const bool replaced = all_.contains(id);
    all_[id] = fingerprint;
    return {replaced ? "replaced" : "new", 0};
  }
  [[nodiscard]] const std::map<std::string, Fingerprint>& all() const { return all_; }

 private:
  unsigned k_;
  std::map<std::string, Fingerprint> all_;
};

std::string result_of(const CollectionOutcome& outcome) {
  if (outcome.match) return outcome.present ? "present" : "duplicate";
  return outcome.replaced ? "replaced" : "new";
}

// Few ids and few places from which bits are flipped, so that documents meet, replace and resemble each other in every order.
TEST(UniqueFingerprints, AreThoseOfAPlainLoop) {
  std::mt19937 random(7);
  std::set<std::string> seen;
  for (const std::optional<unsigned> k : {std::optional<unsigned>(), std::optional(0U), std::optional(6U)}) {
    Collection collection = Collection::in_memory(Target::options());
    PlainUnique plain(k.value_or(collection.options().k));
    CollectionQuery query;
    query.k = k;
    for (int call = 0; call < 60; ++call) {
      std::vector<Document> documents(1 + random() % 20);
      std::vector<const Document*> pointers;
      for (Document& one : documents) {
        Fingerprint fingerprint;
        fingerprint.words[0] = 0x9e3779b97f4a7c15ULL * (1 + random() % 12);
        for (unsigned flips = random() % 8; flips > 0; --flips) fingerprint.words[0] ^= 1ULL << random() % 64;
        one = {"d" + std::to_string(random() % 30), {}, {}, fingerprint};
        pointers.push_back(&one);
      }
      const auto outcomes = add_unique_fingerprints(collection, pointers, query);
      ASSERT_EQ(outcomes.size(), documents.size());
      for (std::size_t i = 0; i < documents.size(); ++i) {
        const auto [result, bits] = plain.add(documents[i].id, *documents[i].fingerprint);
        ASSERT_EQ(result_of(outcomes[i]), result) << call << " " << i;
        ASSERT_EQ(outcomes[i].added, !outcomes[i].match.has_value());
        seen.insert(result);
        if (!outcomes[i].match) continue;
        ASSERT_EQ(outcomes[i].match->distance, bits) << call << " " << i;
        EXPECT_FALSE(outcomes[i].match->verified);
      }
    }
    for (const auto& [id, fingerprint] : plain.all()) {
      const auto entry = collection.get(id);
      ASSERT_TRUE(entry) << id;
      EXPECT_EQ(entry->fingerprint, fingerprint) << id;
    }
    EXPECT_EQ(collection.stats().documents, plain.all().size());
  }
  EXPECT_EQ(seen, (std::set<std::string>{"duplicate", "new", "present", "replaced"}));
}

TEST(AnswerPipe, HandsOverInOrderAndWithBackPressure) {
  AnswerPipe pipe;
  std::string made, read;
  std::thread maker([&] {
    for (int i = 0; i < 100'000; ++i) {
      const std::string line = "line " + std::to_string(i) + " of what is made while it is read\n";
      pipe.put(line, i % 1000 == 0);
      made += line;
    }
    pipe.finish("end\n");
  });
  for (bool ended = false; !ended;) {
    std::promise<Stream::Step> next;
    pipe.take([&](Stream::Step step) { next.set_value(std::move(step)); });
    const Stream::Step step = next.get_future().get();
    EXPECT_LE(step.bytes.size(), (std::size_t{1} << 20) + 100);
    read += step.bytes;
    ended = step.ended;
  }
  maker.join();
  EXPECT_EQ(read, made + "end\n");
}

TEST(AnswerPipe, StopsWhoMakesWhenNobodyReads) {
  AnswerPipe pipe;
  std::atomic<bool> stopped{false};
  std::thread maker([&] {
    try {
      for (;;) pipe.put(std::string(1000, 'x'));
    } catch (const AnswerPipe::Stopped&) {
      stopped = true;
    }
    pipe.finish({});
  });
  pipe.stop();
  maker.join();
  EXPECT_TRUE(stopped);
}

TEST(AnswerPipe, AFailureIsTheAnswerOnlyIfNothingWasSaid) {
  for (const bool said : {false, true}) {
    AnswerPipe pipe;
    if (said) pipe.put("something\n");
    pipe.fail("why\n", Response{422});
    Stream::Step got;
    pipe.take([&](Stream::Step step) { got = std::move(step); });
    EXPECT_TRUE(got.ended);
    EXPECT_EQ(got.bytes, said ? "something\nwhy\n" : "");
    EXPECT_EQ(got.instead.has_value(), !said);
  }
}

TEST(WriteBudget, IsBoundedInBytes) {
  WriteBudget budget(100);
  EXPECT_TRUE(budget.try_take(1000));  // alone anything may pass
  EXPECT_FALSE(budget.try_take(1));
  budget.give_back(1000);
  EXPECT_TRUE(budget.try_take(60));
  EXPECT_FALSE(budget.try_take(60));
  std::vector<int> order;
  budget.take(60, [&] { order.push_back(1); });
  budget.take(10, [&] { order.push_back(2); });  // behind the first, though there is room for it
  EXPECT_FALSE(budget.try_take(1));
  EXPECT_TRUE(order.empty());
  budget.give_back(60);
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
  EXPECT_EQ(budget.taken(), 70U);
}

}  // namespace
}  // namespace leitong::server
