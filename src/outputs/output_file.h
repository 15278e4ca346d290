// A text output of a run: written beside its final name and put in place when it is whole.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "outputs/output_bytes.h"

namespace leitong::outputs {

// Written as PATH.PID.tmp, a name that no file had. Whether PATH may be written at all says output_rule.h. A path that ends in .gz or .zst
// is packed so.
class OutputFile {
 public:
  // `threads`: as of OutputBytes.
  explicit OutputFile(std::string path, unsigned threads = 1);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  // Bytes to append; call flush_if_full() after a record.
  std::string& buffer() { return bytes_->buffer(); }
  void flush_if_full() { bytes_->flush_if_full(); }
  void finish();  // durable, under its final name

 private:
  std::string path_, temporary_;
  std::unique_ptr<OutputBytes> bytes_;
  bool finished_ = false;
};

// The whole of a small file at once.
void write_file(const std::string& path, std::string_view content);

// For a path in a directory that nobody holds: calls `write` with the name of an empty file of this process's own, PATH.PID.tmp, whose
// name with .tmp is free, too; then gives it the name `path`, durably. So several may write one path (the last one wins), and no file that
// was there is taken for a temporary one. If `write` throws, nothing is left behind; an Error names `path`.
void write_under_own_name(const std::string& path, const std::function<void(const std::string& temporary)>& write);

}  // namespace leitong::outputs
