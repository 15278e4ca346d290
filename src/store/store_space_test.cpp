// A full disk, in twenty sizes from almost nothing to nearly enough. A write that does not fit gives an error that says so and is final for
// the writer; reading continues. Rows that were acknowledged as durable are found on the same full disk, also after a crash of the machine.
// Once there is space again, rows can be added.
#include <gtest/gtest.h>

#include "leitong/error.h"
#include "storage/bounded_vfs_test.h"
#include "store/store.h"
#include "store/store_model_test.h"

namespace leitong::store {
namespace {

using storage::BoundedVfs;
using storage::FaultVfs;

constexpr unsigned sizes = 20, step_count = 70;
constexpr const char* test_path = "s";
constexpr std::uint64_t unbounded = ~std::uint64_t{0};

// How the disk becomes full: which thread does the work, and at which operation the disk reports it.
struct Kind {
  const char* name;
  bool background, late;
};

class Script {
 public:
  Script(BoundedVfs& vfs, std::uint64_t seed, bool background) : vfs_(vfs), random_(seed) {
    shape_ = {.words = 1, .k = 3, .numeric_ids = seed % 2 == 0, .metadata = true, .texts = true};
    history_ = {Model{shape_, {}}};
    limits_.background = background;
    limits_.sync_seconds = 0;
    limits_.table_rows = 14;
    limits_.runs = 2;
    limits_.logs = 2;
    limits_.unsynced_bytes = 2000;
  }

  // Works until the disk is full. Returns whether that happened before the end.
  bool work() {
    try {
      Store::create(vfs_, test_path, shape_, "{}");
      created_ = true;
      store_ = std::make_unique<Store>(vfs_, test_path, Access::write, limits_);
      for (unsigned step = 0; step < step_count; ++step) one_step(step);
      store_->close();
      durable_ = history_.size() - 1;
      return false;
    } catch (const Error& error) {
      EXPECT_TRUE(is_no_space(error)) << error.what();
      return true;
    }
  }
  [[nodiscard]] bool created() const { return created_; }
  [[nodiscard]] bool opened() const { return store_ != nullptr; }
  [[nodiscard]] std::size_t durable() const { return durable_; }

  static bool is_no_space(const Error& error) {
    const std::string_view what = error.what();
    return error.code() == ErrorCode::io && what.find("No space left") != what.npos && what.find("free some space") != what.npos;
  }

  // After a failed write the writer must write nothing more, but everything must be readable.
  void expect_final_for_writer() {
    std::mt19937_64 random(1);
    const std::vector<Change> more{random_change(shape_, random, 30)};
    vfs_.set_capacity(unbounded);  // even with free space
    for (const auto& attempt : {std::function<void()>([&] { (void)store_->add(rows_of(more), Acknowledge::durable); }),
                                std::function<void()>([&] { store_->sync(); }), std::function<void()>([&] { store_->flush(); }),
                                std::function<void()>([&] { store_->compact(); }), std::function<void()>([&] { store_->close(); })}) {
      try {
        attempt();
        ADD_FAILURE() << "a writer goes on after a failed write";
      } catch (const Error& error) {
        EXPECT_TRUE(is_no_space(error)) << error.what();
      }
    }
    expect_kept(*store_);
    store_.reset();
  }

  // The store must hold a prefix of the tried batches, including all that were acknowledged as durable.
  std::size_t expect_kept(const Store& store) const {
    const Snapshot now = store.snapshot();
    const auto found = contents(shape_, now);
    for (std::size_t i = history_.size(); i-- > durable_;) {
      if (history_[i].rows != found) continue;
      std::mt19937_64 random(i);
      expect_same(history_[i], now, random);
      return i;
    }
    ADD_FAILURE() << "it holds " << found.size() << " rows, as no state from the durable one (" << durable_ << ") to "
                  << history_.size() - 1;
    return 0;
  }

  // What a machine with this disk finds: readers find everything; writers do too, or get an error that says what to do. With free space,
  // work continues.
  void expect_usable(BoundedVfs& disk, std::uint64_t capacity) const {
    disk.set_capacity(capacity);
    for (unsigned attempt = 0; attempt < 3; ++attempt) {
      expect_readable(disk);
      try {
        Store writer(disk, test_path, Access::write, limits_);
        expect_kept(writer);
        writer.close();
      } catch (const Error& error) {
        EXPECT_TRUE(is_no_space(error)) << error.what();
      }
    }
    disk.set_capacity(unbounded);
    std::mt19937_64 random(3);
    const std::vector<Change> more{random_change(shape_, random, 30), random_change(shape_, random, 30)};
    Model model;
    {
      Store writer(disk, test_path, Access::write, limits_);
      model = history_[expect_kept(writer)];
      apply(more, writer.add(rows_of(more), Acknowledge::durable), model);
      writer.compact();
      writer.check();
      writer.close();
    }
    const Store reader(disk, test_path, Access::read);
    EXPECT_EQ(contents(shape_, reader.snapshot()), model.rows);
    for (const std::string& name : disk.list(test_path)) EXPECT_FALSE(name.ends_with(".tmp")) << name << " was left";
  }
  void expect_readable(BoundedVfs& disk) const {
    const Store reader(disk, test_path, Access::read, limits_);
    expect_kept(reader);
    reader.check();
  }

