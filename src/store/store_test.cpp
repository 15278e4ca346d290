#include "store/store.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "leitong/error.h"
#include "records/read_input_test.h"
#include "store/memtable.h"
#include "store/run_files.h"
#include "store/store_model_test.h"

namespace leitong::store {
namespace {

namespace fs = std::filesystem;

Limits small_limits(bool background) {
  Limits limits;
  limits.table_rows = 40;
  limits.runs = 3;
  limits.logs = 3;
  limits.sync_seconds = 0;
  limits.background = background;
  return limits;
}

const Shape shapes[] = {
    {.words = 1, .k = 3, .numeric_ids = true},
    {.words = 1, .k = 3, .metadata = true, .texts = true},
    {.words = 2, .k = 6, .sketches = true},
    {.words = 4, .k = 10, .numeric_ids = true, .sketches = true, .metadata = true, .texts = true},
};

// Adding, replacing, erasing, reading, flushing, compacting and opening again, in any order: the store and a map must agree.
TEST(Store, SaysWhatAMapSays) {
  const unsigned steps = std::getenv("LEITONG_FULL") != nullptr ? 240 : 60;
  for (const Shape& shape : shapes) {
    for (const bool background : {false, true}) {
      const TemporaryDirectory directory;
      const std::string path = directory / "store";
      Model model{shape, {}};
      std::mt19937_64 random(7 + shape.words + (background ? 1 : 0));
      Store::create(storage::posix_vfs(), path, shape, R"({"name":"test"})");
      auto store = std::make_unique<Store>(storage::posix_vfs(), path, Access::write, small_limits(background));
      Store reader(storage::posix_vfs(), path, Access::read);
      for (unsigned step = 0; step < steps; ++step) {
        std::vector<Change> changes;
        for (std::uint64_t n = 1 + random() % 12; n > 0; --n) changes.push_back(random_change(shape, random, 200));
        const auto first = store->add(rows_of(changes), random() % 2 == 0 ? Acknowledge::durable : Acknowledge::buffered);
        apply(changes, first, model);
        const auto action = random() % 24;
        if (action == 0) store->flush();
        if (action == 1) store->compact();
        if (action == 2) {
          if (random() % 2 == 0) store->close();
          store.reset();
          store = std::make_unique<Store>(storage::posix_vfs(), path, Access::write, small_limits(background));
        }
        if (action == 4 || action == 5) {
          Store::Load load = store->load();
          changes.clear();
          for (unsigned part = 0; part < 3; ++part) {
            std::vector<Change> more;
            for (unsigned i = 0; i < 30; ++i) more.push_back(random_change(shape, random, 200));
            load.add(rows_of(more));
            changes.insert(changes.end(), more.begin(), more.end());
          }
          EXPECT_THROW(store->add(rows_of(changes), Acknowledge::buffered), Error);
          EXPECT_THROW((void)store->load(), Error);
          ASSERT_NO_FATAL_FAILURE(expect_same(model, store->snapshot(), random)) << "step " << step;
          if (action == 4) apply(changes, load.commit(), model);
        }
        if (action == 3) {
          const std::string copy = directory / ("copy" + std::to_string(step));
          store->backup(copy);
          const Store copied(storage::posix_vfs(), copy, Access::read);
          copied.check();
          ASSERT_NO_FATAL_FAILURE(expect_same(model, copied.snapshot(), random));
        }
        if (step % 5 == 0) {
          ASSERT_NO_FATAL_FAILURE(expect_same(model, store->snapshot(), random)) << "step " << step;
        }
        if (step % 9 == 0) {
          store->sync();
          reader.refresh();
          ASSERT_NO_FATAL_FAILURE(expect_same(model, reader.snapshot(), random)) << "step " << step;
        }
      }
      store->check();
      EXPECT_EQ(store->about(), R"({"name":"test"})");
      store->compact();
      ASSERT_NO_FATAL_FAILURE(expect_same(model, store->snapshot(), random));
      EXPECT_EQ(store->stats().runs, 1U);
      EXPECT_EQ(store->stats().run_rows, model.rows.size());
    }
  }
}

TEST(Store, ASnapshotStaysWhatItWas) {
  const TemporaryDirectory directory;
  const Shape shape = shapes[1];
  Store::create(storage::posix_vfs(), directory / "s", shape, "{}");
  Store store(storage::posix_vfs(), directory / "s", Access::write, small_limits(false));
  std::mt19937_64 random(3);
  Model model{shape, {}};
  const auto step = [&] {
    std::vector<Change> changes;
    for (unsigned i = 0; i < 30; ++i) changes.push_back(random_change(shape, random, 60));
    apply(changes, store.add(rows_of(changes), Acknowledge::buffered), model);
  };
  for (unsigned i = 0; i < 3; ++i) step();
  const Model then = model;
  const Snapshot snapshot = store.snapshot();
  for (unsigned i = 0; i < 20; ++i) step();
  store.compact();
  ASSERT_NO_FATAL_FAILURE(expect_same(then, snapshot, random));
  ASSERT_NO_FATAL_FAILURE(expect_same(model, store.snapshot(), random));
}

// Indexes and keys can be made again from tables. A writer does so when it opens the store if a file is missing or ends wrongly, and in
// compact() if any byte is damaged.
TEST(Store, WhatTablesTellIsMadeAgain) {
  const Shape shape{.words = 1, .k = 3, .sketches = true, .keys = true};
  const KeysOf keys_of = [](const Row& row, std::vector<std::uint32_t>& keys) {
    keys.push_back(static_cast<std::uint32_t>(row.sketch.size()));
  };
  enum Damage { removed, cut_short, flipped };
  for (const Damage damage : {removed, cut_short, flipped}) {
    for (const char* ending : {".index", ".keys", ".table"}) {
      const TemporaryDirectory directory;
      const std::string path = directory / "s";
      Store::create(storage::posix_vfs(), path, shape, "{}");
      std::mt19937_64 random(17);
      Model model{shape, {}};
      {
        Store store(storage::posix_vfs(), path, Access::write, {}, keys_of);
        std::vector<Change> changes;
        for (unsigned i = 0; i < 800; ++i) changes.push_back(random_change(shape, random, 2000));
        apply(changes, store.add(rows_of(changes), Acknowledge::buffered), model);
        store.compact();
        store.close();
      }
      std::string file;
      for (const auto& entry : fs::directory_iterator(path))
        if (entry.path().extension() == ending) file = entry.path();
      ASSERT_NE(file, "");
      if (damage == removed) fs::remove(file);
      if (damage == cut_short) fs::resize_file(file, fs::file_size(file) - 1);
      if (damage == flipped) {
        std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
        const auto middle = static_cast<std::streamoff>(fs::file_size(file) / 3);
        bytes.seekg(middle);
        const int byte = bytes.get();
        bytes.seekp(middle);
        bytes.put(static_cast<char>(byte ^ 4));
      }
      const std::string what = std::string(ending) + ", damage " + std::to_string(damage);
      EXPECT_THROW(Store(storage::posix_vfs(), path, Access::read, {}, keys_of).check(), Error) << what;
      const auto repair = [&] {
        Store store(storage::posix_vfs(), path, Access::write, {}, keys_of);
        EXPECT_EQ(store.stats().repaired_runs, damage == flipped ? 0U : 1U) << what;
        store.compact();
        store.close();
      };
      if (std::string_view(ending) == ".table") {  // the table is the file from which the others are made
        EXPECT_THROW(repair(), Error) << what;
        continue;
      }
      repair();
      const Store store(storage::posix_vfs(), path, Access::read, {}, keys_of);
      store.check();
      ASSERT_NO_FATAL_FAILURE(expect_same(model, store.snapshot(), random)) << what;
      std::vector<Match> matches;
      bool truncated = false;
      const std::uint32_t key = 7;
      store.snapshot().find_keys({std::span(&key, 1), {}, {}}, 1000, matches, truncated);
      const auto has_key = [&](const auto& kept) { return kept.second.sketch.size() == key; };
      EXPECT_EQ(matches.size(), static_cast<std::size_t>(std::count_if(model.rows.begin(), model.rows.end(), has_key))) << what;
      EXPECT_EQ(storage::posix_vfs().list(path).size(), 5U) << what;  // LOCK, MANIFEST and the three files of a run
    }
  }
}

// A load that is not committed leaves no trace except a gap in the file numbers.
TEST(Store, ALoadThatIsGivenUpLeavesNothing) {
  const TemporaryDirectory directory;
  const Shape shape = shapes[1];
  Store::create(storage::posix_vfs(), directory / "s", shape, "{}");
  Store store(storage::posix_vfs(), directory / "s", Access::write, small_limits(true));
  std::mt19937_64 random(5);
  Model model{shape, {}};
  std::vector<Change> changes;
  for (unsigned i = 0; i < 100; ++i) changes.push_back(random_change(shape, random, 60));
  apply(changes, store.add(rows_of(changes), Acknowledge::buffered), model);
  store.compact();
  const auto names = storage::posix_vfs().list(directory / "s");
  const std::uint64_t next = store.stats().next_sequence;
  {
    Store::Load load = store.load();
    load.add(rows_of(changes));
    changes[0].id.clear();
    EXPECT_THROW(load.add(rows_of(changes)), Error);
  }
  EXPECT_EQ(storage::posix_vfs().list(directory / "s"), names);
  EXPECT_EQ(store.stats().next_sequence, next);
  ASSERT_NO_FATAL_FAILURE(expect_same(model, store.snapshot(), random));
  {
    Store::Load load = store.load();
    EXPECT_THROW(store.close(), Error);
    EXPECT_EQ(load.commit(), next);  // a load without rows
    EXPECT_THROW(load.commit(), Error);
    EXPECT_THROW(load.add({}), Error);
    changes.assign(1, random_change(shape, random, 60));
    apply(changes, store.add(rows_of(changes), Acknowledge::durable), model);
  }
  store.close();
  const Store again(storage::posix_vfs(), directory / "s", Access::read);
  ASSERT_NO_FATAL_FAILURE(expect_same(model, again.snapshot(), random));
}

TEST(Store, OneWriterAtATime) {
  const TemporaryDirectory directory;
  Store::create(storage::posix_vfs(), directory / "s", shapes[0], "{}");
  auto first = std::make_unique<Store>(storage::posix_vfs(), directory / "s", Access::write);
  EXPECT_THROW(Store(storage::posix_vfs(), directory / "s", Access::write), Error);
  first.reset();
  EXPECT_NO_THROW(Store(storage::posix_vfs(), directory / "s", Access::write));
  EXPECT_THROW(Store::create(storage::posix_vfs(), directory / "s", shapes[0], "{}"), Error);
  EXPECT_THROW(Store(storage::posix_vfs(), directory / "nothing", Access::read), Error);
}

TEST(Store, RefusesRowsThatAreNotOfItsShape) {
  const TemporaryDirectory directory;
  Store::create(storage::posix_vfs(), directory / "s", shapes[0], "{}");
  Store store(storage::posix_vfs(), directory / "s", Access::write, small_limits(false));
  const std::uint64_t word = 5;
  Row row;
  row.words = &word;
  row.flags = flags::fingerprint;
  row.id = "seven b";
  EXPECT_THROW(store.add(std::span(&row, 1), Acknowledge::durable), Error);
  const std::string id = bytes_of(1);
  row.id = id;
  row.text = "a text";
  EXPECT_THROW(store.add(std::span(&row, 1), Acknowledge::durable), Error);
  row.text = {};
  EXPECT_EQ(store.add(std::span(&row, 1), Acknowledge::durable), 1U);  // a refused call does not make the writer fail
}

// Writers in several threads share syncs; the rows of each call are stored together.
TEST(Store, ThreadsAddTogether) {
  const TemporaryDirectory directory;
  Store::create(storage::posix_vfs(), directory / "s", shapes[0], "{}");
  Limits limits = small_limits(true);
  limits.table_rows = 500;
  Store store(storage::posix_vfs(), directory / "s", Access::write, limits);
  std::atomic<bool> done = false;
  std::atomic<std::uint64_t> wrong = 0;
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (std::uint64_t i = 0; i < 300; ++i) {
          std::uint64_t words[2] = {t << 32U | i, t << 32U | i};
          const std::string ids[2] = {bytes_of(t * 1000000 + 2 * i), bytes_of(t * 1000000 + 2 * i + 1)};
          Row rows[2];
          for (unsigned r = 0; r < 2; ++r) {
            rows[r].id = ids[r];
            rows[r].words = &words[r];
            rows[r].flags = flags::fingerprint;
          }
          store.add(rows, i % 16 == 0 ? Acknowledge::durable : Acknowledge::buffered);
        }
      });
    }
    const std::jthread reader([&] {
      while (!done) {
        const Snapshot snapshot = store.snapshot();
        std::vector<Match> matches;
        const std::uint64_t query = 1ULL << 32U | 7;
        snapshot.find(std::span(&query, 1), 0, false, matches);
        if (matches.size() != 0 && matches.size() != 2) ++wrong;
      }
    });
    for (auto& thread : threads) thread.join();
    done = true;
  }
  EXPECT_EQ(wrong, 0U);
  store.flush();
  std::map<std::string, ModelRow> rows = contents(shapes[0], store.snapshot());
  EXPECT_EQ(rows.size(), 2400U);
}

