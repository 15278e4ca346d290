#include "storage/log.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "leitong/error.h"

namespace leitong::storage {
namespace {

static_assert(std::endian::native == std::endian::little, "headers and heads are copied to and from a little-endian file");

constexpr char file_magic[8] = {'\x89', 'L', 'T', 'L', '\r', '\n', '\x1a', '\n'};
constexpr std::uint32_t file_version = 1;
constexpr std::uint64_t unit = 8;                   // records begin at multiples of it
constexpr std::uint64_t most_log = unit << 32U;     // so that a distance fits its 32 bits
constexpr std::uint64_t window_size = 1ULL << 18U;  // bytes read at a time

struct Header {
  char magic[8];
  std::uint32_t version, zero;
  std::uint64_t store[2], number, zeros[2];
  std::uint64_t checksum;  // XXH3-64 of what stands before it
};
static_assert(sizeof(Header) == 64);

// The head has a check of its own: a length is believed before anything is read for it, and looking for later records costs
// a few bytes of hashing a place instead of a payload.
struct Head {
  std::uint32_t bytes, distance;  // of the payload; back to the mark, in units
  std::uint64_t check, checksum;  // of bytes, distance and offset; of the payload
};
static_assert(sizeof(Head) == 24);

constexpr std::uint64_t padded(std::uint64_t bytes) { return (bytes + unit - 1) / unit * unit; }

std::uint64_t key_of(const LogName& name) {
  const std::uint64_t parts[3] = {name.store[0], name.store[1], name.number};
  return XXH3_64bits(parts, sizeof parts);
}

std::uint64_t check_of(const Head& head, std::uint64_t key, std::uint64_t offset) {
  std::byte bytes[16];
  std::memcpy(bytes, &head, 8);
  std::memcpy(bytes + 8, &offset, 8);
  return XXH3_64bits_withSeed(bytes, sizeof bytes, key);
}

// Seeded with the head's check, a payload belongs to this length, mark, offset and log.
std::uint64_t checksum_of(std::span<const std::byte> payload, const Head& head) {
  return XXH3_64bits_withSeed(payload.data(), payload.size(), head.check);
}

Header make_header(const LogName& name) {
  Header header{};
  std::memcpy(header.magic, file_magic, sizeof file_magic);
  header.version = file_version;
  header.store[0] = name.store[0];
  header.store[1] = name.store[1];
  header.number = name.number;
  header.checksum = XXH3_64bits(&header, offsetof(Header, checksum));
  return header;
}

class LogReader {
 public:
  // Reads up to `end`, or to where the file ends now.
  LogReader(Vfs& vfs, const std::string& path, const LogName& name, std::uint64_t end)
      : path_(path), file_(vfs.open(path)), end_(std::min(end, file_->size())), key_(key_of(name)) {
    check_header(name);
  }

  // Visits records from `offset` on, up to the first bad one; returns where that stands.
  std::uint64_t visit_from(std::uint64_t offset, const std::function<void(std::span<const std::byte>)>& visit) {
    for (;;) {
      const std::optional<Head> head = head_at(offset);
      if (!head || end_ - offset - sizeof(Head) < padded(head->bytes)) return offset;
      const std::uint64_t size = sizeof(Head) + padded(head->bytes);
      const std::span<const std::byte> record = window(offset, size);
      const std::span<const std::byte> payload = record.subspan(sizeof(Head), head->bytes);
      if (checksum_of(payload, *head) != head->checksum) return offset;
      for (const std::byte zero : record.subspan(sizeof(Head) + payload.size())) {
        if (zero != std::byte{0}) return offset;
      }
      visit(payload);
      offset += size;
    }
  }

