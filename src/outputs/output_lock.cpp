#include "outputs/output_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "leitong/error.h"
#include "records/made_files.h"
#include "storage/vfs.h"

namespace leitong::outputs {

OutputLock::OutputLock(const std::string& directory) : descriptor_(-1) {
  if (std::error_code error; std::filesystem::exists(directory, error) && !std::filesystem::is_directory(directory, error))
    throw Error(ErrorCode::usage, fmt::format("{}: is no directory; --output-dir names one, which is made if need be", directory));
  storage::posix_vfs().make_directories(directory);
  const std::string path = directory + "/" + records::results_marker;
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ < 0) throw Error(ErrorCode::io, fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  ::close(descriptor_);
  throw Error(
      ErrorCode::usage,
      fmt::format("{}: another run is writing to this directory: wait until it has ended, or give another --output-dir", directory));
}

OutputLock::~OutputLock() { ::close(descriptor_); }

}  // namespace leitong::outputs
