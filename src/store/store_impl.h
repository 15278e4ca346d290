// The implementation of Store. store_open.cpp opens a store and repairs it after a crash, store_write.cpp adds rows, store_runs.cpp does
// the background work and closes the store, and store.cpp has the rest.
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "hamming/published.h"
#include "leitong/error.h"
#include "storage/log.h"
#include "store/load.h"
#include "store/recovery.h"
#include "store/run_files.h"
#include "store/store.h"

namespace leitong::store {

// Throws Error(usage) or Error(limit) if a store of this shape cannot hold the row.
void check_row(const Shape& shape, const Row& row);

class Store::Impl {
 public:
  Impl(storage::Vfs& vfs, std::string directory, Access access, const Limits& limits, const KeysOf& keys_of)
      : vfs_(vfs),
        directory_(std::move(directory)),
        access_(access),
        limits_(limits),
        keys_of_(keys_of),
        manifest_(read_manifest(vfs_, directory_)),  // fails if this is no store, before a lock file is made
        shape_(manifest_.shape),
        about_(manifest_.about) {
    limits_.run_rows = std::min(limits_.run_rows, hamming::Run::most_rows);
    if (access_ == Access::read) {
      load();
      return;
    }
    lock_ = vfs_.lock(directory_ + "/LOCK");
    recover();
    if (!limits_.background) return;
    try {
      flusher_ = std::jthread([this] { work([this] { return flush_one(); }); });
      merger_ = std::jthread([this] { work([this] { return merge_some(); }); });
      if (limits_.sync_seconds > 0) ticker_ = std::jthread([this] { tick(); });
    } catch (...) {  // the destructor will not run, so threads that have started are stopped here
      stop_threads();
      throw;
    }
  }
  ~Impl() {
    try {
      close();
    } catch (...) {
      // Acknowledged rows are in the log; the next writer finds them there.
    }
    stop_threads();
  }

  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] const std::string& about() const { return about_; }
  [[nodiscard]] Snapshot snapshot() const {
    auto view = view_.get();
    const std::uint32_t visible = view->active->rows();
    return {shape_, std::move(view), visible};
  }
  [[nodiscard]] StoreStats stats() const;
  void refresh();
  std::uint64_t add(std::span<const Row> rows, Acknowledge acknowledge);
  // Runs `job` while holding the writer's seat, which only one thread has at a time.
  void in_seat(const std::function<void()>& job) {
    Waiter waiter;
    waiter.job = job;
    take_part(waiter);
  }
  void sync() {
    in_seat([this] { sync_log(); });
  }
  [[nodiscard]] std::unique_ptr<LoadedRuns> begin_load();
  std::uint64_t end_load(LoadedRuns& loaded);
  void flush();
  void compact();
  void close();
  void check() const;
  void backup(const std::string& directory) const;

 private:
  struct Waiter {
    std::function<void()> job;  // if empty, `rows` are added
    std::span<const Row> rows;
    std::vector<std::byte> payload;
    bool durable = false, done = false;
    std::uint64_t first_sequence = 0;
    std::exception_ptr error;
  };

