// The store: rows in a directory that survives crashes, with one writer and any number of readers, in this process and others.
//
// The manifest names the files that count: runs, which never change, and logs, which hold the rows that are in no run yet. A writer appends
// rows to its log, then to a table in memory. A full table is frozen and written as a run in the background, and runs are merged so that
// they stay few. Readers see a snapshot and never wait. The design is described in docs/store.md, the bytes in docs/file-format.md.
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
  std::uint64_t log_bytes = 64U << 20U;       // limits on the log, rows and memory of the active table; beyond one it is frozen
  std::uint32_t table_rows = 4U << 20U;       //
  std::uint64_t table_bytes = 512U << 20U;    //
  std::uint64_t unsynced_bytes = 16U << 20U;  // of the log; with more unsynced bytes the log is synced
  unsigned sync_seconds = 1;                  // the log is synced after this time; 0: never. Needs `background`.
  unsigned runs = 8;                          // with more, runs are merged
  std::uint64_t run_rows = ~0ULL;             // the longest run that a merge makes
  unsigned logs = 16;                         // kept when the store is closed; with more, they become a run
  unsigned frozen = 2;                        // tables that wait to become runs; with more, the writer waits
  unsigned threads = 1;                       // for building indexes
  bool background = true;                     // false: everything is done in the caller's thread
};

struct StoreStats {
  std::uint64_t epoch = 0, next_sequence = 1;
  std::uint64_t runs = 0, run_rows = 0, run_bytes = 0, erased_rows = 0;  // including rows that hide others or are hidden
  std::uint64_t memory_rows = 0, memory_bytes = 0;
  std::uint64_t logs = 0, log_bytes = 0;
  std::uint64_t written_bytes = 0;  // by this writer, to logs and runs
  std::uint64_t repaired_runs = 0;  // runs whose index or keys this writer made again when it opened the store
  bool merging_failed = false;      // a run could not be merged; check() tells why
};

class Store {
 public:
  // Creates an empty store; `about` is a JSON object of the owner's. Throws Error(usage) if the directory has one already.
  static void create(storage::Vfs& vfs, const std::string& directory, const Shape& shape, const std::string& about);
  // A writer takes the lock (Error(usage) if another writer has it) and repairs what a crash has left; derived files (indexes, keys) that
  // are missing or found damaged are made again. A reader changes nothing. `keys_of`: must always be the same function, if the shape has
  // keys.
  Store(storage::Vfs& vfs, const std::string& directory, Access access, const Limits& limits = {}, const KeysOf& keys_of = {});
  ~Store();  // calls close() and ignores errors
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  [[nodiscard]] const Shape& shape() const;
  [[nodiscard]] const std::string& about() const;
  [[nodiscard]] Snapshot snapshot() const;
  [[nodiscard]] StoreStats stats() const;
  // For readers: continues to what the writer has logged by now.
  void refresh();

  // For the writer, from any thread. Adds or replaces rows, or erases ids (rows with that flag): all rows of a call or, after a crash,
  // none. Returns the sequence number of the first row; the others follow. An I/O error is final: this writer cannot write any more
  // (Error(io) says so), readers continue, and the next writer finds all acknowledged rows.
  std::uint64_t add(std::span<const Row> rows, Acknowledge acknowledge);
  // A load of rows (including erasing ones), which become part of the store all at once and durably by commit(). Without commit(), or after
  // a crash, none of them do. They are written as runs, without a log. Until the load is committed or destroyed, nothing else can be added,
  // no second load can begin, and close() throws Error(usage). The store must outlive the load. Any thread may add.
  class Load {
   public:
    ~Load();
    Load(Load&&) noexcept;
    void add(std::span<const Row> rows);
    // Returns the sequence number of the first row; the others follow. May be called once.
    std::uint64_t commit();

   private:
    friend class Store;
    struct Parts;
    explicit Load(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
  };
  [[nodiscard]] Load load();
  void sync();     // makes everything added so far durable
  void flush();    // writes everything to runs
  void compact();  // makes one run (or as few as Limits::run_rows allows) without erased rows, and makes damaged indexes and keys again
  // Makes everything durable and seals the logs. Nothing can be written afterwards.
  void close();

  // Reads and verifies every file. Error(format) or Error(io) names the first damaged one.
  void check() const;
  // Copies a snapshot to a new directory, as a store with its own random id. Rows may be added meanwhile.
  void backup(const std::string& directory) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace leitong::store
