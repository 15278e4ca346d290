#include "store/store.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <random>
#include <thread>

#include "hamming/index_run.h"
#include "hamming/published.h"
#include "leitong/error.h"
#include "storage/log.h"
#include "store/batch.h"
#include "store/merge_policy.h"
#include "store/recovery.h"
#include "store/run_files.h"

namespace leitong::store {
namespace {

constexpr std::uint64_t kMostBytesOfRow = 512U << 20U;
constexpr std::uint64_t kBytesToMergeRow = 100;  // of memory, where the next index is built

std::uint64_t rows_for_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGE_SIZE);
  const std::uint64_t memory = pages > 0 && size > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size) : 1U << 30U;
  return std::max<std::uint64_t>(memory / 2 / kBytesToMergeRow, 1U << 20U);
}

void check_row(const Shape& shape, const Row& row) {
  const auto misuse = [](const char* what) { throw Error(ErrorCode::usage, std::string("row refused: ") + what); };
  if (shape.numeric_ids ? row.id.size() != 8 : row.id.empty() || row.id.size() > kMostIdBytes)
    misuse("an id has 1 to 65,535 bytes, a numeric one 8");
  if (!sensible(row.flags)) misuse("its flags contradict each other");
  if (row.has_fingerprint() && row.words == nullptr) misuse("it has no fingerprint but says so");
  if ((!shape.sketches && !row.sketch.empty()) || (!shape.metadata && !row.metadata.empty()) || (!shape.texts && !row.text.empty()))
    misuse("it has what this collection does not keep");
  if (row.sketch.size() + row.metadata.size() + row.text.size() > kMostBytesOfRow)
    throw Error(ErrorCode::limit, fmt::format("a row of {} bytes; the most is {}",
                                              row.sketch.size() + row.metadata.size() + row.text.size(), kMostBytesOfRow));
}

}  // namespace

