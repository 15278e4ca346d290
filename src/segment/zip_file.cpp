#include "segment/zip_file.h"

#include <zlib.h>

#include <cstring>
#include <fstream>
#include <utility>

#include "leitong/error.h"

namespace leitong::segment {
namespace {

constexpr std::uint32_t kMostMemberBytes = 1U << 30U;  // a bound on what a damaged directory can make us allocate
constexpr std::size_t kEndBytes = 22, kEntryBytes = 46, kLocalBytes = 30;

[[noreturn]] void damaged(const std::string& path, std::size_t offset, const std::string& what) {
  throw Error(ErrorCode::format,
              path + ": offset " + std::to_string(offset) + ": " + what + "; the file is not a whole zip or jar, get it again");
}

std::vector<std::uint8_t> file_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in) throw Error(ErrorCode::io, path + ": cannot be opened; check that the file exists and is readable");
  const std::streamoff size = in.tellg();
  if (size < 0) throw Error(ErrorCode::io, path + ": is not a regular file");
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size));
  in.seekg(0);
  if (!bytes.empty() && !in.read(reinterpret_cast<char*>(bytes.data()), size))
    throw Error(ErrorCode::io, path + ": cannot be read to its end");
  return bytes;
}

// Inflates exactly `out.size()` bytes; false when the stream is broken or of another length.
bool inflate_raw(const std::uint8_t* data, std::uint32_t size, std::vector<std::uint8_t>& out) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return false;
  stream.next_in = const_cast<Bytef*>(data);  // zlib does not write there
  stream.avail_in = size;
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = inflate(&stream, Z_FINISH);
  const bool whole = status == Z_STREAM_END && stream.total_out == out.size();
  inflateEnd(&stream);
  return whole;
}

}  // namespace

ZipFile::ZipFile(std::string path) : path_(std::move(path)), bytes_(file_bytes(path_)) { read_directory(); }

std::uint32_t ZipFile::number(std::size_t at, unsigned bytes) const {
  if (at > bytes_.size() || bytes_.size() - at < bytes) damaged(path_, at, "ends too early");
  std::uint32_t value = 0;
  for (unsigned i = 0; i < bytes; ++i) value |= std::uint32_t{bytes_[at + i]} << (8 * i);
  return value;
}

std::size_t ZipFile::directory_end() const {
  if (bytes_.size() < kEndBytes) damaged(path_, 0, "is too short");
  const std::size_t first = bytes_.size() - kEndBytes;
  const std::size_t last = first > 0xFFFF ? first - 0xFFFF : 0;
  for (std::size_t at = first;; --at) {
    if (std::memcmp(bytes_.data() + at, "PK\5\6", 4) == 0) return at;
    if (at == last) damaged(path_, bytes_.size(), "has no end-of-directory record");
  }
}

void ZipFile::read_directory() {
  const std::size_t end = directory_end();
  const std::uint32_t count = number(end + 10, 2);
  std::size_t at = number(end + 16, 4);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (number(at, 4) != 0x02014B50) damaged(path_, at, "has a broken directory entry");
    Member member;
    member.flags = number(at + 8, 2);
    member.method = number(at + 10, 2);
    member.crc = number(at + 16, 4);
    member.packed = number(at + 20, 4);
    member.size = number(at + 24, 4);
    member.header = number(at + 42, 4);
    const std::uint32_t name = number(at + 28, 2);
    const std::uint32_t rest = number(at + 30, 2) + number(at + 32, 2);
    if (bytes_.size() - at - kEntryBytes < name) damaged(path_, at, "has a directory entry that ends too early");
    members_[std::string(reinterpret_cast<const char*>(bytes_.data()) + at + kEntryBytes, name)] = member;
    at += kEntryBytes + name + rest;
  }
}

std::vector<std::uint8_t> ZipFile::read(const std::string& name) const {
  const auto found = members_.find(name);
  if (found == members_.end()) throw Error(ErrorCode::format, path_ + ": holds no member " + name);
  const Member& member = found->second;
  if ((member.flags & 1U) != 0) throw Error(ErrorCode::unsupported, path_ + ": member " + name + " is encrypted");
  if (member.method != 0 && member.method != 8) {
    throw Error(ErrorCode::unsupported, path_ + ": member " + name + " has compression method " + std::to_string(member.method));
  }
  if (number(member.header, 4) != 0x04034B50) damaged(path_, member.header, "has no member where " + name + " should begin");
  const std::size_t data = member.header + kLocalBytes + number(member.header + 26, 2) + number(member.header + 28, 2);
  if (data > bytes_.size() || bytes_.size() - data < member.packed) damaged(path_, data, "ends inside " + name);
  if (member.size > kMostMemberBytes) damaged(path_, member.header, "claims an impossible length for " + name);
  std::vector<std::uint8_t> out(member.size);
  const std::uint8_t* packed = bytes_.data() + data;
  if (member.method == 8 ? !inflate_raw(packed, member.packed, out) : member.packed != member.size) {
    damaged(path_, data, "holds a broken " + name);
  }
  if (member.method == 0) out.assign(packed, packed + member.size);
  if (crc32(crc32(0, nullptr, 0), out.data(), static_cast<uInt>(out.size())) != member.crc) {
    damaged(path_, data, "has a wrong checksum for " + name);
  }
  return out;
}

}  // namespace leitong::segment