TEST(Store, DamageIsFoundByCheck) {
  const TemporaryDirectory directory;
  const std::string path = directory / "s";
  Store::create(storage::posix_vfs(), path, shapes[1], "{}");
  {
    Store store(storage::posix_vfs(), path, Access::write, small_limits(false));
    std::mt19937_64 random(5);
    for (unsigned i = 0; i < 10; ++i) {
      std::vector<Change> changes;
      for (unsigned c = 0; c < 15; ++c) changes.push_back(random_change(shapes[1], random, 500));
      (void)store.add(rows_of(changes), Acknowledge::buffered);
    }
  }
  for (const auto& entry : fs::directory_iterator(path)) {
    if (entry.path().filename() == "LOCK") continue;
    std::string bytes(fs::file_size(entry.path()), '\0');
    const auto file = entry.path().string();
    {
      const auto in = storage::posix_vfs().open(file);
      in->read(0, std::as_writable_bytes(std::span(bytes)));
    }
    const auto write = [&](const std::string& content) {
      const auto out = storage::posix_vfs().create(file);
      out->append(std::as_bytes(std::span(content)));
      out->close();
    };
    std::mt19937_64 random(bytes.size());
    for (unsigned i = 0; i < 40; ++i) {
      std::string damaged = bytes;
      damaged[random() % bytes.size()] ^= static_cast<char>(1 << random() % 8);
      write(damaged);
      bool found = false;
      try {
        const Store store(storage::posix_vfs(), path, Access::read);
        store.check();
        // Zeros between chunks hold no data, so damage there need not be found.
        found = file.ends_with(".table") && contents(shapes[1], store.snapshot()).size() > 0;
      } catch (const Error& error) {
        found = true;
        EXPECT_TRUE(error.code() == ErrorCode::format || error.code() == ErrorCode::unsupported) << error.what();
      }
      EXPECT_TRUE(found) << file;
    }
    write(bytes);
    const Store whole(storage::posix_vfs(), path, Access::read);
    whole.check();
  }
}

