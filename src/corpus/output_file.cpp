#include "corpus/output_file.h"

#include <span>

#include "leitong/error.h"

namespace leitong::corpus {

OutputFile::OutputFile(std::string path, bool behind)
    : path_(std::move(path)), behind_(behind), file_(storage::posix_vfs().create(path_ + ".tmp")) {}

OutputFile::~OutputFile() {
  if (!file_) return;
  if (writing_.valid()) writing_.wait();
  try {
    file_->close();
    storage::posix_vfs().remove(path_ + ".tmp");
  } catch (const Error&) {
    // An unfinished temporary file is only litter.
  }
}

void OutputFile::flush() {
  if (writing_.valid()) writing_.get();
  if (behind_) {
    written_.swap(buffer_);
    writing_ = std::async(std::launch::async, [this] { write(written_); });
  } else {
    write(buffer_);
  }
  buffer_.clear();
}

void OutputFile::write(const std::string& bytes) {
  constexpr std::uint64_t stretch = 16 << 20;
  file_->append(std::as_bytes(std::span(bytes)));
  if (size_ / stretch != (size_ + bytes.size()) / stretch) file_->start_writing();
  size_ += bytes.size();
}

void OutputFile::finish() {
  flush();
  if (writing_.valid()) writing_.get();
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
