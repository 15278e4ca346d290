#include "segment/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "leitong/error.h"

namespace leitong::segment {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file, const char* verb) {
  throw Error(ErrorCode::io, file.string() + ": cannot " + verb + ": " + std::strerror(errno));
}

class Descriptor {
 public:
  explicit Descriptor(const std::filesystem::path& file) : fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (fd < 0) fail(file, "open");
  }
  ~Descriptor() { ::close(fd); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  const int fd;
};

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& file) {
  const Descriptor opened(file);
  struct stat status{};
  if (::fstat(opened.fd, &status) != 0) fail(file, "read the size");
  if (!S_ISREG(status.st_mode)) throw Error(ErrorCode::io, file.string() + ": is not a regular file");
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ == 0) return;
  void* const at = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, opened.fd, 0);
  if (at == MAP_FAILED) fail(file, "map");
  data_ = static_cast<const char*>(at);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<char*>(data_), size_);
}

}  // namespace leitong::segment