Row row_of(const std::string& id, const std::uint64_t& word) {
  Row row;
  row.id = id;
  row.words = &word;
  row.flags = flags::fingerprint;
  return row;
}

TEST(Store, AnEndLosesNothingThatWasAcknowledged) {
  const TemporaryDirectory directory;
  for (unsigned round = 0; round < 20; ++round) {
    const std::string path = directory / ("s" + std::to_string(round));
    Store::create(storage::posix_vfs(), path, shapes[0], "{}");
    std::atomic<std::uint64_t> acknowledged = 0;
    {
      Store store(storage::posix_vfs(), path, Access::write, small_limits(true));
      {
        const std::jthread adder([&] {
          try {
            for (std::uint64_t i = 0;; ++i) {
              const std::string id = bytes_of(i);
              const Row row = row_of(id, i);
              (void)store.add(std::span(&row, 1), Acknowledge::buffered);
              acknowledged = i + 1;
            }
          } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
          }
        });
        while (acknowledged < 50) std::this_thread::yield();
        store.close();
      }
    }
    const Store store(storage::posix_vfs(), path, Access::read);
    EXPECT_EQ(contents(shapes[0], store.snapshot()).size(), acknowledged);
  }
}

TEST(Store, CheckBesideAWriterFindsNothing) {
  const TemporaryDirectory directory;
  const std::string path = directory / "s";
  Store::create(storage::posix_vfs(), path, shapes[0], "{}");
  Store store(storage::posix_vfs(), path, Access::write, small_limits(true));
  std::atomic<bool> done = false;
  const std::jthread adder([&] {
    for (std::uint64_t i = 0; !done; ++i) {
      const std::string id = bytes_of(i);
      const Row row = row_of(id, i);
      (void)store.add(std::span(&row, 1), Acknowledge::buffered);
    }
  });
  Store reader(storage::posix_vfs(), path, Access::read);
  for (unsigned i = 0; i < 30; ++i) {
    EXPECT_NO_THROW(reader.check());
    EXPECT_NO_THROW(reader.refresh());
  }
  done = true;
}

