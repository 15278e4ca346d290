// A text output of a run: written under a temporary name and renamed when it is complete.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "outputs/output_bytes.h"

namespace leitong::outputs {

// The temporary name is PATH.PID.tmp, which no other file has. output_rule.h decides whether PATH may be written at all. If PATH ends in
// .gz or .zst, the output is compressed accordingly.
class OutputFile {
 public:
  // `threads`: as for OutputBytes.
  explicit OutputFile(std::string path, unsigned threads = 1);
  // What is appended is packed already, if the name says so.
  [[nodiscard]] static std::unique_ptr<OutputFile> of_packed(std::string path, unsigned threads);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  OutputBytes& bytes() { return *bytes_; }
  // The buffer to which the caller appends bytes; call flush_if_full() after each record.
  std::string& buffer() { return bytes_->buffer(); }
  void flush_if_full() { bytes_->flush_if_full(); }
  void finish();  // makes the file durable under its final name

 private:
  OutputFile(std::string path, Compression compression, unsigned threads);

  std::string path_, temporary_;
  std::unique_ptr<OutputBytes> bytes_;
  bool finished_ = false;
};

// Writes a small file at once.
void write_file(const std::string& path, std::string_view content);

// Writes a file in a directory that is not locked. Calls `write` with the name of a new, empty file PATH.PID.tmp (that name with .tmp is
// free, too), then renames the file to `path` and makes it durable. So several processes may write the same path (the last one wins), and
// no existing file is mistaken for a temporary one. If `write` throws, no file remains, and an Error names `path`.
void write_under_own_name(const std::string& path, const std::function<void(const std::string& temporary)>& write);

}  // namespace leitong::outputs
