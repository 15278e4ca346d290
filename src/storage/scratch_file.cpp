#include "storage/scratch_file.h"

#include <algorithm>
#include <utility>

#include "leitong/error.h"

namespace leitong::storage {

ScratchFile::ScratchFile(Vfs& vfs, std::string path, std::uint64_t held) : vfs_(vfs), path_(std::move(path)), most_held_(held) {
  if (most_held_ == 0) writer_ = vfs_.create(path_);
}

ScratchFile::~ScratchFile() {
  if (!writer_ && !reader_) return;
  writer_.reset();
  reader_.reset();
  try {
    vfs_.remove(path_);
  } catch (...) {
    // What cannot be removed stays; a destructor must not throw.
  }
}

std::uint64_t ScratchFile::append(std::span<const std::byte> bytes) {
  if (was_read_) throw Error(ErrorCode::usage, path_ + ": bytes were appended to a scratch file that was read");
  if (!writer_ && bytes.size() > most_held_ - held_.size()) {
    writer_ = vfs_.create(path_);
    writer_->append(held_);
    held_ = {};
  }
  if (writer_)
    writer_->append(bytes);
  else
    held_.insert(held_.end(), bytes.begin(), bytes.end());
  return std::exchange(size_, size_ + bytes.size());
}

void ScratchFile::read(std::uint64_t offset, std::span<std::byte> out) {
  was_read_ = true;
  if (writer_) {
    writer_->close();
    writer_.reset();
    reader_ = vfs_.open(path_);
  }
  if (reader_) return reader_->read(offset, out);
  if (offset > held_.size() || out.size() > held_.size() - offset) throw Error(ErrorCode::format, path_ + ": a scratch file ends too soon");
  std::copy_n(held_.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
}

}  // namespace leitong::storage