// An id that is replaced very often, read through an old snapshot and a new one.
TEST(Store, AHotIdCostsNoMoreThanOthers) {
  const TemporaryDirectory directory;
  Store::create(storage::posix_vfs(), directory / "s", shapes[0], "{}");
  Limits limits = small_limits(false);
  limits.table_rows = 1U << 20U;
  Store store(storage::posix_vfs(), directory / "s", Access::write, limits);
  const std::string id = bytes_of(1);
  const std::uint64_t word = 7;
  const std::vector<Row> rows(50000, row_of(id, word));
  (void)store.add(rows, Acknowledge::buffered);
  const Snapshot old = store.snapshot();
  (void)store.add(rows, Acknowledge::buffered);
  for (const Snapshot& snapshot : {old, store.snapshot()}) {
    std::vector<Match> matches;
    snapshot.find(std::span(&word, 1), 0, false, matches);
    ASSERT_EQ(matches.size(), 1U);
    EXPECT_EQ(matches[0].row.sequence, snapshot.visible());
    EXPECT_EQ(contents(shapes[0], snapshot).size(), 1U);
  }
}

// Keys of rows are those of the letters of their sketches; its first letter says which class a row is of.
std::uint32_t group_of_letter(char c) { return group_of(static_cast<std::uint32_t>(c) * 0x9e3779b1U); }
std::uint32_t class_of_sketch(std::string_view sketch) { return static_cast<std::uint32_t>(sketch.front()) % classes; }
void keys_of_letters(const Row& row, std::vector<std::uint32_t>& keys) {
  for (const char c : row.sketch) keys.push_back(group_of_letter(c) | class_of_sketch(row.sketch));
}

