#include "records/spool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "leitong/error.h"

namespace leitong::records {
namespace {

constexpr int level = 1;
constexpr std::size_t queue = 4;  // blocks that may wait for the writing thread
constexpr std::uint32_t table_magic = 0x184D2A5E;
constexpr std::uint32_t seekable_magic = 0x8F92EAB1;
constexpr std::size_t footer_size = 9;

void put32(std::string& out, std::uint64_t value) {
  for (int i = 0; i < 4; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
}

std::uint32_t get32(const char* bytes) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

// Never into a file that is there: it may have another name, under which it is somebody's. A device stays what it is.
int open_anew(const std::string& path) {
  struct stat status{};
  if (::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) ::unlink(path.c_str());
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

}  // namespace

std::string spool_path(const std::string& spool, std::size_t n) { return n == 0 ? spool : fmt::format("{}.{}", spool, n); }

SpoolWriter::SpoolWriter(std::string path) : path_(std::move(path)), descriptor_(open_anew(path_)) {
  if (descriptor_ < 0) {
    throw Error(ErrorCode::io, fmt::format("{}: the copy of standard input cannot be written: {}", path_, std::strerror(errno)));
  }
  block_.reserve(spool_frame);
  packed_.resize(ZSTD_compressBound(spool_frame));
  thread_ = std::thread([this] { run(); });
}

SpoolWriter::~SpoolWriter() {
  stop();
  if (descriptor_ >= 0) ::close(descriptor_);
}

void SpoolWriter::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t count = std::min(bytes.size(), spool_frame - block_.size());
    block_.insert(block_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count));
    bytes.remove_prefix(count);
    if (block_.size() == spool_frame) enqueue();
  }
}

void SpoolWriter::enqueue() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return queue_.size() < queue || !error_.empty(); });
  check();
  queue_.push_back(std::move(block_));
  block_.clear();
  if (!free_.empty()) {
    block_ = std::move(free_.back());
    free_.pop_back();
    block_.clear();
  }
  block_.reserve(spool_frame);
  changed_.notify_all();
}

void SpoolWriter::check() {
  if (!error_.empty()) throw Error(ErrorCode::io, error_);
}

void SpoolWriter::stop() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void SpoolWriter::finish() {
  if (!block_.empty()) enqueue();
  stop();
  check();
  write_table();
  check();
  const int descriptor = std::exchange(descriptor_, -1);
  if (::close(descriptor) != 0) {
    throw Error(ErrorCode::io, fmt::format("{}: the copy of standard input cannot be written: {}", path_, std::strerror(errno)));
  }
}

void SpoolWriter::run() {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  if (context != nullptr) {
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  }
  while (true) {
    std::vector<char> block;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return !queue_.empty() || closing_; });
      if (queue_.empty()) break;
      block = std::move(queue_.front());
      queue_.pop_front();
      changed_.notify_all();
      if (!error_.empty()) continue;
    }
    compress(block, context);
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(block));
  }
  ZSTD_freeCCtx(context);
}

void SpoolWriter::compress(const std::vector<char>& block, void* context) {
  const std::size_t size =
      context == nullptr ? 0 : ZSTD_compress2(static_cast<ZSTD_CCtx*>(context), packed_.data(), packed_.size(), block.data(), block.size());
  if (context == nullptr || ZSTD_isError(size) != 0) {
    const std::lock_guard lock(mutex_);
    error_ = fmt::format("{}: the copy of standard input cannot be compressed: {}", path_,
                         context == nullptr ? "out of memory" : ZSTD_getErrorName(size));
    changed_.notify_all();
    return;
  }
  frames_.emplace_back(static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(block.size()));
  write(packed_.data(), size);
}

void SpoolWriter::write(const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t count = ::write(descriptor_, bytes, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      const std::lock_guard lock(mutex_);
      error_ = fmt::format("{}: the copy of standard input cannot be written: {} (make room, or put it elsewhere)", path_,
                           std::strerror(count == 0 ? ENOSPC : errno));
      changed_.notify_all();
      return;
    }
    bytes += count;
    size -= static_cast<std::size_t>(count);
    written_.fetch_add(static_cast<std::uint64_t>(count), std::memory_order_relaxed);
  }
}

void SpoolWriter::write_table() {
  std::string table;
  put32(table, table_magic);
  put32(table, frames_.size() * 8 + footer_size);
  for (const auto& [packed, unpacked] : frames_) {
    put32(table, packed);
    put32(table, unpacked);
  }
  put32(table, frames_.size());
  table += '\0';  // descriptor: no checksums in the table, the frames have their own
  put32(table, seekable_magic);
  write(table.data(), table.size());
}

