// Opens a store: what readers load, and what a writer repairs if the previous one did not end properly.
#include <fmt/format.h>

#include <algorithm>

#include "hamming/index_run.h"
#include "store/store_impl.h"

namespace leitong::store {

void Store::Impl::load() {
  with_manifest([this](const Manifest& manifest) {
    if (!std::equal(std::begin(manifest.store), std::end(manifest.store), manifest_.store))
      throw Error(ErrorCode::usage, directory_ + ": another collection stands there now; open it anew");
    const auto known = view_.get();
    auto view = std::make_shared<View>();
    view->runs = open_runs(vfs_, directory_, manifest, known ? known->runs : std::vector<std::shared_ptr<const Run>>());
    Replayed replayed = replay(vfs_, directory_, manifest, keys_of_, limits_.threads);
    view->active = table_ = std::move(replayed.table);
    followed_ = replayed.open_length;
    const std::lock_guard lock(structure_);
    manifest_ = manifest;
    view_.set(std::move(view));
  });
}

void Store::Impl::refresh() {
  if (access_ == Access::write) return;
  const std::lock_guard lock(refreshing_);
  sweep();
  const Manifest newest = read_manifest(vfs_, directory_);
  if (newest.epoch != manifest_.epoch) return load();
  if (newest.logs.empty() || newest.logs.back().length != 0) return;
  const std::uint64_t number = newest.logs.back().number;
  const std::string path = log_path(directory_, number);
  try {
    const auto visit = [&](std::span<const std::byte> payload) { add_batch(shape_, payload, path, *table_); };
    followed_ = storage::follow_log(vfs_, path, name_of_log(newest, number), followed_, visit).size;
    table_->publish();
  } catch (...) {
    load();  // the log may be gone, and the table may hold part of a batch
  }
}

void Store::Impl::recover() {
  manifest_ = read_manifest(vfs_, directory_);  // read again, because a writer may have changed it before we got the lock
  const bool clean = manifest_.clean_file == manifest_.next_file;
  std::vector<std::size_t> broken;  // runs whose table is good but whose derived files are not
  auto view = std::make_shared<View>();
  for (const ManifestRun& named : manifest_.runs) {
    try {
      auto run = open_run(vfs_, directory_, named, shape_);
      if (!clean && named.number >= manifest_.clean_file) run->verify();
      view->runs.push_back(std::move(run));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::format && !lacks_derived_file(named)) throw;
      auto run = open_run(vfs_, directory_, named, shape_, true);
      run->verify_table();
      broken.push_back(view->runs.size());
      view->runs.push_back(std::move(run));
    }
  }
  const Replayed replayed = replay(vfs_, directory_, manifest_, keys_of_, limits_.threads);
  view->active = table_ = replayed.table;
  next_sequence_ = table_->first_sequence() + table_->added();
  const bool open_log = !manifest_.logs.empty() && manifest_.logs.back().length == 0;
  // File numbers are never reused: remains of an old log in the disk's blocks must not be taken for records of a new one.
  for (const std::string& name : strays_in(vfs_, directory_, manifest_))
    manifest_.next_file = std::max(manifest_.next_file, number_in(name) + 1);
  finally([&] {
    // No manifest names temporary files. They are removed first, because on a full disk the following steps need the space.
    for (const std::string& name : strays_in(vfs_, directory_, manifest_))
      if (name.ends_with(".tmp")) remove_file(vfs_, directory_ + "/" + name);
    for (const std::size_t at : broken) {
      view->runs[at] = write_run(place(false), manifest_.next_file++, std::span(view->runs).subspan(at, 1), false);
      manifest_.runs[at] = view->runs[at]->named();
    }
    repaired_runs_ = broken.size();
    view_.set(view);
    manifest_.clean_file = manifest_.next_file;
    if (open_log) relog(replayed);
    const std::vector<std::string> strays = strays_in(vfs_, directory_, manifest_);
    // If the previous writer failed to make its manifest durable, a crash could bring the older one back, which may name stray files. So
    // the manifest is saved before these are removed.
    if (!open_log && (!clean || !strays.empty() || !broken.empty())) save_manifest();
    for (const std::string& name : strays) remove_file(vfs_, directory_ + "/" + name);
  });
}

bool Store::Impl::lacks_derived_file(const ManifestRun& named) const {
  return (named.index != 0 && !vfs_.exists(directory_ + "/" + index_name(named.number))) ||
         (named.keys != 0 && !vfs_.exists(directory_ + "/" + keys_name(named.number)));
}

// The open log cannot be continued: its end may be damaged, and after a failed fsync what is read of it may exist in the system's memory
// only. So its records are copied to a new log.
void Store::Impl::relog(const Replayed& replayed) {
  const std::uint64_t old = manifest_.logs.back().number;
  manifest_.logs.pop_back();
  if (replayed.open_records > 0) {
    new_log();
    (void)storage::read_log(vfs_, log_path(directory_, old), name_of_log(manifest_, old), {replayed.open_length, true},
                            [&](std::span<const std::byte> payload) { log_->append(payload); });
    log_->sync();
  }
  save_manifest();
}

}  // namespace leitong::store