// Rows found by keys, compared with a linear search, in runs and in memory; replaced and erased rows are hidden, and each class of rows is
// found by as many keys as it must share.
TEST(Store, KeysFindWhatHasThem) {
  Shape shape{.words = 1, .k = 3};
  shape.sketches = shape.keys = true;
  const TemporaryDirectory directory;
  Store::create(storage::posix_vfs(), directory / "s", shape, "{}");
  Store store(storage::posix_vfs(), directory / "s", Access::write, small_limits(false), keys_of_letters);
  std::mt19937_64 random(11);
  Model model{shape, {}};
  std::size_t found_by_class = 0, refused_unseen = 0;
  for (unsigned step = 0; step < 60; ++step) {
    std::vector<Change> changes;
    for (unsigned c = 0; c < 8; ++c) {
      changes.push_back(random_change(shape, random, 120));
      if (changes.back().row) {
        changes.back().row->sketch.clear();
        for (auto k = random() % 9; k > 0; --k) changes.back().row->sketch += static_cast<char>('a' + random() % 14);
      }
    }
    apply(changes, store.add(rows_of(changes), Acknowledge::buffered), model);
    if (step == 40) store.compact();
    const std::string letters = "cdefghi";
    const std::vector<std::uint32_t> any = {group_of_letter(static_cast<char>('a' + random() % 14)) |
                                            static_cast<std::uint32_t>(random() % classes)};
    std::vector<std::uint32_t> some;
    for (const char c : letters) some.push_back(group_of_letter(c));
    WantedKeys wanted{any, some, {}};
    for (auto& needed : wanted.needed) needed = static_cast<std::uint32_t>(random() % (letters.size() + 1));
    const auto shared = [&](std::string_view sketch) {
      return static_cast<std::size_t>(std::count_if(letters.begin(), letters.end(), [&](char c) { return sketch.find(c) != sketch.npos; }));
    };
    const auto has_any = [&](std::string_view sketch) {
      return std::any_of(sketch.begin(), sketch.end(), [&](char c) { return (group_of_letter(c) | class_of_sketch(sketch)) == any[0]; });
    };
    std::vector<Match> matches;
    bool truncated = false;
    store.snapshot().find_keys(wanted, 1000, matches, truncated);
    EXPECT_FALSE(truncated);
    std::map<std::uint64_t, bool> found;
    for (const Match& m : matches) EXPECT_TRUE(found.emplace(m.row.sequence, true).second) << "a row came twice";
    for (const auto& [id, row] : model.rows) {
      if (row.sketch.empty()) continue;
      const std::uint32_t needed = wanted.needed[class_of_sketch(row.sketch)];
      const std::size_t count = shared(row.sketch);
      if (has_any(row.sketch) || (needed > 0 && count >= letters.size() - needed + 1)) {
        EXPECT_TRUE(found.contains(row.sequence));
        found_by_class += has_any(row.sketch) ? 0 : 1;
      } else if (needed == 0 || count == 0) {
        EXPECT_FALSE(found.contains(row.sequence));
      } else {
        refused_unseen += found.contains(row.sequence) ? 0 : 1;
      }
    }
    store.snapshot().find_keys(wanted, 2, matches, truncated);
    EXPECT_LE(matches.size(), 2U);
    EXPECT_TRUE(truncated || matches.size() == found.size());
    // Of the same rows, in the same order, it is told no less than what they share, whether all have room or not.
    for (const std::size_t most : {1000, 7, 2}) {
      std::vector<Match> plain, worthy;
      bool also_truncated = false;
      const Snapshot snapshot = store.snapshot();
      snapshot.find_keys(wanted, most, plain, truncated);
      const auto worth = [&](const Row& row, const MetKeys& met) {
        EXPECT_GE(met.most(class_of_sketch(row.sketch)), shared(row.sketch));
        return shared(row.sketch) >= 3;
      };
      EXPECT_LE(snapshot.find_keys(wanted, most, worthy, also_truncated, worth), most);
      EXPECT_EQ(truncated, also_truncated);
      std::erase_if(plain, [&](const Match& m) { return shared(m.row.sketch) < 3; });
      ASSERT_EQ(plain.size(), worthy.size());
      for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_EQ(plain[i].row.sequence, worthy[i].row.sequence);
    }
  }
  EXPECT_GT(found_by_class, 100U);
  EXPECT_GT(refused_unseen, 100U);
  store.check();
}

