#include "storage/content_file.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "leitong/error.h"

namespace leitong::storage {

std::string read_content(const std::string& path, std::string_view what) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  if (file && file.peek() != std::ifstream::traits_type::eof()) content << file.rdbuf();  // sets a state where an iterator throws
  if (!file.is_open() || file.bad() || content.bad() || std::filesystem::is_directory(path))
    throw Error(ErrorCode::io, fmt::format("{}: cannot be read; the profile names it as {}", path, what));
  return std::move(content).str();
}

std::string content_hash(std::string_view bytes) {
  const XXH128_hash_t h = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", h.high64, h.low64);
}

}  // namespace leitong::storage
