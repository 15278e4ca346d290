#include "segment/file_bytes.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "leitong/error.h"

namespace leitong::segment {

// Not by std::ifstream: its iterators throw another exception when what was opened is a directory, or nothing when reading fails midway.
std::string file_bytes(const std::string& path, std::string_view advice) {
  const auto refuse = [&](int error) {
    throw Error(ErrorCode::io, path + ": cannot be read (" + std::strerror(error) + "); " + std::string(advice));
  };
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) refuse(errno);
  std::string bytes;
  std::string piece(std::size_t{1} << 18, '\0');
  ssize_t got = 0;
  int error = 0;
  do {
    got = ::read(file, piece.data(), piece.size());
    if (got > 0) bytes.append(piece, 0, static_cast<std::size_t>(got));
    error = got < 0 ? errno : 0;
  } while (got > 0 || error == EINTR);
  ::close(file);
  if (error != 0) refuse(error);
  return bytes;
}

}  // namespace leitong::segment
