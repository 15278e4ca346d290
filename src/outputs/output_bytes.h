// Writes bytes to a file and, if asked to, compresses them in other threads while the caller produces the next ones.
#pragma once

#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <string>

#include "leitong/output.h"
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
  void flush_if_full() {
    if (buffer_.size() >= (1U << 20)) flush();
  }
  void finish(bool durable);

 private:
  void flush();
  void flush_plain();
  void flush_packed();
  void write_first();
  void write(const std::string& bytes);
  Compression compression_;
  unsigned threads_;
  std::string buffer_, written_;  // written_: the bytes that `writing_` writes
  std::unique_ptr<storage::WritableFile> file_;
  std::future<void> writing_;
  std::deque<std::future<std::string>> packing_;
  std::uint64_t size_ = 0;
};

}  // namespace leitong::outputs
