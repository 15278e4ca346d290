// A directory that is empty when a test begins and gone when it ends.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "storage/temporary_directory.h"

namespace leitong {

class TemporaryDirectory : public storage::TemporaryDirectory {
 public:
  std::string write(const std::string& name, std::string_view bytes) const {
    const std::string full = *this / name;
    std::filesystem::create_directories(std::filesystem::path(full).parent_path());
    std::ofstream(full, std::ios::binary) << bytes;
    return full;
  }
};

}  // namespace leitong
