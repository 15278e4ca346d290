// Writes a file in parts of about a mebibyte, each at its own place and on any of several threads: bytes of the caller, and lines copied
// from files that were read before.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "records/input.h"
#include "storage/vfs.h"

namespace leitong::outputs {

// What is given first stands first in the file. The caller's thread works on parts too where the others do not keep up, so at most two
// parts a thread are in memory. add(), copy() and finish() throw what the first part that failed threw; no more is written then.
class PartWriter {
 public:
  // Nothing else may write to `file`.
  PartWriter(storage::WritableFile& file, unsigned threads);
  ~PartWriter();
  PartWriter(const PartWriter&) = delete;
  PartWriter& operator=(const PartWriter&) = delete;

  // Takes the bytes and leaves an empty string, if possible with the memory of an earlier part.
  void add(std::string& bytes);
  // Adds a line of a source for which is_plain_file() is true, and which outlives this object: `length` bytes at `offset`, then a line
  // feed.
  void copy(const records::Source& source, std::uint64_t offset, std::uint64_t length);
  void finish();  // returns when everything is written

 private:
  // Bytes of a source, then a line feed if they end a line. Lines that stand one behind the other are one stretch.
  struct Stretch {
    const records::Source* source = nullptr;
    std::uint64_t offset = 0, length = 0;
    bool line_feed = false;
  };
  struct Part {
    std::uint64_t number = 0, place = 0, size = 0;
    std::string bytes;
    std::vector<Stretch> stretches;  // if there are no bytes
  };
  // What a thread keeps from part to part.
  struct Desk {
    std::vector<std::byte> room;
    const records::Source* source = nullptr;
    std::unique_ptr<storage::ReadableFile> file;  // of the source
  };

  void extend(const records::Source& source, std::uint64_t offset, std::uint64_t length);
  void end_line(const records::Source& source, std::uint64_t offset);
  void send_lines();
  void send(Part part);
  void work();
  // Of the parts that wait; the lock is held before and after, not meanwhile.
  void run_first(std::unique_lock<std::mutex>& lock, Desk& desk);
  void run(Part& part, Desk& desk) noexcept;
  void write(const Part& part, Desk& desk);
  static void read(const Part& part, Desk& desk);
  void keep_memory(Part& part);  // for add()
  void stop();

  storage::WritableFile& file_;
  unsigned threads_;
  std::uint64_t size_ = 0, parts_ = 0;  // of what was sent
  Part lines_;                          // not yet sent
  Desk own_;                            // of the caller's thread
  std::vector<std::thread> workers_;

  std::mutex mutex_;  // guards what follows
  std::condition_variable waits_, ends_;
  std::deque<Part> waiting_;
  std::vector<std::string> spare_;
  unsigned running_ = 0;
  bool stopped_ = false;
  std::exception_ptr failure_;
  std::uint64_t failed_ = 0;  // number of the part that gave failure_
};

}  // namespace leitong::outputs
