#include "records/walk.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "leitong/error.h"

namespace leitong::records {
namespace {

// Time zero means "no file" elsewhere, and some images set all times to zero.
std::int64_t modified_time(const struct stat& status) {
  const std::int64_t time = static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec;
  return time == 0 ? 1 : time;
}

char32_t next_character(std::string_view text, std::size_t& position) {
  const auto lead = static_cast<unsigned char>(text[position++]);
  char32_t value = lead;
  if (lead < 0xC0) return value;
  for (; position < text.size() && (text[position] & 0xC0) == 0x80; ++position) {
    value = value << 6 | static_cast<char32_t>(text[position] & 0x3F);
  }
  return value;
}

// `position` is behind '['. False if the set is not closed: then '[' is a character like any other.
bool match_set(std::string_view pattern, std::size_t& position, char32_t c, bool& matched) {
  std::size_t p = position;
  const bool negated = p < pattern.size() && (pattern[p] == '!' || pattern[p] == '^');
  if (negated) ++p;
  bool in = false;
  for (bool first = true; p < pattern.size() && (first || pattern[p] != ']'); first = false) {
    const char32_t low = next_character(pattern, p);
    char32_t high = low;
    if (p + 1 < pattern.size() && pattern[p] == '-' && pattern[p + 1] != ']') {
      ++p;
      high = next_character(pattern, p);
    }
    in = in || (low <= c && c <= high);
  }
  if (p >= pattern.size()) return false;
  position = p + 1;
  matched = in != negated;
  return true;
}

// One pattern element that is not '*' against one character.
bool match_one(std::string_view pattern, std::size_t& p, std::string_view text, std::size_t& t) {
  const char32_t c = next_character(text, t);
  if (pattern[p] == '?') {
    ++p;
    return true;
  }
  if (pattern[p] == '[') {
    std::size_t inside = p + 1;
    bool matched = false;
    if (match_set(pattern, inside, c, matched)) {
      p = inside;
      return matched;
    }
  }
  return next_character(pattern, p) == c;
}

bool matches_any(const std::vector<std::string>& globs, std::string_view relative) {
  const std::string_view name = relative.substr(relative.rfind('/') + 1);
  return std::any_of(globs.begin(), globs.end(), [&](const std::string& g) { return glob_match(g, relative) || glob_match(g, name); });
}

class Walk {
 public:
  Walk(const InputOptions& options, const std::string& root, std::vector<std::string>* with_results)
      : options_(options), root_(root), with_results_(with_results) {
    if (!root_.ends_with('/')) root_ += '/';
  }

  std::vector<Entry> run() {
    pending_.emplace_back();
    while (!pending_.empty()) {
      const std::string directory = std::move(pending_.back());
      pending_.pop_back();
      list(directory);
    }
    std::sort(found_.begin(), found_.end(), [](const Entry& a, const Entry& b) { return a.path < b.path; });
    return std::move(found_);
  }

 private:
  void list(const std::string& directory) {
    const int descriptor = ::open((root_ + directory).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | (directory.empty() ? 0 : O_NOFOLLOW));
    DIR* stream = descriptor < 0 ? nullptr : ::fdopendir(descriptor);
    if (stream == nullptr) {
      add_error(directory, errno);
      if (descriptor >= 0) ::close(descriptor);
      return;
    }
    const bool results = ::faccessat(descriptor, results_marker, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
    if (results && with_results_ != nullptr) {
      const std::string path = root_ + directory;
      with_results_->push_back(path.size() > 1 ? path.substr(0, path.size() - 1) : path);
    }
    while (true) {
      errno = 0;
      const dirent* entry = ::readdir(stream);
      if (entry == nullptr) break;
      const std::string_view name = entry->d_name;
      if (name == "." || name == ".." || (results && is_result_name(name))) continue;
      add(descriptor, directory, name);
    }
    if (errno != 0) add_error(directory, errno);
    ::closedir(stream);
  }

  void add(int descriptor, const std::string& directory, std::string_view name) {
    const std::string relative = directory + std::string(name);
    struct stat status{};
    if (::fstatat(descriptor, std::string(name).c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      if (errno != ENOENT) add_error(relative, errno);  // ENOENT: deleted just now
      return;
    }
    if (!S_ISDIR(status.st_mode) && !S_ISREG(status.st_mode)) return;
    if (matches_any(options_.exclude, relative)) return;
    if (S_ISDIR(status.st_mode)) {
      pending_.push_back(relative + '/');
    } else if (options_.include.empty() || matches_any(options_.include, relative)) {
      found_.push_back({root_ + relative, static_cast<std::uint64_t>(status.st_size), modified_time(status), false, true, {}});
    }
  }

  void add_error(const std::string& relative, int error) {
    found_.push_back({root_ + relative, 0, 1, false, true, fmt::format("cannot be listed: {}", std::strerror(error))});
  }

  const InputOptions& options_;
  std::string root_;
  std::vector<std::string>* with_results_;
  std::vector<std::string> pending_;  // relative, with '/' at the end
  std::vector<Entry> found_;
};

struct stat stat_input(const std::string& path) {
  if (path.empty()) throw Error(ErrorCode::usage, "the name of an input is empty");
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0 || ::access(path.c_str(), R_OK) != 0) {
    throw Error(ErrorCode::io, fmt::format("{}: {}", path, std::strerror(errno)));
  }
  return status;
}

void expand_path(const InputOptions& options, const std::string& path, std::vector<Entry>& out, std::vector<std::string>* with_results) {
  if (path == "-") {
    out.push_back({path, 0, 0, true, false, {}});
    return;
  }
  const struct stat status = stat_input(path);
  if (S_ISDIR(status.st_mode)) {
    std::vector<Entry> found = Walk(options, path, with_results).run();
    std::move(found.begin(), found.end(), std::back_inserter(out));
  } else if (S_ISREG(status.st_mode)) {
    out.push_back({path, static_cast<std::uint64_t>(status.st_size), modified_time(status), false, false, {}});
  } else {
    out.push_back({path, 0, 0, true, false, {}});
  }
}

}  // namespace

bool is_result_name(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      "kept.jsonl",   "annotated.jsonl", "removed.jsonl", "clusters.jsonl",   "rejected.jsonl",   "rejected-against.jsonl",
      "summary.json", "run.json",        "report.html",   "stages",           results_marker,     "pairs.jsonl",
      "sample.json",  "label.html",      "labels.json",   "calibration.json", "calibration.html", "profile.toml",
      "matches.jsonl"};
  if (name.ends_with(".tmp")) name.remove_suffix(4);
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

std::vector<Entry> expand_paths(const InputOptions& options, std::vector<std::string>* with_results) {
  std::vector<Entry> entries;
  for (const std::string& path : options.paths) expand_path(options, path, entries, with_results);
  return entries;
}

void check_paths(const InputOptions& options) {
  for (const std::string& path : options.paths)
    if (path != "-") static_cast<void>(stat_input(path));
}

bool glob_match(std::string_view pattern, std::string_view text) {
  constexpr std::size_t kNone = std::string_view::npos;
  std::size_t p = 0, t = 0, star = kNone, star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      star_text = t;
      continue;
    }
    if (p < pattern.size() && match_one(pattern, p, text, t)) continue;
    if (star == kNone) return false;
    p = star;  // the last '*' takes one character more
    next_character(text, star_text);
    t = star_text;
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool stat_file(const std::string& path, std::uint64_t& size, std::int64_t& modified) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return false;
  size = static_cast<std::uint64_t>(status.st_size);
  modified = modified_time(status);
  return true;
}

}  // namespace leitong::records