  template <typename Use>
  void with_manifest(const Use& use) const;
  void load();
  void recover();
  [[nodiscard]] bool lacks_derived_file(const ManifestRun& named) const;
  void relog(const Replayed& replayed);
  void take_part(Waiter& waiter);
  void serve(const std::vector<Waiter*>& group);
  void apply(Waiter& waiter);
  void open_log();
  void sync_log() {
    if (log_ && log_->durable() < log_->size()) log_->sync();
  }
  void seal_log();
  [[nodiscard]] std::size_t logs() const {
    const std::lock_guard lock(structure_);
    return manifest_.logs.size();
  }
  void freeze();
  void wait_for_room();
  void wait_for_flush();
  void wait_until(const std::function<bool()>& reached);
  bool flush_one();
  bool merge_some();
  bool merge(std::span<const std::shared_ptr<const Run>> runs, bool drop_erased);
  void work(const std::function<bool()>& step);
  void tick();
  void stop_threads();
  // Frees files and tables that no reader uses any more.
  void sweep() {
    std::vector<std::shared_ptr<const View>> unread;
    const std::lock_guard lock(structure_);
    unread = view_.take_unread();
  }
  void fail(const char* what) {
    broken_.store(true, std::memory_order_release);  // set first, since storing the message may fail
    const std::lock_guard lock(failed_mutex_);
    if (failed_.empty()) failed_ = what;
  }
  void require_writer() const {
    if (access_ == Access::read) throw Error(ErrorCode::usage, directory_ + ": is open for reading only");
    if (closed_.load()) throw Error(ErrorCode::usage, directory_ + ": is closed");
    require_unbroken();
  }
  [[noreturn]] void refuse_while_loading() const {
    throw Error(ErrorCode::usage, directory_ + ": is being loaded; commit that or give it up first");
  }
  void require_unbroken() const {
    if (!broken_.load(std::memory_order_acquire)) return;
    const std::lock_guard lock(failed_mutex_);
    throw Error(ErrorCode::io, fmt::format("{}: nothing is written any more since an error ({}); open the collection again, what was "
                                           "acknowledged as durable is there",
                                           directory_, failed_));
  }
  // Wraps everything that writes: any exception makes the writer unusable.
  template <typename Call>
  auto finally(const Call& call) {
    try {
      return call();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::interrupted) fail(error.what());
      throw;
    } catch (const std::exception& error) {
      fail(error.what());
      throw;
    } catch (...) {
      fail("unknown");
      throw;
    }
  }
  void new_log() {  // with structure_ held
    const std::uint64_t number = manifest_.next_file++;
    log_ = std::make_unique<storage::LogWriter>(vfs_, log_path(directory_, number), name_of_log(manifest_, number));
    manifest_.logs.push_back({number, 0});
  }
  [[nodiscard]] RunPlace place(bool stoppable) const {
    return {vfs_, directory_, shape_, keys_of_, limits_.threads, stoppable ? &stop_ : nullptr};
  }
  [[nodiscard]] std::uint64_t new_file() {
    const std::lock_guard lock(structure_);
    return manifest_.next_file++;
  }
  void save_manifest() {  // with structure_ held
    ++manifest_.epoch;
    write_manifest(vfs_, directory_, manifest_);
  }
  // Calls change(view) with a copy of the view; it must change the manifest accordingly. Readers see the new view when the manifest is
  // durable.
  template <typename Change>
  void change_structure(const Change& change) {
    const std::lock_guard lock(structure_);
    require_unbroken();  // a failed change has left a manifest that does not match the view
    finally([&] {
      auto view = std::make_shared<View>(*view_.get());
      change(*view);
      save_manifest();
      view_.set(std::move(view));
    });
  }
  void changed() {
    {
      const std::lock_guard lock(work_mutex_);
      ++changes_;
    }
    work_changed_.notify_all();
  }

  storage::Vfs& vfs_;
  std::string directory_;
  Access access_;
  Limits limits_;
  KeysOf keys_of_;
  std::unique_ptr<storage::FileLock> lock_;

  // Locking: log_, table_ and next_sequence_ belong to the seat; manifest_ and the replacement of view_ need structure_.
  std::unique_ptr<storage::LogWriter> log_;
  std::shared_ptr<Memtable> table_;
  std::uint64_t next_sequence_ = 1;

  mutable std::mutex structure_;
  Manifest manifest_;
  const Shape shape_;        // copies of the manifest's fields that never change,
  const std::string about_;  // so they are read without a lock
  hamming::Published<View> view_;

  std::mutex queue_mutex_;
  std::condition_variable queue_changed_;
  std::deque<Waiter*> queue_;

  std::mutex work_mutex_;
  std::condition_variable work_changed_;
  std::uint64_t changes_ = 0;  // needs work_mutex_
  std::mutex merging_;         // allows one merge at a time
  std::mutex closing_;
  std::atomic<bool> stop_ = false, closed_ = false, broken_ = false, merging_failed_ = false, loading_ = false;
  mutable std::mutex failed_mutex_;
  std::string failed_;
  std::atomic<std::uint64_t> written_ = 0;
  std::uint64_t repaired_runs_ = 0;

  std::mutex refreshing_;  // for readers: protects what follows
  std::uint64_t followed_ = 0;
  std::jthread flusher_, merger_, ticker_;  // last, so that they end before the members that they use
};

// Calls use(manifest) with the newest manifest. A writer may replace a file before it is opened; then there is a newer manifest, and that
// one is used. The same manifest is tried again only because its log may be read while it is being written: a record may be seen in part
// and the following ones complete.
template <typename Use>
void Store::Impl::with_manifest(const Use& use) const {
  constexpr unsigned sure = 2, most = 200;  // each failure means that the writer has changed something again, and takes little time
  for (unsigned attempt = 0;; ++attempt) {
    const Manifest manifest = read_manifest(vfs_, directory_);
    try {
      return use(manifest);
    } catch (const Error&) {
      if (attempt >= most || (attempt >= sure && read_manifest(vfs_, directory_).epoch == manifest.epoch)) throw;
    }
  }
}

}  // namespace leitong::store
