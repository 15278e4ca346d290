#include "fingerprint/content_file.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <fstream>
#include <iterator>

#include "leitong/error.h"

namespace leitong::fingerprint {

std::string read_content(const std::string& path, std::string_view what) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorCode::io, fmt::format("{}: cannot be read; the profile names it as {}", path, what));
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string content_hash(std::string_view bytes) {
  const XXH128_hash_t h = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", h.high64, h.low64);
}

}  // namespace leitong::fingerprint