class Store::Impl {
 public:
  Impl(storage::Vfs& vfs, std::string directory, Access access, const Limits& limits, const KeysOf& keys_of)
      : vfs_(vfs),
        directory_(std::move(directory)),
        access_(access),
        limits_(limits),
        keys_of_(keys_of),
        manifest_(read_manifest(vfs_, directory_)),  // says what is no store before a lock file is made there
        shape_(manifest_.shape),
        about_(manifest_.about) {
    if (limits_.run_rows == 0) limits_.run_rows = rows_for_memory();
    limits_.run_rows = std::min(limits_.run_rows, hamming::Run::kMostRows);
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
    } catch (...) {  // no destructor would tell the threads that run already
      stop_threads();
      throw;
    }
  }
  ~Impl() {
    try {
      close();
    } catch (...) {
      // What was acknowledged is in the log; the next writer finds it there.
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
  // Runs `job` where only one thread at a time is: the writer's seat.
  void in_seat(const std::function<void()>& job) {
    Waiter waiter;
    waiter.job = job;
    take_part(waiter);
  }
  void sync() {
    in_seat([this] { sync_log(); });
  }
  void flush();
  void compact();
  void close();
  void check() const;
  void backup(const std::string& directory) const;

 private:
  struct Waiter {
    std::function<void()> job;  // or:
    std::span<const Row> rows;
    std::vector<std::byte> payload;
    bool durable = false, done = false;
    std::uint64_t first_sequence = 0;
    std::exception_ptr error;
  };

  void load();
  void recover();
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
  void fail(const char* what) {
    broken_.store(true, std::memory_order_release);  // whatever happens while the words are kept
    const std::lock_guard lock(failed_mutex_);
    if (failed_.empty()) failed_ = what;
  }
  void require_writer() const {
    if (access_ == Access::read) throw Error(ErrorCode::usage, directory_ + ": is open for reading only");
    if (closed_.load()) throw Error(ErrorCode::usage, directory_ + ": is closed");
    require_unbroken();
  }
  void require_unbroken() const {
    if (!broken_.load(std::memory_order_acquire)) return;
    const std::lock_guard lock(failed_mutex_);
    throw Error(ErrorCode::io, fmt::format("{}: nothing is written any more since an error ({}); open the collection again, what was "
                                           "acknowledged as durable is there",
                                           directory_, failed_));
  }
  // Everything that writes: what it throws is final.
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
  [[nodiscard]] storage::LogName log_of(std::uint64_t number) const { return {{manifest_.store[0], manifest_.store[1]}, number}; }
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
  void changed() {
    {
      const std::lock_guard lock(work_mutex_);
    }
    work_changed_.notify_all();
  }

  storage::Vfs& vfs_;
  std::string directory_;
  Access access_;
  Limits limits_;
  KeysOf keys_of_;
  std::unique_ptr<storage::FileLock> lock_;

  // Who may touch what: the seat log_, table_ and next_sequence_; structure_ manifest_ and the exchange of view_.
  std::unique_ptr<storage::LogWriter> log_;
  std::shared_ptr<Memtable> table_;
  std::uint64_t next_sequence_ = 1;

  mutable std::mutex structure_;
  Manifest manifest_;
  const Shape shape_;        // of it, and never changed:
  const std::string about_;  // read without a lock
  hamming::Published<View> view_;

  std::mutex queue_mutex_;
  std::condition_variable queue_changed_;
  std::deque<Waiter*> queue_;

  std::mutex work_mutex_;
  std::condition_variable work_changed_;
  std::mutex merging_;  // one merge at a time
  std::mutex closing_;
  std::atomic<bool> stop_ = false, closed_ = false, broken_ = false, merging_failed_ = false;
  mutable std::mutex failed_mutex_;
  std::string failed_;
  std::atomic<std::uint64_t> written_ = 0;

  std::mutex refreshing_;  // readers: of what follows
  std::uint64_t followed_ = 0;
  std::jthread flusher_, merger_, ticker_;  // last: they end before what they use does
};

// --- opening

void Store::create(storage::Vfs& vfs, const std::string& directory, const Shape& shape, const std::string& about) {
  vfs.make_directories(directory);
  const auto lock = vfs.lock(directory + "/LOCK");
  if (vfs.exists(manifest_path(directory)))
    throw Error(ErrorCode::usage, directory + ": holds a collection already; open it, or remove the directory first");
  // A collection that lost its MANIFEST is not made empty by mistake.
  for (const std::string& name : vfs.list(directory))
    if (number_in(name) != 0)
      throw Error(ErrorCode::usage,
                  fmt::format("{}: holds {}, a file of a collection whose MANIFEST is gone; restore it from a backup, or remove the files",
                              directory, name));
  std::random_device random;
  Manifest manifest;
  for (std::uint64_t& half : manifest.store) half = std::uint64_t{random()} << 32U | random();
  manifest.shape = shape;
  manifest.shape.id_seed = std::uint64_t{random()} << 32U | random();
  manifest.about = about;
  manifest.epoch = 1;
  write_manifest(vfs, directory, manifest);
}

// A writer may replace what the manifest names between its reading and the opening of a file: then there is a newer manifest.
void Store::Impl::load() {
  for (unsigned attempt = 0;; ++attempt) {
    Manifest manifest = read_manifest(vfs_, directory_);
    if (!std::equal(std::begin(manifest.store), std::end(manifest.store), manifest_.store))
      throw Error(ErrorCode::usage, directory_ + ": another collection stands there now; open it anew");
    try {
      const auto known = view_.get();
      auto view = std::make_shared<View>();
      view->runs = open_runs(vfs_, directory_, manifest, known ? known->runs : std::vector<std::shared_ptr<const Run>>());
      Replayed replayed = replay(vfs_, directory_, manifest, keys_of_, limits_.threads);
      view->active = table_ = std::move(replayed.table);
      followed_ = replayed.open_length;
      const std::lock_guard lock(structure_);
      manifest_ = std::move(manifest);
      view_.set(std::move(view));
      return;
    } catch (const Error&) {
      // The same state may be read wrongly only while its log is being written: a record half there, then its followers whole.
      if (attempt >= 20 || (attempt >= 2 && read_manifest(vfs_, directory_).epoch == manifest.epoch)) throw;
    }
  }
}

void Store::Impl::refresh() {
  if (access_ == Access::write) return;
  const std::lock_guard lock(refreshing_);
  const Manifest newest = read_manifest(vfs_, directory_);
  if (newest.epoch != manifest_.epoch) return load();
  if (newest.logs.empty() || newest.logs.back().length != 0) return;
  const std::string path = directory_ + "/" + log_name(newest.logs.back().number);
  try {
    const auto visit = [&](std::span<const std::byte> payload) { add_batch(shape_, payload, path, *table_); };
    followed_ = storage::follow_log(vfs_, path, log_of(newest.logs.back().number), followed_, visit).size;
    table_->publish();
  } catch (...) {
    load();  // the log is gone, perhaps, and the table may have a row in part
  }
}

void Store::Impl::recover() {
  manifest_ = read_manifest(vfs_, directory_);  // again: a writer may have been here before we had the lock
  auto view = std::make_shared<View>();
  view->runs = open_runs(vfs_, directory_, manifest_, {});
  const Replayed replayed = replay(vfs_, directory_, manifest_, keys_of_, limits_.threads);
  view->active = table_ = replayed.table;
  next_sequence_ = table_->first_sequence() + table_->added();
  view_.set(view);
  const bool open_log = !manifest_.logs.empty() && manifest_.logs.back().length == 0, clean = manifest_.clean_file == manifest_.next_file;
  if (!clean) {
    for (const auto& run : view->runs)
      if (run->number() >= manifest_.clean_file) run->verify();
  }
  // No number is given twice: what is left of a log in the disk's blocks must not pass for the new one's.
  for (const std::string& name : strays_in(vfs_, directory_, manifest_))
    manifest_.next_file = std::max(manifest_.next_file, number_in(name) + 1);
  finally([&] {
    manifest_.clean_file = manifest_.next_file;
    if (open_log) relog(replayed);
    const std::vector<std::string> strays = strays_in(vfs_, directory_, manifest_);
    // The manifest that was read may not be durable, if the writer before failed to sync its name; the durable one may name strays.
    if (!open_log && (!clean || !strays.empty())) save_manifest();
    for (const std::string& name : strays) remove_file(vfs_, directory_ + "/" + name);
  });
}

// The open log's end is not to be trusted with more records, and what is read of it may stand in the system's memory only, after an fsync
// that failed. Its records go to a log of our own.
void Store::Impl::relog(const Replayed& replayed) {
  const std::uint64_t old = manifest_.logs.back().number;
  manifest_.logs.pop_back();
  if (replayed.open_records > 0) {
    const std::uint64_t number = manifest_.next_file++;
    log_ = std::make_unique<storage::LogWriter>(vfs_, directory_ + "/" + log_name(number), log_of(number));
    (void)storage::read_log(vfs_, directory_ + "/" + log_name(old), log_of(old), {replayed.open_length, true},
                            [&](std::span<const std::byte> payload) { log_->append(payload); });
    log_->sync();
    manifest_.logs.push_back({number, 0});
  }
  save_manifest();
}

// --- adding

std::uint64_t Store::Impl::add(std::span<const Row> rows, Acknowledge acknowledge) {
  require_writer();
  if (rows.size() > Memtable::kMostRows / 4)
    throw Error(ErrorCode::limit, fmt::format("{} rows; at most {} are added at once", rows.size(), Memtable::kMostRows / 4));
  Waiter waiter;
  waiter.rows = rows;
  waiter.durable = acknowledge == Acknowledge::durable;
  begin_batch(waiter.payload);
  for (const Row& row : rows) {
    check_row(shape_, row);
    append_row(shape_, row, waiter.payload);
  }
  if (waiter.payload.size() > storage::kMostLogRecord)
    throw Error(ErrorCode::limit, fmt::format("{} rows take {} bytes of log; at most {} are added at once", rows.size(),
                                              waiter.payload.size(), storage::kMostLogRecord));
  take_part(waiter);
  return waiter.first_sequence;
}

// Threads queue up; the first serves all that have come by then, so that they share one sync.
void Store::Impl::take_part(Waiter& waiter) {
  std::vector<Waiter*> group;
  {
    std::unique_lock lock(queue_mutex_);
    queue_.push_back(&waiter);
    queue_changed_.wait(lock, [&] { return waiter.done || queue_.front() == &waiter; });
    if (!waiter.done) {
      try {
        group.assign(queue_.begin(), waiter.job ? queue_.begin() + 1 : queue_.end());
      } catch (...) {  // out of memory: nobody must find us in the queue
        queue_.pop_front();
        queue_changed_.notify_all();
        throw;
      }
      const auto job = std::find_if(group.begin() + 1, group.end(), [](const Waiter* w) { return bool(w->job); });
      group.erase(job, group.end());
    }
  }
  if (!group.empty()) {
    serve(group);
    const std::lock_guard lock(queue_mutex_);
    for (Waiter* served : group) served->done = true;
    queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(group.size()));
    queue_changed_.notify_all();
  }
  if (waiter.error) std::rethrow_exception(waiter.error);
}