std::size_t SpoolingStream::read(char* out, std::size_t size) {
  const std::size_t got = inner_->read(out, size);
  spool_.append({out, got});
  if (got < size) fault_ = inner_->fault();
  return got;
}

SpoolReader::SpoolReader(std::string path) : path_(std::move(path)), descriptor_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0) {
    throw Error(ErrorCode::io, fmt::format("{}: the copy of standard input cannot be read: {}", path_, std::strerror(errno)));
  }
  context_ = nullptr;
  try {
    read_table();
    context_ = ZSTD_createDCtx();
    if (context_ == nullptr) throw std::bad_alloc();
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
  loaded_ = frames_.size();
}

SpoolReader::~SpoolReader() {
  ZSTD_freeDCtx(static_cast<ZSTD_DCtx*>(context_));
  ::close(descriptor_);
}

void SpoolReader::damaged(std::string_view what) const {
  throw Error(ErrorCode::format, fmt::format("{}: not a whole copy of standard input: {}; run again", path_, what));
}

void SpoolReader::read_at(std::uint64_t offset, char* out, std::size_t size) {
  while (size > 0) {
    const ssize_t got = ::pread(descriptor_, out, size, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw Error(ErrorCode::io, fmt::format("{}: {}", path_, std::strerror(errno)));
    if (got == 0) damaged("it ends too early");
    out += got;
    offset += static_cast<std::uint64_t>(got);
    size -= static_cast<std::size_t>(got);
  }
}

void SpoolReader::read_table() {
  struct stat status{};
  if (::fstat(descriptor_, &status) != 0) throw Error(ErrorCode::io, fmt::format("{}: {}", path_, std::strerror(errno)));
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size < footer_size + 8) damaged("it has no table");
  char footer[footer_size];
  read_at(size - footer_size, footer, footer_size);
  const std::uint64_t count = get32(footer);
  const std::uint64_t table = count * 8 + footer_size + 8;
  if (get32(footer + 5) != seekable_magic || footer[4] != 0 || table > size) damaged("it has no table");
  std::vector<char> entries(count * 8);
  read_at(size - footer_size - entries.size(), entries.data(), entries.size());
  std::uint64_t packed = 0, unpacked = 0;
  for (std::size_t i = 0; i < count; ++i) {
    frames_.push_back({packed, unpacked});
    if (get32(&entries[i * 8 + 4]) > spool_frame) damaged("a frame is too large");
    packed += get32(&entries[i * 8]);
    unpacked += get32(&entries[i * 8 + 4]);
  }
  frames_.push_back({packed, unpacked});
  if (packed + table != size) damaged("its table does not fit its size");
}

bool is_spool(const std::string& path) {
  try {
    static_cast<void>(SpoolReader(path));
    return true;
  } catch (const Error&) {
    return false;
  }
}

void SpoolReader::seek(std::uint64_t offset) { position_ = offset; }

void SpoolReader::load(std::size_t frame) {
  if (frame == loaded_) return;
  loaded_ = frames_.size();
  packed_.resize(frames_[frame + 1].packed - frames_[frame].packed);
  unpacked_.resize(frames_[frame + 1].unpacked - frames_[frame].unpacked);
  read_at(frames_[frame].packed, packed_.data(), packed_.size());
  const std::size_t size =
      ZSTD_decompressDCtx(static_cast<ZSTD_DCtx*>(context_), unpacked_.data(), unpacked_.size(), packed_.data(), packed_.size());
  if (ZSTD_isError(size) != 0 || size != unpacked_.size()) damaged(fmt::format("the frame at byte {} is broken", frames_[frame].packed));
  loaded_ = frame;
}

std::size_t SpoolReader::read(char* out, std::size_t size) {
  std::size_t done = 0;
  while (done < size && position_ < frames_.back().unpacked) {
    const auto above = std::upper_bound(frames_.begin(), frames_.end(), position_,
                                        [](std::uint64_t position, const Frame& frame) { return position < frame.unpacked; });
    const auto frame = static_cast<std::size_t>(above - frames_.begin()) - 1;
    load(frame);
    const std::size_t from = position_ - frames_[frame].unpacked;
    const std::size_t count = std::min(size - done, unpacked_.size() - from);
    std::memcpy(out + done, unpacked_.data() + from, count);
    done += count;
    position_ += count;
  }
  return done;
}

}  // namespace leitong::records
