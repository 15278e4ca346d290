// A text output of a run: written beside its final name and put in place when it is whole.
#pragma once

#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <string_view>

#include "storage/vfs.h"

namespace leitong::corpus {

class OutputFile {
 public:
  // `behind`: full buffers are written by another thread while the next one is filled.
  explicit OutputFile(std::string path, bool behind = false);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  // Bytes to append; call flush_if_full() after a record.
  std::string& buffer() { return buffer_; }
  void flush_if_full() {
    if (buffer_.size() >= (1U << 20)) flush();
  }
  void finish();  // durable, under its final name

 private:
  void flush();
  void write(const std::string& bytes);
  std::string path_, buffer_, written_;  // written_: what `writing_` writes
  bool behind_;
  std::unique_ptr<storage::WritableFile> file_;
  std::future<void> writing_;
  std::uint64_t size_ = 0;
};

// The whole of a small file at once.
void write_file(const std::string& path, std::string_view content);

}  // namespace leitong::corpus