void Store::Impl::serve(const std::vector<Waiter*>& group) {
  try {
    require_writer();
    if (group.front()->job) {
      finally(group.front()->job);
      return;
    }
    finally([&] {
      bool durable = false;
      for (Waiter* waiter : group) {
        if (!waiter->rows.empty()) apply(*waiter);
        durable = durable || waiter->durable;
      }
      if (durable || (log_ && log_->size() - log_->durable() >= limits_.unsynced_bytes)) sync_log();
    });
  } catch (...) {
    for (Waiter* waiter : group) waiter->error = std::current_exception();
    return;
  }
  // The rows are in; what fails from here on ends the writer, but not their acknowledgement.
  const bool full = (log_ && log_->size() >= limits_.log_bytes) || table_->added() >= limits_.table_rows ||
                    table_->bytes() >= limits_.table_bytes || table_->is_full();
  if (!full) return;
  try {
    finally([&] {
      freeze();
      wait_for_room();
    });
  } catch (...) {
    // Said by the next call.
  }
}

void Store::Impl::apply(Waiter& waiter) {
  if (table_->added() + waiter.rows.size() > Memtable::kMostRows) freeze();
  open_log();
  waiter.first_sequence = next_sequence_;
  number_batch(next_sequence_, waiter.payload);
  log_->append(waiter.payload);
  written_ += waiter.payload.size();
  next_sequence_ += waiter.rows.size();
  for (Row row : waiter.rows) {
    row.key = key_of(shape_, row.id);
    table_->add(row);
  }
  table_->publish();
}

