// For tests: works on a store until something fails, and checks what is found afterwards.
//
// A run of the harness is a script of operations (chosen by a seed) on a FaultVfs with planned faults. The harness records the history of
// batches that were tried, and how many of them were acknowledged as durable. After a crash the store must open and hold exactly the rows
// of a prefix of that history which includes at least the durable batches: no acknowledged row is lost, no row appears that was never
// added, and no batch is there in part. The store must also accept new rows, and hold them after a second crash.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "storage/fault_vfs_test.h"
#include "store/store.h"
#include "store/store_model_test.h"

namespace leitong::store {

using storage::FaultVfs;

class CrashHarness {
 public:
  explicit CrashHarness(std::uint64_t seed) : random_(seed), shape_(shape_of(seed)) {
    limits_.background = false;
    limits_.sync_seconds = 0;
    limits_.table_rows = static_cast<std::uint32_t>(6 + seed % 7);
    limits_.runs = 2 + seed % 2;
    limits_.logs = 2;
    limits_.unsynced_bytes = 400;
    digests_ = {0};
  }

  // Runs the script up to the first failure. Returns whether it was completed.
  bool work(storage::Vfs& vfs, unsigned steps) {
    try {
      Store::create(vfs, test_path, shape_, "{}");
      created_ = true;
      open(vfs);
      for (unsigned step = 0; step < steps; ++step) one_step(vfs);
      store_->close();
      durable_ = digests_.size() - 1;
      store_.reset();
      return true;
    } catch (...) {
      store_.reset();
      return false;
    }
  }
  // Runs a script after an error that was not a crash: the next writer opens the same files.
  bool work_on(storage::Vfs& vfs, unsigned steps) {
    try {
      if (!created_) return false;
      if (!settle(vfs)) return false;
      for (unsigned step = 0; step < steps; ++step) one_step(vfs);
      store_.reset();
      return true;
    } catch (...) {
      store_.reset();
      return false;
    }
  }

  // Opens a store and closes it, as far as that succeeds.
  void repair(storage::Vfs& vfs) const {
    try {
      Store store(vfs, test_path, Access::write, limits_);
      store.close();
    } catch (...) {
    }
  }

  // Opens a store after a fault, and returns what is wrong with it; empty if nothing is. With `go_on` it also adds rows.
  [[nodiscard]] std::string verdict(storage::Vfs& vfs, bool go_on) const {
    try {
      if (!vfs.exists(manifest_path(test_path))) return created_ ? "the store is gone" : "";
      std::size_t found = 0;
      {
        Store store(vfs, test_path, Access::write, limits_);
        if (store.stats().repaired_runs > 0) return "an index had to be made again";
        const std::optional<std::size_t> prefix = prefix_of(store.snapshot());
        if (!prefix) return "it holds what was never there";
        if (*prefix < durable_)
          return "it lost acknowledged rows: " + std::to_string(*prefix) + " of " + std::to_string(durable_) + " batches";
        if (!go_on) return "";
        found = *prefix;
        // The store must accept rows, and must hold them when it is opened again.
        std::mt19937_64 random(found);
        std::vector<Change> changes{random_change(shape_, random, 30)};
        if (store.add(rows_of(changes), Acknowledge::durable) != sequences_[found]) return "it numbers rows anew";
      }
      const Store again(vfs, test_path, Access::read, limits_);
      std::mt19937_64 random(found);
      Model model = models_[found];
      apply({random_change(shape_, random, 30)}, sequences_[found], model);
      if (digest_of(again.snapshot(), shape_.words) != digest_of(model)) return "it lost what was added after the crash";
      return "";
    } catch (const Error& error) {
      return std::string("it does not open: ") + error.what();
    }
  }

  static constexpr const char* test_path = "s";
  // A planted bug that the harness must find: buffered rows are taken for durable ones.
  bool believes_buffered = false;

 private:
  static Shape shape_of(std::uint64_t seed) {
    Shape shape;
    shape.numeric_ids = seed % 2 == 0;
    shape.metadata = seed % 3 == 0;
    shape.texts = seed % 5 == 0;
    return shape;
  }

  void open(storage::Vfs& vfs) { store_ = std::make_unique<Store>(vfs, test_path, Access::write, limits_); }

  void one_step(storage::Vfs& vfs) {
    switch (random_() % 12) {
      case 0:
        store_->flush();
        durable_ = digests_.size() - 1;
        break;
      case 1:
        store_->compact();
        durable_ = digests_.size() - 1;
        break;
      case 2:
        store_->close();
        durable_ = digests_.size() - 1;
        open(vfs);
        break;
      case 3:
        store_->sync();
        durable_ = digests_.size() - 1;
        break;
      case 4:
        load();
        break;
      default:
        add();
    }
  }

  std::vector<Change> some_changes(std::uint64_t most) {
    std::vector<Change> changes;
    for (std::uint64_t n = 1 + random_() % most; n > 0; --n) changes.push_back(random_change(shape_, random_, 24));
    return changes;
  }
  // From now on the batch counts as tried, because a crash may leave it in the store.
  void note_tried(const std::vector<Change>& changes) {
    Model model = models_.back();
    apply(changes, sequences_.back(), model);
    digests_.push_back(digest_of(model));
    sequences_.push_back(sequences_.back() + changes.size());
    models_.push_back(std::move(model));
  }

  // Adds several runs at once, or gives the load up.
  void load() {
    Store::Load load = store_->load();
    durable_ = digests_.size() - 1;  // what was in memory became runs
    const std::vector<Change> changes = some_changes(30);
    load.add(rows_of(changes));
    if (random_() % 3 == 0) return;
    note_tried(changes);
    load.commit();
    durable_ = digests_.size() - 1;
  }

  void add() {
    const std::vector<Change> changes = some_changes(3);
    const bool durable = random_() % 2 == 0;
    note_tried(changes);
    store_->add(rows_of(changes), durable ? Acknowledge::durable : Acknowledge::buffered);
    if (durable || believes_buffered) durable_ = digests_.size() - 1;
  }

  // Opens the store after an error, and takes its content as the new state.
  bool settle(storage::Vfs& vfs) {
    open(vfs);
    const std::optional<std::size_t> prefix = prefix_of(store_->snapshot());
    if (!prefix || *prefix < durable_) {
      digests_.assign(1, ~std::uint64_t{0});  // matches no store, so every verdict is bad
      store_.reset();
      return false;
    }
    digests_.resize(*prefix + 1);
    models_.resize(*prefix + 1);
    sequences_.resize(*prefix + 1);
    durable_ = *prefix;  // opening a store for writing makes its content durable
    return true;
  }

  // The newest prefix of the history that has these rows. It need not be unique, as a batch may change nothing visible.
  [[nodiscard]] std::optional<std::size_t> prefix_of(const Snapshot& snapshot) const {
    const std::uint64_t found = digest_of(snapshot, shape_.words);
    const std::uint64_t next = snapshot.view().active->first_sequence() + snapshot.visible();
    for (std::size_t i = digests_.size(); i-- > 0;)
      if (digests_[i] == found && sequences_[i] == next) return i;
    return std::nullopt;
  }

  std::mt19937_64 random_;
  Shape shape_;
  Limits limits_;
  std::unique_ptr<Store> store_;
  bool created_ = false;
  std::size_t durable_ = 0;                     // in batches
  std::vector<std::uint64_t> digests_;          // after each batch; the first one is that of the empty store
  std::vector<std::uint64_t> sequences_ = {1};  // next sequence number after each batch
  std::vector<Model> models_ = {{shape_, {}}};
};

}  // namespace leitong::store
