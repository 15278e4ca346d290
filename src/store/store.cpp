#include "store/store.h"

#include <fmt/format.h>

#include <random>

#include "store/store_impl.h"

namespace leitong::store {
namespace {

std::uint64_t random_word(std::random_device& random) { return std::uint64_t{random()} << 32U | random(); }

}  // namespace

void Store::create(storage::Vfs& vfs, const std::string& directory, const Shape& shape, const std::string& about) {
  vfs.make_directories(directory);
  const auto lock = vfs.lock(directory + "/LOCK");
  if (vfs.exists(manifest_path(directory)))
    throw Error(ErrorCode::usage, directory + ": holds a collection already; open it, or remove the directory first");
  // A collection that has lost its MANIFEST must not be replaced by an empty one.
  for (const std::string& name : vfs.list(directory))
    if (number_in(name) != 0)
      throw Error(ErrorCode::usage,
                  fmt::format("{}: holds {}, a file of a collection whose MANIFEST is gone; restore it from a backup, or remove the files",
                              directory, name));
  std::random_device random;
  Manifest manifest;
  for (std::uint64_t& half : manifest.store) half = random_word(random);
  manifest.shape = shape;
  manifest.shape.id_seed = random_word(random);
  manifest.about = about;
  manifest.epoch = 1;
  write_manifest(vfs, directory, manifest);
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
  stats.repaired_runs = repaired_runs_;
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
  // A writer may remove files while they are checked, so all files are opened before any is read at length.
  std::vector<std::shared_ptr<const Run>> runs;
  with_manifest([&](const Manifest& manifest) {
    runs = open_runs(vfs_, directory_, manifest, {});
    (void)replay(vfs_, directory_, manifest, keys_of_, limits_.threads);
  });
  for (const auto& run : runs) run->verify();
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
  for (std::uint64_t& half : copy.store) half = random_word(random);
  copy.runs.clear();
  copy.logs.clear();
  const RunPlace place{vfs_, directory, copy.shape, keys_of_, limits_.threads, nullptr};
  for (const auto& run : now.view().runs) {
    run->copy_to(vfs_, directory);
    copy.runs.push_back(run->named());
  }
  // The rows in memory are written as runs with numbers greater than all others.
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

Store::Store(storage::Vfs& vfs, const std::string& directory, Access access, const Limits& limits, const KeysOf& keys_of)
    : impl_(std::make_unique<Impl>(vfs, directory, access, limits, keys_of)) {}
Store::~Store() = default;
const Shape& Store::shape() const { return impl_->shape(); }
const std::string& Store::about() const { return impl_->about(); }
Snapshot Store::snapshot() const { return impl_->snapshot(); }
StoreStats Store::stats() const { return impl_->stats(); }
void Store::refresh() { impl_->refresh(); }
std::uint64_t Store::add(std::span<const Row> rows, Acknowledge acknowledge) { return impl_->add(rows, acknowledge); }
struct Store::Load::Parts {
  Impl* store;
  std::unique_ptr<LoadedRuns> runs;
};
Store::Load::Load(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Store::Load::Load(Load&&) noexcept = default;
Store::Load::~Load() = default;
void Store::Load::add(std::span<const Row> rows) {
  for (const Row& row : rows) check_row(parts_->store->shape(), row);
  parts_->runs->add(rows);
}
std::uint64_t Store::Load::commit() { return parts_->store->end_load(*parts_->runs); }
Store::Load Store::load() {
  auto parts = std::make_unique<Load::Parts>(Load::Parts{impl_.get(), nullptr});
  parts->runs = impl_->begin_load();
  return Load(std::move(parts));
}
void Store::sync() { impl_->sync(); }
void Store::flush() { impl_->flush(); }
void Store::compact() { impl_->compact(); }
void Store::close() { impl_->close(); }
void Store::check() const { impl_->check(); }
void Store::backup(const std::string& directory) const { impl_->backup(directory); }

}  // namespace leitong::store
