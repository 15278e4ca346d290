// Background work of a store: writes tables in memory as runs, and merges runs. Also closes the store.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "store/merge_policy.h"
#include "store/store_impl.h"

namespace leitong::store {

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

// Waits until no more than Limits::frozen tables wait to become runs.
void Store::Impl::wait_for_room() {
  wait_until([this] { return view_.get()->frozen.size() <= limits_.frozen; });
}

// Waits until the tables that are frozen now have become runs.
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
  change_structure([&](View& view) {
    const auto newer = [&](const ManifestLog& log) { return log.number > frozen.last_log; };
    const auto kept = std::find_if(manifest_.logs.begin(), manifest_.logs.end(), newer);
    gone.assign(manifest_.logs.begin(), kept);
    manifest_.logs.erase(manifest_.logs.begin(), kept);
    view.frozen.erase(view.frozen.begin());
    if (!run) return;
    manifest_.runs.push_back(run->named());
    view.runs.push_back(run);
  });
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

// merging_ must be held, so that `runs` stay adjacent in the view until they are replaced.
bool Store::Impl::merge(std::span<const std::shared_ptr<const Run>> runs, bool drop_erased) {
  const std::uint64_t number = new_file();
  std::shared_ptr<const Run> merged;
  try {
    merged = write_run(place(true), number, runs, drop_erased);
  } catch (const Error& error) {
    // A damaged run cannot be merged. That ends merging but not adding; check() names the run.
    merging_failed_ = merging_failed_ || error.code() == ErrorCode::format;
    throw;
  } catch (const std::bad_alloc&) {
    merging_failed_ = true;
    throw;
  }
  if (merged) written_ += merged->bytes();
  change_structure([&](View& view) {
    const auto first = std::find(view.runs.begin(), view.runs.end(), runs.front());
    const auto at = first - view.runs.begin(), count = static_cast<std::ptrdiff_t>(runs.size());
    view.runs.erase(first, first + count);
    manifest_.runs.erase(manifest_.runs.begin() + at, manifest_.runs.begin() + at + count);
    if (!merged) return;
    view.runs.insert(view.runs.begin() + at, merged);
    manifest_.runs.insert(manifest_.runs.begin() + at, merged->named());
  });
  for (const auto& run : runs) remove_run(vfs_, directory_, run->number());
  return true;
}

namespace {

// Lowers the priority of this thread and of those that it starts. Writing runs can wait, but look-ups cannot: with few processors a thread
// that computes for seconds would make others wait for whole time slices. Adding rows waits for runs in the end, so the background work is
// not starved.
void give_way() noexcept {
#if defined(__linux__)
  constexpr int step_size = 5, last_step = 19;
  const auto thread = static_cast<id_t>(::gettid());
  ::setpriority(PRIO_PROCESS, thread, std::min(::getpriority(PRIO_PROCESS, thread) + step_size, last_step));
#endif
}

}  // namespace

void Store::Impl::work(const std::function<bool()>& step) {
  give_way();
  for (;;) {
    std::uint64_t seen = 0;
    {
      const std::lock_guard lock(work_mutex_);
      seen = changes_;
    }
    bool more = false;
    try {
      more = finally(step);
    } catch (...) {
      changed();  // a writer may be waiting for this thread
      return;
    }
    if (more) {
      changed();
      continue;
    }
    std::unique_lock lock(work_mutex_);
    work_changed_.wait(lock, [&] { return stop_.load() || changes_ != seen; });
    if (stop_) return;
  }
}

void Store::Impl::tick() {
  std::unique_lock lock(work_mutex_);
  while (!stop_) {
    work_changed_.wait_for(lock, std::chrono::seconds(limits_.sync_seconds), [this] { return stop_.load(); });
    lock.unlock();
    try {
      if (!stop_) sync();
      sweep();
    } catch (...) {
      // The writer's next call reports the error.
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

void Store::Impl::flush() {
  in_seat([this] { freeze(); });
  wait_for_flush();
  require_writer();
}

namespace {

// Whether no file of the run needs to be made again.
bool is_whole(const Run& run) {
  try {
    run.verify_bytes();
    return true;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::format) throw;
    return false;
  }
}

}  // namespace

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
      if (count > 1 || (oldest && runs[0]->erased() > 0) || !is_whole(*runs[0])) (void)merge(runs.first(count), oldest);
      runs = runs.subspan(count);
      oldest = false;
    }
  });
}

void Store::Impl::close() {
  const std::lock_guard once(closing_);
  if (access_ == Access::read || closed_) return;
  if (loading_) refuse_while_loading();  // and keep the lock, because the next writer would reuse the numbers of the load's files
  if (!broken_.load()) {
    in_seat([this] {
      seal_log();
      if (logs() > limits_.logs) freeze();
      closed_ = true;  // callers that are queued behind us get an error
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
  require_unbroken();  // after an earlier error, closing must fail too, since not everything may be durable
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

}  // namespace leitong::store