  // Where a head stands that was written when the log had been synced beyond `bad`, if there is one. Heads prove that
  // without their payloads, which a crash may have spoilt.
  std::optional<std::uint64_t> proof_against(std::uint64_t bad) {
    for (std::uint64_t offset = bad + unit; offset < end_; offset += unit) {
      const std::optional<Head> head = head_at(offset);
      if (head && offset - head->distance * unit > bad) return offset;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::uint64_t end() const { return end_; }

  [[noreturn]] void damaged(std::uint64_t offset, const std::string& what) const {
    throw Error(ErrorCode::format,
                fmt::format("{}: offset {}: {}; the log is damaged: restore the collection from a backup", path_, offset, what));
  }

 private:
  void check_header(const LogName& name) {
    Header header;
    if (end_ < sizeof header) damaged(end_, "the file ends before its header does");
    std::memcpy(&header, window(0, sizeof header).data(), sizeof header);
    if (std::memcmp(header.magic, file_magic, sizeof file_magic) != 0) damaged(0, "this is not a log file");
    if (header.checksum != XXH3_64bits(&header, offsetof(Header, checksum))) damaged(0, "the header has a wrong checksum");
    if (header.version > file_version)
      throw Error(ErrorCode::unsupported, fmt::format("{}: has log version {}, this program reads up to version {}; use a newer leitong",
                                                      path_, header.version, file_version));
    const Header wanted = make_header(name);
    if (std::memcmp(&header, &wanted, sizeof header) != 0)
      damaged(0, fmt::format("the header is that of another log (number {}, not {})", header.number, name.number));
  }

  std::optional<Head> head_at(std::uint64_t offset) {
    Head head;
    if (offset > end_ || end_ - offset < sizeof head) return std::nullopt;
    std::memcpy(&head, window(offset, sizeof head).data(), sizeof head);
    if (head.bytes == 0 || head.bytes > most_log_record || head.distance > (offset - sizeof(Header)) / unit) return std::nullopt;
    if (head.check != check_of(head, key_, offset)) return std::nullopt;
    return head;
  }

  // Bytes of the file, which has them; valid until the next call.
  std::span<const std::byte> window(std::uint64_t offset, std::uint64_t size) {
    if (offset < at_ || offset + size > at_ + have_) {
      const std::uint64_t want = std::min(end_ - offset, std::max(size, window_size));
      have_ = 0;
      if (buffer_.size() < want) buffer_ = std::vector<std::byte>(static_cast<std::size_t>(want));
      file_->read(offset, std::span(buffer_).first(static_cast<std::size_t>(want)));
      at_ = offset;
      have_ = want;
    }
    return std::span<const std::byte>(buffer_).subspan(static_cast<std::size_t>(offset - at_), static_cast<std::size_t>(size));
  }

  const std::string& path_;
  std::unique_ptr<ReadableFile> file_;
  std::uint64_t end_, key_;
  std::vector<std::byte> buffer_;
  std::uint64_t at_ = 0, have_ = 0;  // what of the file the buffer holds
};

}  // namespace

LogWriter::LogWriter(Vfs& vfs, std::string path, const LogName& name) : path_(std::move(path)), key_(key_of(name)) {
  const Header header = make_header(name);
  file_ = vfs.create(path_);
  file_->append(std::as_bytes(std::span(&header, 1)));
  file_->sync();
  vfs.sync_directory(parent_directory(path_));
  size_ = durable_ = sizeof header;
}

void LogWriter::append(std::span<const std::byte> payload) {
  require_usable("append");
  if (payload.empty() || payload.size() > most_log_record)
    throw Error(ErrorCode::limit, fmt::format("{}: a record of {} bytes; a log takes 1 to {}: write smaller batches", path_, payload.size(),
                                              most_log_record));
  if (size_ >= most_log)
    throw Error(ErrorCode::limit, fmt::format("{}: holds {} bytes and takes no more: begin another log", path_, size_));
  Head head{};
  head.bytes = static_cast<std::uint32_t>(payload.size());
  head.distance = static_cast<std::uint32_t>((size_ - durable_) / unit);
  head.check = check_of(head, key_, size_);
  head.checksum = checksum_of(payload, head);
  record_.resize(sizeof head + padded(payload.size()));
  std::memcpy(record_.data(), &head, sizeof head);
  std::memcpy(record_.data() + sizeof head, payload.data(), payload.size());
  std::fill(record_.begin() + static_cast<std::ptrdiff_t>(sizeof head + payload.size()), record_.end(), std::byte{0});
  final_if_it_throws([&] { file_->append(record_); });  // in one call: a log that is followed has few half records
  size_ += record_.size();
}

void LogWriter::sync() {
  require_usable("sync");
  final_if_it_throws([&] { file_->sync(); });
  durable_ = size_;
}

void LogWriter::close() {
  require_usable("close");
  const std::unique_ptr<WritableFile> file = std::move(file_);
  file->close();
}

void LogWriter::require_usable(const char* operation) const {
  if (!file_)
    throw Error(ErrorCode::io, fmt::format("{}: {} refused: the log is closed or an earlier write to it failed", path_, operation));
}

template <typename Call>
void LogWriter::final_if_it_throws(Call call) {
  try {
    call();
  } catch (...) {
    file_.reset();
    throw;
  }
}

LogEnd read_log(Vfs& vfs, const std::string& path, const LogName& name, const LogExpectation& expected,
                const std::function<void(std::span<const std::byte> payload)>& visit) {
  LogReader log(vfs, path, name, expected.sealed ? expected.durable : UINT64_MAX);
  LogEnd end;
  end.size = log.visit_from(sizeof(Header), visit);
  if (end.size < expected.durable)
    log.damaged(end.size, fmt::format("no good record although the log was durable up to offset {}", expected.durable));
  end.torn = end.size < log.end();
  if (end.torn) {
    if (const std::optional<std::uint64_t> proof = log.proof_against(end.size))
      log.damaged(end.size, fmt::format("no good record although the one at offset {} was written after it was durable", *proof));
  }
  return end;
}

LogEnd follow_log(Vfs& vfs, const std::string& path, const LogName& name, std::uint64_t from,
                  const std::function<void(std::span<const std::byte> payload)>& visit) {
  LogReader log(vfs, path, name, UINT64_MAX);
  const std::uint64_t begin = std::max<std::uint64_t>(from, sizeof(Header));
  if (begin > log.end()) log.damaged(log.end(), fmt::format("the file ends before offset {}, up to which it was read before", begin));
  LogEnd end;
  end.size = log.visit_from(begin, visit);
  end.torn = end.size < log.end();
  return end;
}

}  // namespace leitong::storage
