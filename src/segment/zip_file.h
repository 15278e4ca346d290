// A zip file (a jar is one) read by name: stored and deflated members, checked against their CRC-32.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace leitong::segment {

class ZipFile {
 public:
  // Reads the whole file. Error(io) when it cannot be read, Error(format) when it has no valid directory of members.
  explicit ZipFile(std::string path);

  [[nodiscard]] bool contains(const std::string& name) const { return members_.contains(name); }
  // The bytes of a member. Error(format) when it is missing or damaged, Error(unsupported) for encryption or another compression.
  [[nodiscard]] std::vector<std::uint8_t> read(const std::string& name) const;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  struct Member {
    std::uint32_t crc = 0, packed = 0, size = 0, header = 0;
    unsigned method = 0, flags = 0;
  };

  [[nodiscard]] std::uint32_t number(std::size_t at, unsigned bytes) const;
  [[nodiscard]] std::size_t directory_end() const;
  void read_directory();

  std::string path_;
  std::vector<std::uint8_t> bytes_;
  std::map<std::string, Member> members_;
};

}  // namespace leitong::segment
