#include "outputs/made_mark.h"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

#include "records/walk.h"

#if defined(__linux__)
#include <sys/xattr.h>
#endif

namespace leitong::outputs {
namespace {

constexpr const char* attribute = "user.leitong";

// A string that changes when the content changes.
std::string state_of(const std::string& path) {
  std::uint64_t size = 0;
  std::int64_t modified = 0;
  return records::stat_file(path, size, modified) ? fmt::format("made {} {}", size, modified) : std::string();
}

}  // namespace

#if defined(__linux__)

void mark_as_made(const std::string& path) {
  const std::string state = state_of(path);
  static_cast<void>(::setxattr(path.c_str(), attribute, state.data(), state.size(), 0));
}

bool is_marked_as_made(const std::string& path) {
  char value[64];
  const ssize_t size = ::getxattr(path.c_str(), attribute, value, sizeof value);
  return size > 0 && std::string_view(value, static_cast<std::size_t>(size)) == state_of(path);
}

#else

void mark_as_made(const std::string&) {}

bool is_marked_as_made(const std::string&) { return false; }

#endif

}  // namespace leitong::outputs
