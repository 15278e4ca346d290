// Rows that will become part of a store all at once: they are written as runs that no manifest names yet.
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
    std::uint32_t table_rows = 0;  // limits of a run:
    std::uint64_t table_bytes = 0;
    bool background = true;  // one run is written while rows for the next are collected
  };
  // new_file() returns numbers for runs, or throws if no more files may be made; end() is called once when the load is over.
  LoadedRuns(const RunPlace& place, const Limits& limits, std::function<std::uint64_t()> new_file, std::function<void()> end);
  ~LoadedRuns();  // removes all files unless keep() was called
  LoadedRuns(const LoadedRuns&) = delete;
  LoadedRuns& operator=(const LoadedRuns&) = delete;

  // Sets the sequence number of the first row.
  void begin(std::uint64_t first_sequence) noexcept { begun_ = true, next_sequence_ = first_sequence; }
  void add(std::span<const Row> rows);
  // Returns all runs, durable, oldest first. May be called once; add() throws Error(usage) afterwards.
  [[nodiscard]] std::vector<std::shared_ptr<const Run>> finish();
  // Call before a manifest may name the runs: their files are not removed any more.
  void keep() noexcept { numbers_.clear(); }
  // Calls the function end(), but only the first time.
  void end();
  [[nodiscard]] std::uint64_t next_sequence() const noexcept { return next_sequence_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }  // written so far

 private:
  class Step;
  void write_table();
  void wait();

  RunPlace place_;
  Limits limits_;
  std::function<std::uint64_t()> new_file_;
  std::function<void()> end_;
  std::mutex mutex_;
  std::shared_ptr<Memtable> table_;                  // null: no row was added since the last run
  std::future<std::shared_ptr<const Run>> writing_;  // the previous table, written while this one fills
  std::vector<std::uint64_t> numbers_;               // of all runs that were begun
  std::vector<std::shared_ptr<const Run>> runs_;
  std::uint64_t next_sequence_ = 1, bytes_ = 0;
  bool begun_ = false, over_ = false;
};

}  // namespace leitong::store
