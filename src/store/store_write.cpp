// Adds rows. One thread at a time has the writer's seat, and it also serves those that come meanwhile. Also loads many rows at once.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "store/batch.h"
#include "store/store_impl.h"

namespace leitong::store {
namespace {

constexpr std::uint64_t most_bytes_of_row = 512U << 20U;

}  // namespace

void check_row(const Shape& shape, const Row& row) {
  const auto misuse = [](const char* what) { throw Error(ErrorCode::usage, std::string("row refused: ") + what); };
  if (shape.numeric_ids ? row.id.size() != 8 : row.id.empty() || row.id.size() > most_id_bytes)
    misuse("an id has 1 to 65,535 bytes, a numeric one 8");
  if (!sensible(row.flags)) misuse("its flags contradict each other");
  if (row.has_fingerprint() && row.words == nullptr) misuse("it has no fingerprint but says so");
  if ((!shape.sketches && !row.sketch.empty()) || (!shape.metadata && !row.metadata.empty()) || (!shape.texts && !row.text.empty()))
    misuse("it has what this collection does not keep");
  if (row.sketch.size() + row.metadata.size() + row.text.size() > most_bytes_of_row)
    throw Error(ErrorCode::limit, fmt::format("a row of {} bytes; the most is {}",
                                              row.sketch.size() + row.metadata.size() + row.text.size(), most_bytes_of_row));
}

std::uint64_t Store::Impl::add(std::span<const Row> rows, Acknowledge acknowledge) {
  require_writer();
  if (rows.size() > Memtable::most_rows / 4)
    throw Error(ErrorCode::limit, fmt::format("{} rows; at most {} are added at once", rows.size(), Memtable::most_rows / 4));
  Waiter waiter;
  waiter.rows = rows;
  waiter.durable = acknowledge == Acknowledge::durable;
  begin_batch(waiter.payload);
  for (const Row& row : rows) {
    check_row(shape_, row);
    append_row(shape_, row, waiter.payload);
  }
  if (waiter.payload.size() > storage::most_log_record)
    throw Error(ErrorCode::limit, fmt::format("{} rows take {} bytes of log; at most {} are added at once", rows.size(),
                                              waiter.payload.size(), storage::most_log_record));
  take_part(waiter);
  return waiter.first_sequence;
}

// Threads queue up. The first one serves all that are queued by then, so that they share one sync.
void Store::Impl::take_part(Waiter& waiter) {
  std::vector<Waiter*> group;
  {
    std::unique_lock lock(queue_mutex_);
    queue_.push_back(&waiter);
    queue_changed_.wait(lock, [&] { return waiter.done || queue_.front() == &waiter; });
    if (!waiter.done) {
      try {
        group.assign(queue_.begin(), waiter.job ? queue_.begin() + 1 : queue_.end());
      } catch (...) {  // out of memory: the queue must not keep a pointer to us
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
    if (loading_) refuse_while_loading();
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
  // The rows are added. An error from here on makes the writer fail, but the rows are still acknowledged.
  const bool full = (log_ && log_->size() >= limits_.log_bytes) || table_->added() >= limits_.table_rows ||
                    table_->bytes() >= limits_.table_bytes || table_->is_full();
  if (!full) return;
  try {
    finally([&] {
      freeze();
      wait_for_room();
    });
  } catch (...) {
    // The next call reports the error.
  }
}

void Store::Impl::apply(Waiter& waiter) {
  if (table_->added() + waiter.rows.size() > Memtable::most_rows) freeze();
  open_log();
  waiter.first_sequence = next_sequence_;
  number_batch(next_sequence_, waiter.payload);
  log_->append(waiter.payload);
  written_ += waiter.payload.size();
  next_sequence_ += waiter.rows.size();
  constexpr std::size_t rows_ahead = 16;
  std::array<std::uint64_t, rows_ahead> keys;
  const auto look_ahead = [&](std::size_t i) {
    if (i >= waiter.rows.size()) return;
    keys[i % rows_ahead] = key_of(shape_, waiter.rows[i].id);
    table_->prefetch_id(keys[i % rows_ahead]);
  };
  for (std::size_t i = 0; i < rows_ahead; ++i) look_ahead(i);
  for (std::size_t i = 0; i < waiter.rows.size(); ++i) {
    Row row = waiter.rows[i];
    row.key = keys[i % rows_ahead];
    look_ahead(i + rows_ahead);
    table_->add(row);
  }
  table_->publish();
}

// Rows in memory become runs first, because newer runs hide older ones.
std::unique_ptr<LoadedRuns> Store::Impl::begin_load() {
  const LoadedRuns::Limits limits{limits_.table_rows, limits_.table_bytes, limits_.background};
  auto loaded = std::make_unique<LoadedRuns>(
      place(false), limits,
      [this] {
        require_writer();
        return new_file();
      },
      [this] { loading_ = false; });
  bool busy = false;
  in_seat([&] {
    busy = loading_;
    if (busy) return;  // throwing here would make the writer fail
    freeze();
    wait_for_flush();
    require_unbroken();
    loading_ = true;
    loaded->begin(next_sequence_);
  });
  if (busy) refuse_while_loading();
  return loaded;
}

std::uint64_t Store::Impl::end_load(LoadedRuns& loaded) {
  require_writer();
  const std::vector<std::shared_ptr<const Run>> runs = loaded.finish();
  std::uint64_t first = 0;
  in_seat([&] {
    first = next_sequence_;  // nothing can be added during a load
    auto table = std::make_shared<Memtable>(shape_, keys_of_, loaded.next_sequence());
    change_structure([&](View& view) {
      for (const auto& run : runs) {
        view.runs.push_back(run);
        manifest_.runs.push_back(run->named());
      }
      view.active = table_ = table;
      manifest_.next_sequence = next_sequence_ = loaded.next_sequence();
      loaded.keep();
    });
  });
  loaded.end();
  written_ += loaded.bytes();
  changed();
  return first;
}

void Store::Impl::open_log() {
  if (log_) return;
  const std::lock_guard lock(structure_);
  new_log();
  manifest_.next_sequence = next_sequence_;
  save_manifest();
}

}  // namespace leitong::store
