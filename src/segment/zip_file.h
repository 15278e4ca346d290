// A zip file (a jar is one) read by name, with libzip.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

struct zip;

namespace leitong::segment {

// Not thread-safe.
class ZipFile {
 public:
  static constexpr std::uint64_t most_member_bytes = 256U << 20U;  // a larger member is a bomb or no dictionary

  // Error(io) when it cannot be read, Error(format) when it is no zip file.
  explicit ZipFile(std::string path);

  [[nodiscard]] bool contains(const std::string& name) const;
  // The bytes of a member, checked against its CRC-32. Error(format) when it is missing or damaged, Error(unsupported) for encryption or an
  // unknown compression, Error(limit) beyond most_member_bytes.
  [[nodiscard]] std::vector<std::uint8_t> read(const std::string& name) const;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  struct Close {
    void operator()(struct zip* archive) const noexcept;
  };
  [[noreturn]] void fail(const std::string& name, const std::string& what) const;

  std::string path_;
  std::unique_ptr<struct zip, Close> archive_;
};

}  // namespace leitong::segment
