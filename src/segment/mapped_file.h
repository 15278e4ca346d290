// A file mapped for reading.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace leitong::segment {

class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& file);  // throws Error (io)
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::span<const char> bytes() const { return {data_, size_}; }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace leitong::segment
