// A directory in the system's place for temporary files, empty at first and removed with all it holds at the end.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "leitong/error.h"

namespace leitong::storage {

class TemporaryDirectory {
 public:
  TemporaryDirectory() : path_((std::filesystem::temp_directory_path() / "leitong-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) throw Error(ErrorCode::io, path_ + ": cannot make a temporary directory");
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace leitong::storage
