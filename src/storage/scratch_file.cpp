#include "storage/scratch_file.h"

#include <utility>

#include "leitong/error.h"

namespace leitong::storage {

ScratchFile::ScratchFile(Vfs& vfs, std::string path) : vfs_(vfs), path_(std::move(path)), writer_(vfs.create(path_)) {}

ScratchFile::~ScratchFile() {
  writer_.reset();
  reader_.reset();
  try {
    vfs_.remove(path_);
  } catch (...) {
    // What cannot be removed stays; a destructor must not throw.
  }
}

std::uint64_t ScratchFile::append(std::span<const std::byte> bytes) {
  if (!writer_) throw Error(ErrorCode::usage, path_ + ": bytes were appended to a scratch file that was read");
  writer_->append(bytes);
  return std::exchange(size_, size_ + bytes.size());
}

void ScratchFile::read(std::uint64_t offset, std::span<std::byte> out) {
  if (writer_) {
    writer_->close();
    writer_.reset();
    reader_ = vfs_.open(path_);
  }
  reader_->read(offset, out);
}

}  // namespace leitong::storage