 private:
  void one_step(unsigned step) {
    switch (random_() % 12) {
      case 0:
        store_->flush();
        break;
      case 1:
        store_->compact();
        break;
      case 2:
        store_->sync();
        break;
      case 3:
        return backup("b" + std::to_string(step));
      case 4:
        return open_again();
      default:
        return add();
    }
    durable_ = history_.size() - 1;
  }
  void open_again() {
    const std::unique_ptr<Store> last = std::move(store_);  // ends the writer, even if this test fails
    last->close();
    durable_ = history_.size() - 1;
    store_ = std::make_unique<Store>(vfs_, test_path, Access::write, limits_);
  }
  void add() {
    std::vector<Change> changes;
    for (std::uint64_t n = 1 + random_() % 4; n > 0; --n) changes.push_back(random_change(shape_, random_, 40));
    const bool durable = random_() % 2 == 0;
    Model model = history_.back();
    apply(changes, next_, model);
    next_ += changes.size();
    history_.push_back(std::move(model));
    EXPECT_EQ(store_->add(rows_of(changes), durable ? Acknowledge::durable : Acknowledge::buffered), next_ - changes.size());
    if (durable) durable_ = history_.size() - 1;
  }
  // A backup for which there is no space must not affect the writer.
  void backup(const std::string& path) {
    try {
      store_->backup(path);
      const Store copy(vfs_, path, Access::read);
      EXPECT_EQ(contents(shape_, copy.snapshot()), history_.back().rows);
    } catch (const Error& error) {
      EXPECT_TRUE(is_no_space(error)) << error.what();
      EXPECT_FALSE(vfs_.exists(manifest_path(path))) << "half a copy passes for one";
    }
    for (const std::string& name : vfs_.list(path)) vfs_.remove(path + "/" + name);
  }

  BoundedVfs& vfs_;
  std::mt19937_64 random_;
  Shape shape_;
  Limits limits_;
  std::unique_ptr<Store> store_;
  bool created_ = false;
  std::size_t durable_ = 0;
  std::uint64_t next_ = 1;
  std::vector<Model> history_;  // after each batch
};

class StoreSpace : public testing::TestWithParam<Kind> {};

TEST_P(StoreSpace, AFullDiskLosesNothing) {
  const unsigned seeds = GetParam().background ? 2 : 4;
  unsigned full = 0, durable = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    std::uint64_t enough = 0;
    {
      FaultVfs disk;
      BoundedVfs vfs(disk);
      Script script(vfs, seed, GetParam().background);
      ASSERT_FALSE(script.work());
      enough = vfs.peak();
    }
    for (unsigned size = 0; size < sizes; ++size) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", size " + std::to_string(size));
      const std::uint64_t capacity = 30 + enough * size / sizes;
      FaultVfs disk;
      BoundedVfs vfs(disk, capacity, GetParam().late);
      Script script(vfs, seed, GetParam().background);
      if (!script.work()) continue;  // with threads, the space needed differs from run to run
      ++full;
      if (!script.created()) {
        vfs.set_capacity(unbounded);
        ASSERT_FALSE(script.work()) << "what a failed create left stands in the way";
        continue;
      }
      if (script.opened()) script.expect_final_for_writer();
      if (script.durable() > 0) ++durable;
      for (std::uint64_t reboot = 0; reboot < 6; ++reboot) {
        const auto after = disk.after_crash(FaultVfs::Names::mixed, FaultVfs::Data::mixed, seed * 1000 + size * 10 + reboot);
        BoundedVfs bounded(*after, capacity, GetParam().late);
        script.expect_usable(bounded, capacity);
        if (HasFailure()) FAIL() << "reboot " << reboot;
      }
      script.expect_usable(vfs, capacity);
      if (HasFailure()) return;
    }
  }
  EXPECT_GE(full, seeds * sizes * 3 / 4);
  EXPECT_GE(durable, seeds * sizes / 2);
}
INSTANTIATE_TEST_SUITE_P(Kinds, StoreSpace,
                         testing::Values(Kind{"Alone", false, false}, Kind{"Threads", true, false}, Kind{"LateAlone", false, true},
                                         Kind{"LateThreads", true, true}),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace leitong::store
