// A file in memory, for tests and fuzz targets.
#pragma once

#include <cstring>
#include <string>
#include <utility>

#include "leitong/error.h"
#include "storage/vfs.h"

namespace leitong::parquet {

class MemoryFile final : public storage::ReadableFile {
 public:
  explicit MemoryFile(std::string bytes) : bytes_(std::move(bytes)) {}
  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
  void read(std::uint64_t offset, std::span<std::byte> out) const override {
    if (offset > bytes_.size() || out.size() > bytes_.size() - offset) throw Error(ErrorCode::format, "a read beyond the end");
    if (!out.empty()) std::memcpy(out.data(), bytes_.data() + offset, out.size());
  }

 private:
  std::string bytes_;
};

}  // namespace leitong::parquet
