// A text output of a run: written beside its final name and put in place when it is whole.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "storage/vfs.h"

namespace leitong::corpus {

class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(OutputFile&&) noexcept = default;
  OutputFile& operator=(OutputFile&&) = delete;
  // Bytes to append; call flush_if_full() after a record.
  std::string& buffer() { return buffer_; }
  void flush_if_full() {
    if (buffer_.size() >= (1U << 20)) flush();
  }
  void finish();  // durable, under its final name

 private:
  void flush();
  std::string path_, buffer_;
  std::unique_ptr<storage::WritableFile> file_;
};

// The whole of a small file at once.
void write_file(const std::string& path, std::string_view content);

}  // namespace leitong::corpus
