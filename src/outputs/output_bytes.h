// Bytes to a file, packed on their way if asked to, by other threads while the next ones are made.
#pragma once

#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <string>

#include "leitong/output.h"
#include "storage/vfs.h"

namespace leitong::outputs {

// What is packed is cut where flush_if_full() is called with a mebibyte or more, each part a gzip member or zstd frame of its own: the
// bytes depend on neither threads nor time. An empty output is one empty part, for no bytes are neither gzip nor zstd.
class OutputBytes {
 public:
  // `threads`: so many mebibytes may be on their way; 1: none is, everything is done by the caller's thread.
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
  std::string buffer_, written_;  // written_: what `writing_` writes
  std::unique_ptr<storage::WritableFile> file_;
  std::future<void> writing_;
  std::deque<std::future<std::string>> packing_;
  std::uint64_t size_ = 0;
};

}  // namespace leitong::outputs
