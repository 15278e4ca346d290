#include "cli/cluster_feed.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>

#include "cli/diff.h"
#include "leitong/error.h"

namespace leitong::cli {
namespace {

constexpr std::string_view end_mark = "\"change\":\"end\",\"key\":\"";

// Of the number that `before` stands before and `behind` behind.
std::optional<std::uint64_t> number_in(std::string_view line, std::string_view before, char behind, int base) {
  const std::size_t at = line.find(before);
  if (at == std::string_view::npos) return std::nullopt;
  line.remove_prefix(at + before.size());
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number, base);
  return error == std::errc() && end != line.data() + line.size() && *end == behind ? std::optional(number) : std::nullopt;
}

std::optional<std::uint64_t> state_of(std::string_view line) {
  return line.starts_with(ClusterFeed::begin_of_line) ? number_in(line, ClusterFeed::begin_of_line, ',', 10) : std::nullopt;
}

}  // namespace

std::string ClusterFeed::end_line(const CollectionClusterState& state) {
  return fmt::format("{}{},\"sequence\":{},{}{:016x}\",\"clusters\":{},\"documents\":{},\"rule\":{},\"rule_id\":\"{}\"}}\n", begin_of_line,
                     state.mark.state, state.sequence, end_mark, state.mark.key, state.clusters, state.documents, json_string(state.rule),
                     state.rule_id);
}

ClusterFeed::ClusterFeed(std::string path) : path_(std::move(path)) {
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  try {
    struct stat about{};
    if (file_ < 0 || ::fstat(file_, &about) != 0) fail("opened");
    if (!S_ISREG(about.st_mode))
      throw Error(ErrorCode::usage, path_ + ": is no file that can be read back; --changes - prints the changes");
    length_ = about.st_size;
    std::array<char, 64> first{};
    const ssize_t got = read_at(first.data(), first.size(), 0);
    if (got != 0 && !state_of({first.data(), static_cast<std::size_t>(got)}))
      throw Error(ErrorCode::usage, path_ + ": is there and no feed of changes; give another file");
    find_end();
  } catch (...) {
    if (file_ >= 0) ::close(file_);
    throw;
  }
}

ClusterFeed::~ClusterFeed() { ::close(file_); }

void ClusterFeed::write(std::string_view lines) {
  if (lines.empty()) return;
  if (!begun_ && ::ftruncate(file_, length_) != 0) fail("written");  // the half of a line goes
  begun_ = true;
  while (!lines.empty()) {
    const ssize_t wrote = ::pwrite(file_, lines.data(), lines.size(), length_);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) fail("written");
    length_ += wrote;
    lines.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

void ClusterFeed::finish(std::string_view end_line) {
  sync();
  write(end_line);
  sync();
}

void ClusterFeed::sync() {
  while (::fsync(file_) != 0)
    if (errno != EINTR) fail("written");
}

void ClusterFeed::fail(const char* what) const {
  throw Error(ErrorCode::io, fmt::format("{}: cannot be {}: {}", path_, what, std::strerror(errno)));
}

ssize_t ClusterFeed::read_at(char* to, std::size_t size, off_t offset) const {
  const ssize_t got = ::pread(file_, to, size, offset);
  if (got < 0) fail("read");
  return got;
}

// Where the line begins that ends at or before `end`: behind the line end before it.
off_t ClusterFeed::line_before(off_t end) const {
  std::array<char, 4096> part{};
  while (end > 0) {
    const off_t from = std::max<off_t>(end - static_cast<off_t>(part.size()), 0);
    const ssize_t got = read_at(part.data(), static_cast<std::size_t>(end - from), from);
    const auto line_end = std::string_view(part.data(), static_cast<std::size_t>(got)).rfind('\n');
    if (line_end != std::string_view::npos) return from + static_cast<off_t>(line_end) + 1;
    end = from;
  }
  return 0;
}

// Length and last state of the whole lines. Only a closing one has a key, and it is short.
void ClusterFeed::find_end() {
  length_ = line_before(length_);
  if (length_ == 0) return;
  const off_t from = line_before(length_ - 1);
  std::array<char, 1024> last{};
  const auto size = static_cast<std::size_t>(std::min<off_t>(length_ - from, last.size()));
  const std::string_view line(last.data(), static_cast<std::size_t>(read_at(last.data(), size, from)));
  mark_.state = state_of(line).value_or(0);
  if (line.ends_with("}\n")) mark_.key = number_in(line, end_mark, '"', 16).value_or(0);
}

}  // namespace leitong::cli