void Store::Impl::open_log() {
  if (log_) return;
  const std::lock_guard lock(structure_);
  const std::uint64_t number = manifest_.next_file++;
  log_ = std::make_unique<storage::LogWriter>(vfs_, directory_ + "/" + log_name(number), log_of(number));
  manifest_.next_sequence = next_sequence_;
  manifest_.logs.push_back({number, 0});
  save_manifest();
}

// --- from the table in memory to runs

void Store::Impl::freeze() {
  if (table_->added() == 0) return;
  seal_log();
  {
    const std::lock_guard lock(structure_);
    const std::uint64_t last_log = manifest_.logs.back().number;
    auto view = std::make_shared<View>(*view_.get());
    view->frozen.push_back({table_, table_->added(), last_log});
    view->active = table_ = std::make_shared<Memtable>(shape_, keys_of_, next_sequence_);
    view_.set(std::move(view));
  }
  if (limits_.background) return changed();
  while (flush_one() || merge_some()) {
  }
}

// Until at most so many tables wait to become runs.
void Store::Impl::wait_for_room() {
  wait_until([this] { return view_.get()->frozen.size() <= limits_.frozen; });
}

// Until what is frozen now is in runs.
void Store::Impl::wait_for_flush() {
  const auto now = view_.get();
  if (now->frozen.empty()) return;
  const auto last = now->frozen.back().table;
  wait_until([this, last] {
    const auto view = view_.get();
    return std::none_of(view->frozen.begin(), view->frozen.end(), [&](const View::Frozen& f) { return f.table == last; });
  });
}

void Store::Impl::wait_until(const std::function<bool()>& reached) {
  if (!limits_.background) return;
  std::unique_lock lock(work_mutex_);
  work_changed_.wait(lock, [&] { return reached() || broken_.load() || stop_.load(); });
}

bool Store::Impl::flush_one() {
  const auto before = view_.get();
  if (before->frozen.empty()) return false;
  const View::Frozen frozen = before->frozen.front();
  const std::uint64_t number = new_file();
  const auto run = write_run(place(false), number, frozen, before->runs.empty());
  if (run) written_ += run->bytes();
  std::vector<ManifestLog> gone;
  {
    const std::lock_guard lock(structure_);
    if (run) manifest_.runs.push_back(run->named());
    const auto kept =
        std::find_if(manifest_.logs.begin(), manifest_.logs.end(), [&](const ManifestLog& log) { return log.number > frozen.last_log; });
    gone.assign(manifest_.logs.begin(), kept);
    manifest_.logs.erase(manifest_.logs.begin(), kept);
    save_manifest();
    auto view = std::make_shared<View>(*view_.get());
    view->frozen.erase(view->frozen.begin());
    if (run) view->runs.push_back(run);
    view_.set(std::move(view));
  }
  for (const ManifestLog& log : gone) remove_log(vfs_, directory_, log.number);
  return true;
}

