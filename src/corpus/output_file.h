// A text output of a run: written beside its final name and put in place when it is whole.
#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <string_view>

#include "storage/vfs.h"

namespace leitong::corpus {

// Written as PATH.tmp, which belongs to whoever holds the directory (output_lock.h).
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
  bool behind_, finished_ = false;
  std::unique_ptr<storage::WritableFile> file_;
  std::future<void> writing_;
  std::uint64_t size_ = 0;
};

// The whole of a small file at once.
void write_file(const std::string& path, std::string_view content);

// For a path in a directory that nobody holds: calls `write` with the name of an empty file of this process's own, PATH.PID.tmp, whose
// name with .tmp is free, too; then gives it the name `path`, durably. So several may write one path (the last one wins), and no file that
// was there is taken for a temporary one. If `write` throws, nothing is left behind; an Error names `path`.
void write_under_own_name(const std::string& path, const std::function<void(const std::string& temporary)>& write);

}  // namespace leitong::corpus