// The file of postings, compared with a plain list: long and short lists, all classes of a group, groups that are not there.
TEST(Postings, ListsAreThoseOfAPlainList) {
  const TemporaryDirectory directory;
  std::mt19937 random(5);
  for (const std::uint32_t rows : {0U, 1U, 9U, 3000U}) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> plain;
    std::vector<std::uint64_t> postings;
    for (std::uint32_t row = 0; row < rows; ++row) {
      for (unsigned k = 0; k < 12; ++k) {
        const std::uint32_t group = k < 2   ? 0xfffffff8U
                                    : k < 6 ? static_cast<std::uint32_t>(random() % 40) * 0x06543218U
                                            : static_cast<std::uint32_t>(random());
        const std::uint32_t key = group_of(group) | static_cast<std::uint32_t>(random() % classes);
        postings.push_back(std::uint64_t{key} << 32U | row);
        if (plain[key].empty() || plain[key].back() != row) plain[key].push_back(row);
      }
    }
    const std::string path = directory / "p" + std::to_string(rows);
    write_postings(storage::posix_vfs(), path, postings);
    const Postings file(storage::posix_vfs(), path, rows);
    file.verify();
    EXPECT_EQ(file.size(), postings.size());
    std::vector<std::uint32_t> keys = {0, 7, 8, 0x80000000U, 0xffffffffU};
    for (const auto& [key, list] : plain) keys.push_back(key);
    for (const std::uint32_t key : keys) {
      std::size_t all = 0;
      const Postings::Lists lists = file.lists_of(group_of(key));
      for (std::uint32_t c = 0; c < classes; ++c) {
        const auto& wanted = plain[group_of(key) | c];
        EXPECT_TRUE(std::ranges::equal(lists[c], wanted)) << key;
        EXPECT_TRUE(std::ranges::equal(file.rows_of(group_of(key) | c), wanted)) << key;
        all += wanted.size();
      }
      EXPECT_GE(file.length_of(group_of(key)), all);
    }
  }
}

std::vector<std::uint32_t> followed(const Memtable& table, std::uint32_t key, std::uint32_t visible) {
  std::vector<std::uint32_t> chains, rows;
  const std::uint32_t group = group_of(key);
  table.find_groups(std::span(&group, 1), chains);
  table.follow(chains[0], [&](const Memtable::Posted& posted) {
    if (posted.key_class == class_of(key) && posted.row < visible) rows.push_back(posted.row);
    return true;
  });
  return rows;
}

