// Rows on their way to become part of a store all at once: they are written as runs that no manifest names yet.
#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "store/memtable.h"
#include "store/run.h"
#include "store/run_files.h"

namespace leitong::store {

// Thread-safe.
class LoadedRuns {
 public:
  struct Limits {
    std::uint32_t table_rows = 0;  // of a run,
    std::uint64_t table_bytes = 0;
    bool background = true;  // one is written while the next is gathered
  };
  // new_file() gives numbers of runs, or throws if files may not be made any more; end() is called once it is over.
  LoadedRuns(const RunPlace& place, const Limits& limits, std::function<std::uint64_t()> new_file, std::function<void()> end);
  ~LoadedRuns();  // what was not kept leaves no file
  LoadedRuns(const LoadedRuns&) = delete;
  LoadedRuns& operator=(const LoadedRuns&) = delete;

  // Rows are numbered from here.
  void begin(std::uint64_t first_sequence) noexcept { begun_ = true, next_sequence_ = first_sequence; }
  void add(std::span<const Row> rows);
  // All of them, durable, oldest first. Once, and nothing is added afterwards: Error(usage).
  [[nodiscard]] std::vector<std::shared_ptr<const Run>> finish();
  // A manifest names them, perhaps: their files stay.
  void keep() noexcept { numbers_.clear(); }
  // Calls end(), once.
  void end();
  [[nodiscard]] std::uint64_t next_sequence() const noexcept { return next_sequence_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }  // written

 private:
  class Step;
  void write_table();
  void wait();

  RunPlace place_;
  Limits limits_;
  std::function<std::uint64_t()> new_file_;
  std::function<void()> end_;
  std::mutex mutex_;
  std::shared_ptr<Memtable> table_;                  // null: no row since the last one was written
  std::future<std::shared_ptr<const Run>> writing_;  // the table before, while this one fills
  std::vector<std::uint64_t> numbers_;               // of all runs begun
  std::vector<std::shared_ptr<const Run>> runs_;
  std::uint64_t next_sequence_ = 1, bytes_ = 0;
  bool begun_ = false, over_ = false;
};

}  // namespace leitong::store
