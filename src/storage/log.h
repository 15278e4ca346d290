// Write-ahead log: records that are whole or not there, appended to one file. docs/file-format.md ("Log files") is the specification.
//
// What was synced must be read back; what was not may be lost, from the first record that the crash spoilt on. Both look alike at the end
// of a file, so every record says up to where the log had been synced when it was written (its mark). A bad record before a mark, or before
// the length that the owner knows to be durable, is corruption: Error(format) with file and offset. A bad record beyond all marks is where
// the log ends. Writers never append to a log that was there before: they begin a new one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "storage/vfs.h"

namespace leitong::storage {

// Whose log it is and which: a record of any other log does not pass its checksum.
struct LogName {
  std::uint64_t store[2] = {0, 0};  // random, of the store
  std::uint64_t number = 0;
};

inline constexpr std::uint64_t most_log_record = 1ULL << 30U;  // bytes of a record's payload

// One thread at a time. After an error of the file nothing more can be appended: Error(io) "refused".
class LogWriter {
 public:
  // Creates the file with its header and makes both, and the name, durable.
  LogWriter(Vfs& vfs, std::string path, const LogName& name);
  // Error(limit) for a payload of more than most_log_record bytes (or none), or a log of 32 GiB, with nothing written.
  void append(std::span<const std::byte> payload);
  void sync();                                                      // what was appended is durable when this returns
  void close();                                                     // of the file; does not sync
  [[nodiscard]] std::uint64_t size() const { return size_; }        // bytes of the file so far: where the next record begins
  [[nodiscard]] std::uint64_t durable() const { return durable_; }  // of these, synced

 private:
  void require_usable(const char* operation) const;
  template <typename Call>
  void final_if_it_throws(Call call);

  std::string path_;
  std::uint64_t key_;                   // of the name, for the checks
  std::unique_ptr<WritableFile> file_;  // none: closed, or an operation failed
  std::vector<std::byte> record_;       // being put together
  std::uint64_t size_ = 0, durable_ = 0;
};

struct LogEnd {
  std::uint64_t size = 0;  // bytes of header and good records
  bool torn = false;       // something that is no record stands behind them
};

// Calls visit(payload) for each record in order; the payload is valid during the call. `durable`: the length up to which the owner knows
// the log to be durable (a sealed log: all of it); bytes behind it are not looked at if `sealed`. Linear in the file, in memory of one
// record and some buffers. Error(format) for corruption, Error(unsupported) for a newer version, Error(io) from the file system.
struct LogExpectation {
  std::uint64_t durable = 0;
  bool sealed = false;
};
LogEnd read_log(Vfs& vfs, const std::string& path, const LogName& name, const LogExpectation& expected,
                const std::function<void(std::span<const std::byte> payload)>& visit);

// The same from a place on, for a reader that follows a log which is being written: records that begin at `from`, a size that an earlier
// call returned (0: the first), up to the first that is not whole, which is not an error.
LogEnd follow_log(Vfs& vfs, const std::string& path, const LogName& name, std::uint64_t from,
                  const std::function<void(std::span<const std::byte> payload)>& visit);

}  // namespace leitong::storage
