// Every allocation of every operation of a store fails once, alone and with all that follow: the caller gets std::bad_alloc or an error
// (not one of damage), an answer that is given is right, nothing leaks (the leak sanitizer sees that), hangs or crashes; and the next who
// opens the store finds what was acknowledged and no half of anything.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "leitong/error.h"
#include "memory/failing_new.h"
#include "storage/vfs.h"
#include "store/store.h"
#include "store/store_model_test.h"

namespace leitong::store {
namespace {

namespace fs = std::filesystem;

const char* at_work = "";
std::uint64_t at_point = 0;
void tell_hang(int) {
  char text[200];
  const int size = std::snprintf(text, sizeof text, "store_memory_test: %s hangs when allocation %llu fails\n", at_work,
                                 static_cast<unsigned long long>(at_point));
  if (size > 0 && ::write(2, text, static_cast<std::size_t>(size)) < 0) std::abort();
  std::abort();
}

void keys_of(const Row& row, std::vector<std::uint32_t>& keys) {
  for (const char c : row.text.substr(0, 2)) keys.push_back(static_cast<std::uint32_t>(c) * 0x9e3779b1U);
}

Limits limits_of(bool background) {
  Limits limits;
  limits.background = background;
  limits.sync_seconds = 0;
  limits.table_rows = 8;
  limits.runs = 2;
  limits.logs = 2;
  return limits;
}

// What an operation works on. `store` is open for what is not about opening.
struct Bench {
  Shape shape;
  std::string path;
  Limits limits;
  std::unique_ptr<Store> store, reader;
  std::vector<std::map<std::string, ModelRow>> states;  // that may be found afterwards, and
  std::size_t durable = 0;                              // the first of them that keeps all promises
  Model model;
  std::uint64_t next = 0;