bool Store::Impl::merge_some() {
  const std::lock_guard one(merging_);
  if (merging_failed_.load()) return false;
  const auto before = view_.get();
  std::vector<std::uint64_t> rows;
  for (const auto& run : before->runs) rows.push_back(run->rows());
  const MergeChoice choice = choose_merge(rows, limits_.runs, limits_.run_rows);
  if (!choice.any()) return false;
  try {
    return merge(std::span(before->runs).subspan(choice.first, choice.last - choice.first), choice.first == 0);
  } catch (...) {
    if (!merging_failed_.load()) throw;
    return false;
  }
}

// With merging_ held, so that `runs` stand together in the view until they are replaced.
bool Store::Impl::merge(std::span<const std::shared_ptr<const Run>> runs, bool drop_erased) {
  const std::uint64_t number = new_file();
  std::shared_ptr<const Run> merged;
  try {
    merged = write_run(place(true), number, runs, drop_erased);
  } catch (const Error& error) {
    // A rotten run cannot be merged. That ends merging, not adding; check() says which it is.
    merging_failed_ = merging_failed_ || error.code() == ErrorCode::format;
    throw;
  } catch (const std::bad_alloc&) {
    merging_failed_ = true;
    throw;
  }
  if (merged) written_ += merged->bytes();
  {
    const std::lock_guard lock(structure_);
    auto view = std::make_shared<View>(*view_.get());
    const auto first = std::find(view->runs.begin(), view->runs.end(), runs.front());
    const auto at = first - view->runs.begin(), count = static_cast<std::ptrdiff_t>(runs.size());
    view->runs.erase(first, first + count);
    manifest_.runs.erase(manifest_.runs.begin() + at, manifest_.runs.begin() + at + count);
    if (merged) {
      view->runs.insert(view->runs.begin() + at, merged);
      manifest_.runs.insert(manifest_.runs.begin() + at, merged->named());
    }
    save_manifest();
    view_.set(std::move(view));
  }
  for (const auto& run : runs) remove_run(vfs_, directory_, run->number());
  return true;
}

void Store::Impl::work(const std::function<bool()>& step) {
  for (;;) {
    bool more = false;
    try {
      more = finally(step);
    } catch (...) {
      changed();  // the writer may wait for us
      return;
    }
    if (more) {
      changed();
      continue;
    }
    std::unique_lock lock(work_mutex_);
    if (stop_) return;
    work_changed_.wait_for(lock, std::chrono::milliseconds(200));
  }
}

void Store::Impl::tick() {
  std::unique_lock lock(work_mutex_);
  while (!stop_) {
    work_changed_.wait_for(lock, std::chrono::seconds(limits_.sync_seconds), [this] { return stop_.load(); });
    lock.unlock();
    try {
      if (!stop_) sync();
    } catch (...) {
      // Said by the next call of the writer.
    }
    lock.lock();
  }
}

void Store::Impl::stop_threads() {
  stop_ = true;
  changed();
  for (std::jthread* thread : {&ticker_, &flusher_, &merger_})
    if (thread->joinable()) thread->join();
}

// --- the rest

void Store::Impl::flush() {
  in_seat([this] { freeze(); });
  wait_for_flush();
  require_writer();
}

void Store::Impl::compact() {
  flush();
  const std::lock_guard one(merging_);
  finally([this] {
    const auto view = view_.get();
    std::span<const std::shared_ptr<const Run>> runs = view->runs;
    bool oldest = true;
    while (!runs.empty()) {
      std::size_t count = 0;
      for (std::uint64_t rows = 0; count < runs.size() && (count == 0 || rows + runs[count]->rows() <= limits_.run_rows); ++count)
        rows += runs[count]->rows();
      if (count > 1 || (oldest && runs[0]->erased() > 0)) (void)merge(runs.first(count), oldest);
      runs = runs.subspan(count);
      oldest = false;
    }
  });
}

void Store::Impl::close() {
  const std::lock_guard once(closing_);
  if (access_ == Access::read || closed_) return;
  if (!broken_.load()) {
    in_seat([this] {
      seal_log();
      if (logs() > limits_.logs) freeze();
      closed_ = true;  // whoever queued up behind us is told so
    });
    wait_for_flush();
  }
  closed_ = true;
  stop_threads();
  if (!broken_.load()) {
    finally([this] {
      const std::lock_guard lock(structure_);
      if (manifest_.clean_file == manifest_.next_file) return;
      manifest_.clean_file = manifest_.next_file;
      save_manifest();
    });
  }
  lock_.reset();
  require_unbroken();  // an error since it was opened is an error of the end, too: not all may be durable
}

