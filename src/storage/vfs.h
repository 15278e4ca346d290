// Vfs: every byte that Leitong keeps goes through here, so that tests can lose, tear and refuse writes.
// Paths are byte strings. All calls throw leitong::Error(io) with the path, the operation and the system's reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace leitong::storage {

class WritableFile {
 public:
  virtual ~WritableFile() = default;
  virtual void append(std::span<const std::byte> data) = 0;
  // Sets what was written on its way to the disk without waiting, so that sync() has less to wait for. A hint: may do nothing.
  virtual void start_writing() {}
  virtual void sync() = 0;   // data durable; never retried after a failure
  virtual void close() = 0;  // required before destruction for the file to count as written
  // Writes at a place of its own, from any thread and in any order; for a file to which nothing is appended. Error(unsupported) from a file
  // system that cannot.
  virtual void write_at(std::uint64_t offset, std::span<const std::byte> data);
};

class ReadableFile {
 public:
  virtual ~ReadableFile() = default;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  // Reads exactly out.size() bytes at offset; a short file is Error(format). Thread-safe.
  virtual void read(std::uint64_t offset, std::span<std::byte> out) const = 0;
};

// The bytes of a file as memory that cannot be written. Only as good as the file: what the disk fails to give, or what was cut off while
// mapped, is read as zeros, in all threads, and told by fault(). Whoever reads it must bear any bytes, and asks when it has an answer.
// (Bytes cut off the last page that still has some are zeros without a fault; a checksum tells.) posix_vfs() handles SIGBUS for that.
class MappedFile {
 public:
  virtual ~MappedFile() = default;
  [[nodiscard]] virtual std::span<const std::byte> bytes() const = 0;  // begins at a multiple of 64
  // Whether the system could not give some byte that was read so far. Once true, it stays so.
  [[nodiscard]] virtual bool fault() const noexcept { return false; }
  virtual void require_readable() const {}  // Error(io) with the file's name if fault()
};

// Holds a lock until it is destroyed.
class FileLock {
 public:
  virtual ~FileLock() = default;
};

class Vfs {
 public:
  virtual ~Vfs() = default;
  virtual std::unique_ptr<WritableFile> create(const std::string& path) = 0;  // truncates
  virtual std::unique_ptr<ReadableFile> open(const std::string& path) = 0;
  // Pages come as they are asked for; a file system that has none to give reads the whole file.
  virtual std::unique_ptr<MappedFile> map(const std::string& path);
  virtual bool exists(const std::string& path) = 0;
  virtual void rename(const std::string& from, const std::string& to) = 0;  // atomic replace
  virtual void remove(const std::string& path) = 0;                         // a file or an empty directory
  virtual void make_directories(const std::string& path) = 0;               // with parents, durable; none is made that is there
  virtual void sync_directory(const std::string& path) = 0;                 // names in it durable
  virtual std::vector<std::string> list(const std::string& directory) = 0;  // names, ascending
  // Excludes all other locks on the file, which is made if need be, in this process and others; goes with a process that is killed.
  // Does not wait: Error(usage) if it is held. Error(unsupported) from a file system that cannot.
  virtual std::unique_ptr<FileLock> lock(const std::string& path);
};

Vfs& posix_vfs();

// The directory that holds `path` ("." for a bare name).
[[nodiscard]] std::string parent_directory(const std::string& path);

}  // namespace leitong::storage
