// Writes bytes to a file and, if asked to, compresses them, in other threads while the caller produces the next ones.
#pragma once

#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <string>

#include "leitong/output.h"
#include "outputs/part_writer.h"
#include "records/input.h"
#include "storage/vfs.h"

namespace leitong::outputs {

// Compressed output is cut when flush_if_full() is called with at least a mebibyte, and each part is a gzip member or zstd frame of its
// own. So the bytes do not depend on threads or time. An empty output has one empty part, because an empty file is neither gzip nor zstd.
class OutputBytes {
 public:
  // `threads`: this many mebibytes may be in work at the same time. 1: the caller's thread does everything.
  OutputBytes(const std::string& path, Compression compression, unsigned threads);
  ~OutputBytes();
  OutputBytes(const OutputBytes&) = delete;
  OutputBytes& operator=(const OutputBytes&) = delete;
  std::string& buffer() { return buffer_; }
  // Whether lines of a source can be copied unread, instead of being appended to buffer().
  [[nodiscard]] bool can_copy(const records::Source& source) const;
  // Such a line, as in PartWriter.
  void copy(const records::Source& source, std::uint64_t offset, std::uint64_t length);
  void flush_if_full() {
    if (buffer_.size() >= (1U << 20)) flush();
  }
  void finish(bool durable);

 private:
  void flush();
  void flush_packed();
  void write_first();
  void write(const std::string& bytes);
  Compression compression_;
  unsigned threads_;
  std::string buffer_;
  std::unique_ptr<storage::WritableFile> file_;
  PartWriter parts_;  // if the output is not compressed
  std::deque<std::future<std::string>> packing_;
  std::uint64_t size_ = 0;
};

}  // namespace leitong::outputs
