#include "corpus/output_file.h"

#include <span>

#include "leitong/error.h"

namespace leitong::corpus {

OutputFile::OutputFile(std::string path) : path_(std::move(path)), file_(storage::posix_vfs().create(path_ + ".tmp")) {}

OutputFile::~OutputFile() {
  if (!file_) return;
  try {
    file_->close();
    storage::posix_vfs().remove(path_ + ".tmp");
  } catch (const Error&) {
    // An unfinished temporary file is only litter.
  }
}

void OutputFile::flush() {
  file_->append(std::as_bytes(std::span(buffer_)));
  buffer_.clear();
}

void OutputFile::finish() {
  flush();
  file_->sync();
  file_->close();
  file_.reset();
  storage::posix_vfs().rename(path_ + ".tmp", path_);
}

void write_file(const std::string& path, std::string_view content) {
  OutputFile file(path);
  file.buffer() = content;
  file.finish();
}

}  // namespace leitong::corpus