void Store::Impl::seal_log() {
  if (!log_) return;
  const std::lock_guard lock(structure_);
  sync_log();
  manifest_.logs.back().length = log_->size();
  manifest_.next_sequence = next_sequence_;
  log_->close();
  log_.reset();
  save_manifest();
}

StoreStats Store::Impl::stats() const {
  StoreStats stats;
  const Snapshot now = snapshot();
  for (const auto& run : now.view().runs) {
    ++stats.runs;
    stats.run_rows += run->rows();
    stats.run_bytes += run->bytes();
    stats.erased_rows += run->erased();
  }
  for (const View::Frozen& frozen : now.view().frozen) {
    stats.memory_rows += frozen.visible;
    stats.memory_bytes += frozen.table->bytes();
  }
  stats.memory_rows += now.visible();
  stats.memory_bytes += now.view().active->bytes();
  stats.next_sequence = now.view().active->first_sequence() + now.visible();
  stats.written_bytes = written_;
  stats.merging_failed = merging_failed_;
  const std::lock_guard lock(structure_);
  stats.epoch = manifest_.epoch;
  for (const ManifestLog& log : manifest_.logs) {
    ++stats.logs;
    stats.log_bytes += log.length;
  }
  return stats;
}

void Store::Impl::check() const {
  for (unsigned attempt = 0;; ++attempt) {
    const Manifest manifest = read_manifest(vfs_, directory_);
    try {
      for (const auto& run : open_runs(vfs_, directory_, manifest, {})) run->verify();
      (void)replay(vfs_, directory_, manifest, keys_of_, limits_.threads);
      return;
    } catch (const Error&) {
      // As in load(): a writer may have gone on.
      if (attempt >= 20 || (attempt >= 2 && read_manifest(vfs_, directory_).epoch == manifest.epoch)) throw;
    }
  }
}

void Store::Impl::backup(const std::string& directory) const {
  const Snapshot now = snapshot();
  vfs_.make_directories(directory);
  if (!vfs_.list(directory).empty()) throw Error(ErrorCode::usage, directory + ": is not empty; give a new directory for the backup");
  Manifest copy;
  {
    const std::lock_guard lock(structure_);
    copy = manifest_;
  }
  std::random_device random;
  for (std::uint64_t& half : copy.store) half = std::uint64_t{random()} << 32U | random();
  copy.runs.clear();
  copy.logs.clear();
  const RunPlace place{vfs_, directory, copy.shape, keys_of_, limits_.threads, nullptr};
  for (const auto& run : now.view().runs) {
    run->copy_to(vfs_, directory);
    copy.runs.push_back(run->named());
  }
  // What is in memory becomes runs, numbered beyond all others.
  std::vector<View::Frozen> tables = now.view().frozen;
  tables.push_back({now.view().active, now.visible(), 0});
  for (const View::Frozen& table : tables) {
    if (const auto run = write_run(place, copy.next_file, table, copy.runs.empty())) {
      copy.runs.push_back(run->named());
      ++copy.next_file;
    }
  }
  copy.next_sequence = now.view().active->first_sequence() + now.visible();
  copy.clean_file = copy.next_file;
  for (const auto& run : open_runs(vfs_, directory, copy, {})) run->verify();
  write_manifest(vfs_, directory, copy);
}

// --- the face

Store::Store(storage::Vfs& vfs, const std::string& directory, Access access, const Limits& limits, const KeysOf& keys_of)
    : impl_(std::make_unique<Impl>(vfs, directory, access, limits, keys_of)) {}
Store::~Store() = default;
const Shape& Store::shape() const { return impl_->shape(); }
const std::string& Store::about() const { return impl_->about(); }
Snapshot Store::snapshot() const { return impl_->snapshot(); }
StoreStats Store::stats() const { return impl_->stats(); }
void Store::refresh() { impl_->refresh(); }
std::uint64_t Store::add(std::span<const Row> rows, Acknowledge acknowledge) { return impl_->add(rows, acknowledge); }
void Store::sync() { impl_->sync(); }
void Store::flush() { impl_->flush(); }
void Store::compact() { impl_->compact(); }
void Store::close() { impl_->close(); }
void Store::check() const { impl_->check(); }
void Store::backup(const std::string& directory) const { impl_->backup(directory); }

}  // namespace leitong::store
