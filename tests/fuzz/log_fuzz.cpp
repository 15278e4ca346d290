// Opens arbitrary bytes as a log: as they are; behind a good header; and with the checks of records made good as well, so that lengths and
// marks meet the reader too. Whatever the bytes are, all ways of reading agree.
#include <xxhash.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "leitong/error.h"
#include "storage/log.h"

namespace {

using leitong::Error;
using leitong::ErrorCode;
using namespace leitong::storage;
using Bytes = std::vector<std::byte>;

constexpr LogName log_name{{1, 2}, 3};

class MemoryFile final : public ReadableFile {
 public:
  explicit MemoryFile(const Bytes& bytes) : bytes_(bytes) {}
  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
  void read(std::uint64_t offset, std::span<std::byte> out) const override {
    if (offset > size() || out.size() > size() - offset) std::abort();  // a log is never read behind its end
    if (!out.empty()) std::memcpy(out.data(), bytes_.data() + offset, out.size());
  }

 private:
  const Bytes& bytes_;
};

// One file of any name, to be read.
class MemoryVfs final : public Vfs {
 public:
  explicit MemoryVfs(const Bytes& bytes) : bytes_(bytes) {}
  std::unique_ptr<ReadableFile> open(const std::string&) override { return std::make_unique<MemoryFile>(bytes_); }
  bool exists(const std::string&) override { return true; }
  std::unique_ptr<WritableFile> create(const std::string&) override { std::abort(); }
  void rename(const std::string&, const std::string&) override { std::abort(); }
  void remove(const std::string&) override { std::abort(); }
  void make_directories(const std::string&) override { std::abort(); }
  void sync_directory(const std::string&) override { std::abort(); }
  std::vector<std::string> list(const std::string&) override { std::abort(); }

 private:
  const Bytes& bytes_;
};

struct Seen {
  LogEnd end;
  std::vector<std::string> payloads;
};

// Nothing if the log is refused.
template <typename Read>
std::optional<Seen> see(Read read) {
  Seen seen;
  try {
    seen.end = read([&](std::span<const std::byte> payload) {
      seen.payloads.emplace_back(reinterpret_cast<const char*>(payload.data()), payload.size());
    });
  } catch (const Error& error) {
    if (error.code() != ErrorCode::format && error.code() != ErrorCode::unsupported) std::abort();
    return std::nullopt;
  }
  return seen;
}

void require(bool condition) {
  if (!condition) std::abort();
}

void read_all(const Bytes& bytes) {
  MemoryVfs vfs(bytes);
  const auto followed = see([&](const auto& visit) { return follow_log(vfs, "fuzz", log_name, 0, visit); });
  const auto whole = see([&](const auto& visit) { return read_log(vfs, "fuzz", log_name, {}, visit); });
  require(followed || !whole);
  if (!followed) return;
  const std::uint64_t end = followed->end.size;
  require(end >= 64 && end <= bytes.size() && followed->end.torn == (end < bytes.size()));
  if (whole) require(whole->payloads == followed->payloads && whole->end.size == end);
  const auto sealed = see([&](const auto& visit) { return read_log(vfs, "fuzz", log_name, {end, true}, visit); });
  require(sealed && sealed->payloads == followed->payloads && !sealed->end.torn);
  require(!see([&](const auto& visit) { return read_log(vfs, "fuzz", log_name, {end + 1, true}, visit); }));
  require(!see([&](const auto& visit) { return read_log(vfs, "fuzz", log_name, {end + 1, false}, visit); }));
  const auto rest = see([&](const auto& visit) { return follow_log(vfs, "fuzz", log_name, end, visit); });
  require(rest && rest->payloads.empty() && rest->end.size == end);
}

template <typename T>
void put(Bytes& bytes, std::size_t offset, const T& value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

// The header of the log that is looked for, and `data` behind it.
Bytes with_header(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(64 + size);
  std::memcpy(bytes.data(), "\x89LTL\r\n\x1a\n", 8);
  put<std::uint32_t>(bytes, 8, 1);
  put(bytes, 16, log_name.store);
  put(bytes, 32, log_name.number);
  put<std::uint64_t>(bytes, 56, XXH3_64bits(bytes.data(), 56));
  if (size > 0) std::memcpy(bytes.data() + 64, data, size);
  return bytes;
}

// Makes good the check of each head, and of each payload that has an even length.
void make_good(Bytes& bytes) {
  const std::uint64_t key = XXH3_64bits(bytes.data() + 16, 24);
  for (std::size_t at = 64; at + 24 <= bytes.size();) {
    std::uint32_t sizes[2];
    std::memcpy(sizes, bytes.data() + at, sizeof sizes);
    std::byte head[16];
    std::memcpy(head, sizes, 8);
    const std::uint64_t offset = at;
    std::memcpy(head + 8, &offset, 8);
    const std::uint64_t check = XXH3_64bits_withSeed(head, sizeof head, key);
    put(bytes, at + 8, check);
    const std::size_t room = bytes.size() - at - 24, padded = (std::size_t{sizes[0]} + 7) / 8 * 8;
    if (sizes[0] % 2 == 0 && padded <= room) {
      put<std::uint64_t>(bytes, at + 16, XXH3_64bits_withSeed(bytes.data() + at + 24, sizes[0], check));
      std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at + 24 + sizes[0]), padded - sizes[0], std::byte{0});
    }
    at += 24 + std::min(padded, room / 8 * 8);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(reinterpret_cast<const std::byte*>(data), reinterpret_cast<const std::byte*>(data) + size);
  read_all(bytes);
  bytes = with_header(data, size);
  read_all(bytes);
  make_good(bytes);
  read_all(bytes);
  return 0;
}