TEST(Memtable, PostingsAndTheirCountsAreThoseOfPlainLists) {
  Shape shape;
  shape.sketches = shape.keys = true;
  Memtable table(shape, keys_of_letters, 1);
  std::mt19937 random(1);
  std::map<std::uint32_t, std::vector<std::uint32_t>> plain;  // by key
  std::map<std::uint32_t, std::size_t> lengths;               // by group
  for (std::uint32_t number = 0; number < 1000; ++number) {
    const std::string id = "d" + std::to_string(number);
    std::string sketch;
    for (char c = 'a'; c < 'm'; ++c)
      if (random() % (1U << static_cast<unsigned>(c - 'a')) == 0) sketch += c;
    Row row;
    row.id = id, row.key = key_of(shape, id), row.sketch = sketch;
    std::vector<std::uint32_t> keys;
    keys_of_letters(row, keys);
    for (const std::uint32_t key : keys) plain[key].insert(plain[key].begin(), number), ++lengths[group_of(key)];
    table.add(row);
    if (number % 37 != 0) continue;
    for (const auto& [key, rows] : plain) EXPECT_EQ(followed(table, key, number + 1), rows);
    for (const auto& [group, length] : lengths) {
      std::vector<std::uint32_t> chains;
      table.find_groups(std::span(&group, 1), chains);
      EXPECT_EQ(table.length_of(chains[0]), length);
      std::size_t some = 0;
      table.follow(chains[0], [&](const Memtable::Posted&) { return ++some < 3; });
      EXPECT_EQ(some, std::min<std::size_t>(length, 3));
    }
  }
  EXPECT_EQ(followed(table, group_of_letter('z'), 1000).size(), 0U);
}

TEST(Memtable, PostingsAreReadWhileTheyGrow) {
  static constexpr std::uint32_t key = 13, last = 20000;
  Shape shape;
  shape.keys = true;
  Memtable table(shape, [](const Row&, std::vector<std::uint32_t>& keys) { keys.push_back(key); }, 1);
  std::jthread reader([&] {
    for (std::uint32_t before = 0, visible = 0; visible < last;) {
      visible = table.rows();
      std::vector<std::uint32_t> chains;
      const std::uint32_t group = group_of(key);
      table.find_groups(std::span(&group, 1), chains);
      const std::uint32_t count = table.length_of(chains[0]);
      EXPECT_GE(count, std::max(before, visible));
      before = count;
      std::uint32_t next = visible;  // every row of a moment, the newest first, once
      table.follow(chains[0], [&](const Memtable::Posted& posted) { return posted.row >= visible || posted.row == --next; });
      EXPECT_EQ(next, 0U);
    }
  });
  for (std::uint32_t number = 0; number < last; ++number) {
    const std::string id = bytes_of(number);
    Row row;
    row.id = id, row.key = key_of(shape, id);
    table.add(row);
    table.publish();
  }
}

TEST(Store, StrangersAndStraysInTheDirectory) {
  const TemporaryDirectory directory;
  const std::string path = directory / "s";
  Store::create(storage::posix_vfs(), path, shapes[0], "{}");
  for (const char* name : {"run-000999.table", "run-000999.table.tmp", "log-000500.log", "MANIFEST.tmp", "notes.txt", "run-tests.sh",
                           "log-book.txt", "run-2026.csv", "run-000001.table.bak"})
    storage::posix_vfs().create(path + "/" + name)->close();
  {
    const Store store(storage::posix_vfs(), path, Access::write, small_limits(false));
  }
  std::vector<std::string> names = storage::posix_vfs().list(path);
  EXPECT_EQ(names, (std::vector<std::string>{"LOCK", "MANIFEST", "log-book.txt", "notes.txt", "run-000001.table.bak", "run-2026.csv",
                                             "run-tests.sh"}));
  // A collection without its MANIFEST must not be taken for an empty directory.
  storage::posix_vfs().create(path + "/run-000007.table")->close();
  storage::posix_vfs().remove(path + "/MANIFEST");
  EXPECT_THROW(Store::create(storage::posix_vfs(), path, shapes[0], "{}"), Error);
}

}  // namespace
}  // namespace leitong::store