  // A batch that is prepared before memory fails, and may be found from now on.
  struct Batch {
    std::vector<Change> changes;
    std::vector<Row> rows;
  };
  Batch prepare(std::mt19937_64& random, std::size_t count) {
    Batch batch;
    for (std::size_t i = 0; i < count; ++i) batch.changes.push_back(random_change(shape, random, 14));
    batch.rows = rows_of(batch.changes);
    apply(batch.changes, next, model);
    next += count;
    states.push_back(model.rows);
    return batch;
  }
};

struct Operation {
  const char* name;
  // What must be ready before memory fails; the result is what is done then.
  std::function<std::function<void()>(Bench&)> prepare;
  bool background = false, opens_itself = false, allocates = true;
};

std::vector<std::uint64_t> queries_of() { return {0, 0x0123456789abcdefU, 5 * 0x0123456789abcdefU}; }

// Answers given while memory fails are those given before.
template <typename Ask>
std::function<void()> same_answer(Ask ask) {
  return [ask, wanted = ask()] {
    const auto got = ask();
    memory::disarm();
    EXPECT_EQ(got, wanted);
  };
}
std::vector<std::uint64_t> sequences(const std::vector<Match>& matches) {
  std::vector<std::uint64_t> all;
  for (const Match& m : matches) all.push_back(m.row.sequence);
  std::sort(all.begin(), all.end());
  return all;
}

std::function<void()> adding(Bench& bench, std::size_t batches, std::size_t rows, Acknowledge acknowledge) {
  std::mt19937_64 random(batches + rows);
  auto all = std::make_shared<std::vector<Bench::Batch>>();
  for (std::size_t b = 0; b < batches; ++b) all->push_back(bench.prepare(random, rows));
  return [all, &bench, acknowledge] {
    for (const Bench::Batch& batch : *all) {
      bench.store->add(batch.rows, acknowledge);
      if (acknowledge == Acknowledge::durable) ++bench.durable;
    }
  };
}

const Operation operations[] = {
    {"create",
     [](Bench& b) -> std::function<void()> {
       fs::remove_all(b.path);
       b.states = {{}};
       return [&b] { Store::create(storage::posix_vfs(), b.path, b.shape, "{}"); };
     },
     false, true},
    {"open and recover",
     [](Bench& b) -> std::function<void()> {
       return [&b] { b.store = std::make_unique<Store>(storage::posix_vfs(), b.path, Access::write, b.limits, keys_of); };
     },
     false, true},
    {"open and recover with threads",
     [](Bench& b) -> std::function<void()> {
       return [&b] { b.store = std::make_unique<Store>(storage::posix_vfs(), b.path, Access::write, b.limits, keys_of); };
     },
     true, true},
    {"open to read",
     [](Bench& b) -> std::function<void()> {
       return [&b] { b.reader = std::make_unique<Store>(storage::posix_vfs(), b.path, Access::read, b.limits, keys_of); };
     },
     false, true},
    {"add durable", [](Bench& b) { return adding(b, 1, 3, Acknowledge::durable); }},
    {"add buffered, then sync",
     [](Bench& b) -> std::function<void()> {
       return [add = adding(b, 2, 2, Acknowledge::buffered), &b] {
         add();
         b.store->sync();
         b.durable = b.states.size() - 1;
       };
     }},
    {"add until it flushes and merges", [](Bench& b) { return adding(b, 3, 6, Acknowledge::durable); }},
    {"add with threads", [](Bench& b) { return adding(b, 4, 6, Acknowledge::durable); }, true},
    {"flush", [](Bench& b) -> std::function<void()> { return [&b] { b.store->flush(); }; }},
    {"compact", [](Bench& b) -> std::function<void()> { return [&b] { b.store->compact(); }; }},
    {"compact with threads", [](Bench& b) -> std::function<void()> { return [&b] { b.store->compact(); }; }, true},
    {"close", [](Bench& b) -> std::function<void()> { return [&b] { b.store->close(); }; }},
    {"check", [](Bench& b) -> std::function<void()> { return [&b] { b.store->check(); }; }},
    {"backup",
     [](Bench& b) -> std::function<void()> {
       fs::remove_all(b.path + "-copy");
       return [&b, to = b.path + "-copy"] {
         b.store->backup(to);
         memory::disarm();
         const Store copy(storage::posix_vfs(), to, Access::read);
         EXPECT_EQ(contents(b.shape, copy.snapshot()), b.states.back());
       };
     }},
    {"get", [](Bench& b) { return same_answer([&b] { return b.store->snapshot().get(id_of(b.shape, 3)).has_value(); }); }, false, false,
     false},
    {"find",
     [](Bench& b) {
       return same_answer([&b] {
         std::vector<Match> matches;
         b.store->snapshot().find(queries_of(), 3, true, matches);
         return sequences(matches);
       });
     }},
    {"find by keys",
     [](Bench& b) {
       return same_answer([&b] {
         std::vector<Match> matches;
         bool truncated = false;
         const std::vector<std::uint32_t> any{static_cast<std::uint32_t>('a') * 0x9e3779b1U, static_cast<std::uint32_t>('k') * 0x9e3779b1U};
         const std::vector<std::uint32_t> some{group_of(any[0]), group_of(any[1])};
         b.store->snapshot().find_keys({any, some, {2, 2, 2, 2, 2, 2, 2, 2}}, 100, matches, truncated);
         return sequences(matches);
       });
     }},
    {"scan",
     [](Bench& b) {
       return same_answer([&b] {
         const Snapshot now = b.store->snapshot();
         const auto rows = now.scan();
         std::uint64_t sum = 0;
         for (Row row; rows->next(row);) sum = sum * 31 + row.sequence;
         return sum;
       });
     }},
    {"scan in sequence",
     [](Bench& b) {
       return same_answer([&b] {
         std::uint64_t sum = 0;
         b.store->snapshot().visit_in_sequence([&](const Row& row) { sum = sum * 31 + row.sequence; });
         return sum;
       });
     }},
    {"refresh by following",
     [](Bench& b) -> std::function<void()> {
       b.reader = std::make_unique<Store>(storage::posix_vfs(), b.path, Access::read, b.limits, keys_of);
       adding(b, 1, 2, Acknowledge::durable)();
       return [&b] { b.reader->refresh(); };
     }},
    {"refresh anew",
     [](Bench& b) -> std::function<void()> {
       b.reader = std::make_unique<Store>(storage::posix_vfs(), b.path, Access::read, b.limits, keys_of);
       b.store->compact();
       return [&b] { b.reader->refresh(); };
     }},
};

class StoreMemory : public testing::TestWithParam<Operation> {
 protected:
  StoreMemory() {
    const fs::path base = fs::exists("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path();
    std::string name = (base / "leitong-memory-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
    root_ = name;
    prepare();
    struct sigaction action{};
    action.sa_handler = tell_hang;
    ::sigaction(SIGALRM, &action, nullptr);
  }
  ~StoreMemory() override {
    ::alarm(0);
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }

  // A store with runs, a sealed log and an open one, as a killed writer leaves it.
  void prepare() {
    shape_ = {.words = 1, .k = 3, .metadata = true, .texts = true, .keys = true};
    model_ = {shape_, {}};
    const std::string path = root_ + "/made";
    Store::create(storage::posix_vfs(), path, shape_, "{}");
    Limits limits = limits_of(false);
    for (unsigned round = 0; round < 2; ++round) {
      Store store(storage::posix_vfs(), path, Access::write, limits, keys_of);
      std::mt19937_64 random(round);
      for (unsigned i = 0; i < 4; ++i) {
        std::vector<Change> changes;
        for (unsigned c = 0; c < 3; ++c) changes.push_back(random_change(shape_, random, 14));
        next_ = store.add(rows_of(changes), Acknowledge::durable);
        apply(changes, next_, model_);
        next_ += changes.size();
      }
      if (round == 1) fs::copy(path, root_ + "/base", fs::copy_options::recursive);
    }
  }
  Bench fresh(bool background) const {
    Bench bench;
    bench.shape = shape_;
    bench.path = root_ + "/s";
    bench.limits = limits_of(background);
    bench.model = model_;
    bench.next = next_;
    bench.states = {model_.rows};
    fs::remove_all(bench.path);
    fs::copy(root_ + "/base", bench.path, fs::copy_options::recursive);
    return bench;
  }

  // Whether memory failed at all: else the operation has been seen to its end.
  bool try_point(const Operation& operation, std::uint64_t point, bool all) {
    at_work = operation.name;
    at_point = point;
    ::alarm(60);
    Bench bench = fresh(operation.background);
    if (!operation.opens_itself)
      bench.store = std::make_unique<Store>(storage::posix_vfs(), bench.path, Access::write, bench.limits, keys_of);
    {
      const std::function<void()> job = operation.prepare(bench);
      memory::arm(point, all);
      try {
        job();
      } catch (const std::bad_alloc&) {
      } catch (const Error& error) {
        memory::disarm();
        EXPECT_NE(error.code(), ErrorCode::format) << error.what();
        EXPECT_NE(error.code(), ErrorCode::unsupported) << error.what();
      }
      if (all && point % 2 == 1) end(bench);  // the end of a store without memory
      memory::disarm();
    }
    const bool failed = memory::failures() > 0;
    if (bench.store) go_on(bench);
    end(bench);
    expect_kept(bench);
    return failed;
  }
  static void end(Bench& bench) {
    bench.reader.reset();
    bench.store.reset();
  }
  // A writer takes more, or says that it does not; what it shows is right in any case.
  static void go_on(Bench& bench) {
    expect_state(bench, *bench.store, 0);
    std::mt19937_64 random(99);
    const Bench::Batch batch = bench.prepare(random, 1);
    try {
      bench.store->add(batch.rows, Acknowledge::durable);
      bench.states.erase(bench.states.begin(), bench.states.end() - 1);
      if (bench.states.size() > 1) ADD_FAILURE();
      bench.durable = 0;
      // A batch before it that failed may be there or not; what is there now says which.
      bench.states[0] = contents(bench.shape, bench.store->snapshot());
      const auto wanted = bench.states[0].find(batch.changes[0].id);
      EXPECT_EQ(wanted != bench.states[0].end(), batch.changes[0].row.has_value());
    } catch (const Error& error) {
      EXPECT_TRUE(error.code() == ErrorCode::io || error.code() == ErrorCode::usage) << error.what();  // usage: it was closed
    }
  }
  static void expect_state(const Bench& bench, const Store& store, std::size_t first) {
    const auto found = contents(bench.shape, store.snapshot());
    const auto state = std::find(bench.states.begin() + static_cast<std::ptrdiff_t>(first), bench.states.end(), found);
    EXPECT_TRUE(state != bench.states.end()) << "it holds " << found.size() << " rows, as no state that may be found";
  }
  void expect_kept(const Bench& bench) {
    if (!fs::exists(manifest_path(bench.path))) {
      EXPECT_STREQ(at_work, "create");
      Store::create(storage::posix_vfs(), bench.path, shape_, "{}");  // what a failed one left does not stand in its way
    }
    {
      const Store reader(storage::posix_vfs(), bench.path, Access::read, bench.limits, keys_of);
      expect_state(bench, reader, bench.durable);
    }
    if (at_point % 3 != 0) return;  // to write, where a reader has found all, is tried less often
    Store writer(storage::posix_vfs(), bench.path, Access::write, limits_of(false), keys_of);
    expect_state(bench, writer, bench.durable);
    writer.check();
    writer.close();
  }

  std::string root_;
  Shape shape_;
  Model model_;
  std::uint64_t next_ = 1;
};

TEST_P(StoreMemory, FailsAtEveryAllocation) {
  for (const bool all : {false, true}) {
    // Memory that stays gone is tried at every eleventh point only, unless there is time.
    const std::uint64_t step = all && std::getenv("LEITONG_FULL") == nullptr ? 11 : 1;
    std::uint64_t points = 0;
    // A thread may allocate before or after the operation ends: several points in a row without a failure are the end.
    for (unsigned without = 0; without < (GetParam().background ? 3U : 1U); points += step) {
      without = try_point(GetParam(), points, all) ? 0 : without + 1;
      if (HasFailure()) FAIL() << GetParam().name << (all ? ", all from allocation " : ", allocation ") << points;
    }
    std::printf("fails at %llu allocations%s\n", static_cast<unsigned long long>(points / step - 1), all ? " and all behind" : "");
    EXPECT_EQ(points > step, GetParam().allocates);
  }
}
INSTANTIATE_TEST_SUITE_P(Operations, StoreMemory, testing::ValuesIn(operations), [](const auto& operation) {
  std::string name = operation.param.name;
  std::erase_if(name, [](char c) { return c == ' ' || c == ','; });
  return name;
});

}  // namespace
}  // namespace leitong::store
