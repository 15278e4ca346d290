#include "store/load.h"

#include <exception>
#include <utility>

#include "leitong/error.h"

namespace leitong::store {

LoadedRuns::LoadedRuns(const RunPlace& place, const Limits& limits, std::function<std::uint64_t()> new_file, std::function<void()> end)
    : place_(place), limits_(limits), new_file_(std::move(new_file)), end_(std::move(end)) {}

LoadedRuns::~LoadedRuns() {
  if (writing_.valid()) writing_.wait();
  runs_.clear();
  try {
    for (const std::uint64_t number : numbers_) remove_run(place_.vfs, place_.directory, number);
  } catch (...) {
    // No manifest names these files, so the next writer removes them.
  }
  end();
}

void LoadedRuns::end() {
  if (std::exchange(begun_, false)) end_();
}

// Only one step at a time. If a step fails, rows may be missing, so the load is over.
class LoadedRuns::Step {
 public:
  explicit Step(LoadedRuns& runs) : lock_(runs.mutex_), runs_(runs) {
    if (runs_.over_)
      throw Error(ErrorCode::usage, runs_.place_.directory + ": this load is over, for it was committed or failed on its way; load anew");
    runs_.over_ = true;
  }
  ~Step() { runs_.over_ = last || std::uncaught_exceptions() > exceptions_; }
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;
  bool last = false;

 private:
  std::lock_guard<std::mutex> lock_;
  LoadedRuns& runs_;
  int exceptions_ = std::uncaught_exceptions();
};

void LoadedRuns::add(std::span<const Row> rows) {
  const Step step(*this);
  for (Row row : rows) {
    if (!table_) table_ = std::make_shared<Memtable>(place_.shape, place_.keys_of, next_sequence_, Memtable::Finding::by_id);
    row.key = key_of(place_.shape, row.id);
    table_->add(row);
    ++next_sequence_;
    if (table_->added() >= limits_.table_rows || table_->bytes() >= limits_.table_bytes) write_table();
  }
}

void LoadedRuns::wait() {
  if (!writing_.valid()) return;
  runs_.push_back(writing_.get());
  bytes_ += runs_.back()->bytes();
}

void LoadedRuns::write_table() {
  wait();
  if (!table_) return;
  const View::Frozen full{table_, table_->added(), 0};
  numbers_.reserve(numbers_.size() + 1);
  const std::uint64_t number = new_file_();
  numbers_.push_back(number);
  table_.reset();
  const auto write = [this, number, full] { return write_run(place_, number, full, false); };
  writing_ = std::async(limits_.background ? std::launch::async : std::launch::deferred, write);
  if (!limits_.background) wait();
}

std::vector<std::shared_ptr<const Run>> LoadedRuns::finish() {
  Step step(*this);
  step.last = true;
  write_table();
  wait();
  return std::move(runs_);
}

}  // namespace leitong::store
