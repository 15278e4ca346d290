#include "cli/target.h"

#include <sys/stat.h>

#include <filesystem>

#include "leitong/error.h"

namespace leitong::cli {

void check_target(const std::string& path, std::string_view advice) {
  struct stat status{};
  if (path.empty() || ::lstat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode)) return;
  throw Error(ErrorCode::usage, path + ": exists and is no regular file, so no file can take its name; " + std::string(advice));
}

void check_no_input(const std::string& path, const std::string& input) {
  std::error_code none;
  if (path == "-" || input == "-" || !std::filesystem::equivalent(path, input, none) || none) return;
  throw Error(ErrorCode::usage, path + ": is the input itself; give the output another name");
}

}  // namespace leitong::cli
