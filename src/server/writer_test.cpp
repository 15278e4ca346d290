// What waits to be written: groups, errors, room.
// tiers: plain+sanitized
#include "server/writer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <latch>

#include "leitong/error.h"

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
