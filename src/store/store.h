// The store: rows in a directory that survives crashes, with one writer and any number of readers, in this process and others.
//
// What counts is named by the manifest: runs, which never change, and logs, which hold what is not in a run yet. A writer appends to its
// log, then to a table in memory; when that is full it is frozen and written as a run behind the writer's back, and runs are merged so that
// they stay few. Readers see a snapshot and never wait for any of it. The design is in docs/store.md, the bytes in docs/file-format.md.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "leitong/access.h"
#include "storage/vfs.h"
#include "store/manifest.h"
#include "store/row.h"
#include "store/snapshot.h"

namespace leitong::store {

struct Limits {
  std::uint64_t log_bytes = 64U << 20U;       // of log, rows or memory: the table in memory is frozen
  std::uint32_t table_rows = 4U << 20U;       //
  std::uint64_t table_bytes = 512U << 20U;    //
  std::uint64_t unsynced_bytes = 16U << 20U;  // of log, that buffered rows may leave unsynced
  unsigned sync_seconds = 1;                  // after which they are synced anyway; 0: never. Needs `background`.
  unsigned runs = 8;                          // more are merged
  std::uint64_t run_rows = ~0ULL;             // no merge makes a longer run
  unsigned logs = 16;                         // that a store may keep over a clean end, before they become a run
  unsigned frozen = 2;                        // tables that may wait to become a run before the writer waits
  unsigned threads = 1;                       // for building indexes
  bool background = true;                     // false: everything is done in the caller's time and thread
};

struct StoreStats {
  std::uint64_t epoch = 0, next_sequence = 1;
  std::uint64_t runs = 0, run_rows = 0, run_bytes = 0, erased_rows = 0;  // rows that hide others or are hidden included
  std::uint64_t memory_rows = 0, memory_bytes = 0;
  std::uint64_t logs = 0, log_bytes = 0;
  std::uint64_t written_bytes = 0;  // by this writer: log and runs
  std::uint64_t repaired_runs = 0;  // whose index or keys this writer made again when it opened the store
  bool merging_failed = false;      // a run could not be merged: check() says why
};

class Store {
 public:
  // A new, empty store; `about` is a JSON object of the owner's. Error(usage) if there is one already.
  static void create(storage::Vfs& vfs, const std::string& directory, const Shape& shape, const std::string& about);
  // A writer takes the lock (Error(usage) if another has it) and repairs what a crash left; files that are made of tables (indexes, keys)
  // are made again where they are missing or seen to be damaged. A reader changes nothing.
  // `keys_of`: of a shape with keys, the same function as ever.
  Store(storage::Vfs& vfs, const std::string& directory, Access access, const Limits& limits = {}, const KeysOf& keys_of = {});
  ~Store();  // close(), errors swallowed
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  [[nodiscard]] const Shape& shape() const;
  [[nodiscard]] const std::string& about() const;
  [[nodiscard]] Snapshot snapshot() const;
  [[nodiscard]] StoreStats stats() const;
  // Readers: goes on to what the writer has logged by now.
  void refresh();

  // Writer, any thread. Adds or replaces rows, or erases (rows with the flag): all of them or, after a crash, none. Returns the sequence
  // number of the first; the others follow. An I/O error is final: nothing can be written any more by this writer (Error(io) that
  // says so), readers go on, and what was acknowledged is found by the next writer.
  std::uint64_t add(std::span<const Row> rows, Acknowledge acknowledge);
  // Rows, erasing ones too, that become part of the store all at once, durable, by commit(); without it, or after a crash, nothing of them
  // does. They are written as runs and take no log. While it lives and was not committed nothing else is added, no second one begun, and
  // close() refuses (Error(usage)). The store outlives it. Any thread may add.
  class Load {
   public:
    ~Load();
    Load(Load&&) noexcept;
    void add(std::span<const Row> rows);
    // Returns the sequence number of the first row; the others follow. Once.
    std::uint64_t commit();

   private:
    friend class Store;
    struct Parts;
    explicit Load(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
  };
  [[nodiscard]] Load load();
  void sync();     // everything added so far becomes durable
  void flush();    // everything becomes runs
  void compact();  // one run (or as few as Limits::run_rows allows) without erased rows; damaged indexes and keys are made again
  // Ends well: everything durable, logs sealed. Nothing can be written afterwards.
  void close();

  // Reads and verifies every file. Error(format) or Error(io) names the first that is damaged.
  void check() const;
  // Writes a copy of a snapshot into a new directory: a store with one number of its own. Adding may go on.
  void backup(const std::string& directory) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace leitong::store
