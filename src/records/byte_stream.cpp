#include "records/byte_stream.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "leitong/error.h"

namespace leitong::records {

FileStream::~FileStream() {
  if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
}

// A read of a pipe may wait for ever, and is begun again after a signal: waiting is left to poll, which is not.
void FileStream::wait() const {
  if (stop_ == nullptr) return;
  pollfd ready{descriptor_, POLLIN, 0};
  while (!stop_->load(std::memory_order_relaxed) && ::poll(&ready, 1, 200) <= 0) {
  }
  if (stop_->load(std::memory_order_relaxed)) throw Error(ErrorCode::interrupted, "stopped before the end");
}

std::size_t FileStream::read(char* out, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const std::size_t got = read_some(out + done, size - done);
    if (got == 0) break;
    done += got;
  }
  return done;
}

std::size_t FileStream::read_some(char* out, std::size_t size) {
  while (fault_.empty()) {
    wait();
    const ssize_t got = ::read(descriptor_, out, std::min<std::size_t>(size, std::size_t{1} << 30));
    if (got >= 0) {
      position_ += static_cast<std::uint64_t>(got);
      return static_cast<std::size_t>(got);
    }
    if (errno != EINTR) fault_ = fmt::format("cannot be read beyond byte {}: {}", position_, std::strerror(errno));
  }
  return 0;
}

void FileStream::seek(std::uint64_t position) {
  if (::lseek(descriptor_, static_cast<off_t>(position), SEEK_SET) < 0) {
    fault_ = fmt::format("cannot be read at byte {}: {}", position, std::strerror(errno));
    return;
  }
  position_ = position;
}

std::unique_ptr<FileStream> open_file(const std::string& path, bool follow_link, std::string& error, const std::atomic<bool>* stop) {
  if (path == "-") return std::make_unique<FileStream>(STDIN_FILENO, stop);
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | (follow_link ? 0 : O_NOFOLLOW));
  if (descriptor < 0) {
    error = fmt::format("cannot be opened: {}", std::strerror(errno));
    return nullptr;
  }
  ::posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
  return std::make_unique<FileStream>(descriptor, stop);
}

std::size_t MemoryStream::read(char* out, std::size_t size) {
  const std::size_t count = std::min(size, bytes_.size() - position_);
  if (count != 0) std::memcpy(out, bytes_.data() + position_, count);
  position_ += count;
  return count;
}

std::string_view HeadStream::peek(std::size_t size) {
  const std::size_t have = head_.size() - begin_;
  if (have < size) {
    head_.resize(begin_ + size);
    const std::size_t got = inner_->read(head_.data() + begin_ + have, size - have);
    head_.resize(begin_ + have + got);
  }
  return {head_.data() + begin_, std::min(size, head_.size() - begin_)};
}

std::size_t HeadStream::read(char* out, std::size_t size) {
  const std::size_t from_head = std::min(size, head_.size() - begin_);
  if (from_head != 0) std::memcpy(out, head_.data() + begin_, from_head);
  begin_ += from_head;
  if (from_head == size) return size;
  head_.clear();
  begin_ = 0;
  const std::size_t got = from_head + inner_->read(out + from_head, size - from_head);
  if (got < size) fault_ = inner_->fault();
  return got;
}

}  // namespace leitong::records
