#include "records/walk.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <tuple>

#include "leitong/error.h"
#include "records/columns.h"
#include "records/made_files.h"

namespace leitong::records {
namespace {

// Time zero means "no file" elsewhere, and some images set all times to zero.
std::int64_t modified_time(const struct stat& status) {
  const std::int64_t time = static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec;
  return time == 0 ? 1 : time;
}

Entry file_entry(std::string path, const struct stat& status, bool in_directory) {
  return {std::move(path), static_cast<std::uint64_t>(status.st_size), modified_time(status), false, in_directory, {}, status.st_dev,
          status.st_ino};
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
  Walk(const InputOptions& options, const std::string& root, Findings& findings) : options_(options), root_(root), findings_(findings) {
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
    if (::faccessat(descriptor, results_marker, F_OK, AT_SYMLINK_NOFOLLOW) == 0) leave_results_out(directory);
    while (true) {
      errno = 0;
      const dirent* entry = ::readdir(stream);
      if (entry == nullptr) break;
      const std::string_view name = entry->d_name;
      if (name == "." || name == ".." || results_.contains(directory + std::string(name))) continue;
      add(descriptor, directory, name);
    }
    if (errno != 0) add_error(directory, errno);
    ::closedir(stream);
  }

  // What lies there besides is somebody's.
  void leave_results_out(const std::string& directory) {
    const std::string path = root_ + directory;
    const MadeFiles made(path);
    if (!made.is_marked()) return;
    findings_.with_results.push_back(path.size() > 1 ? path.substr(0, path.size() - 1) : path);
    for (const std::string& name : made.names()) results_.insert(directory + name);
    results_.insert(directory + results_marker);
    if (MadeFiles(path + "/" + unfinished_results).is_marked()) results_.insert(directory + unfinished_results);
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
      found_.push_back(file_entry(root_ + relative, status, true));
    }
  }

  void add_error(const std::string& relative, int error) {
    found_.push_back({root_ + relative, 0, 1, false, true, fmt::format("cannot be listed: {}", std::strerror(error)), 0, 0});
  }

  const InputOptions& options_;
  std::string root_;
  Findings& findings_;
  std::set<std::string> results_;     // relative
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

void expand_path(const InputOptions& options, const std::string& path, std::vector<Entry>& out, Findings& findings) {
  if (const auto table = options.in_memory.find(path); table != options.in_memory.end()) {
    out.push_back({path, table->second->bytes(), 1, false, false, {}, 0, 0, table->second});
    return;
  }
  if (path == "-") {
    out.push_back({path, 0, 0, true, false, {}, 0, 0});
    return;
  }
  const struct stat status = stat_input(path);
  if (S_ISDIR(status.st_mode)) {
    std::vector<Entry> found = Walk(options, path, findings).run();
    std::move(found.begin(), found.end(), std::back_inserter(out));
  } else if (S_ISREG(status.st_mode)) {
    out.push_back(file_entry(path, status, false));
  } else {
    out.push_back({path, 0, 0, true, false, {}, 0, 0});
  }
}

// Size and time are asked too: file systems are met that give different files one number.
auto identity(const Entry& entry) { return std::tie(entry.device, entry.inode, entry.size, entry.modified); }

void leave_out_second_names(std::vector<Entry>& entries, Findings& findings) {
  std::vector<std::size_t> order;  // by file, then as they were met
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (entries[i].inode != 0) order.push_back(i);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return identity(entries[a]) < identity(entries[b]); });
  std::vector<std::pair<std::size_t, std::size_t>> second;  // and its first
  for (std::size_t i = 1, first = 0; i < order.size(); ++i) {
    if (identity(entries[order[first]]) == identity(entries[order[i]]))
      second.emplace_back(order[i], order[first]);
    else
      first = i;
  }
  std::ranges::sort(second);
  for (const auto& [again, first] : second) findings.named_twice.emplace_back(entries[again].path, entries[first].path);
  for (const auto& [again, first] : second) entries[again].path.clear();
  if (!second.empty()) std::erase_if(entries, [](const Entry& entry) { return entry.path.empty(); });
}

}  // namespace

std::vector<Entry> expand_paths(const InputOptions& options, Findings* findings) {
  Findings ignored;
  Findings& found = findings == nullptr ? ignored : *findings;
  std::vector<Entry> entries;
  for (const std::string& path : options.paths) expand_path(options, path, entries, found);
  leave_out_second_names(entries, found);
  return entries;
}

void check_paths(const InputOptions& options) {
  for (const std::string& path : options.paths)
    if (path != "-" && !options.in_memory.contains(path)) static_cast<void>(stat_input(path));
}

bool glob_match(std::string_view pattern, std::string_view text) {
  constexpr std::size_t none = std::string_view::npos;
  constexpr std::string_view any_directories = "**/";
  // The last '*' or "**/" takes ever more; what matched before it stays, for whatever another match there could reach, this one can: each
  // "**/" begins behind a '/', so that both may go on from the same places.
  std::size_t p = 0, t = 0, star = none, star_text = 0;
  bool directories = false;  // the last was "**/", which ends behind a '/' only, or takes nothing
  while (t < text.size()) {
    if (pattern.substr(p).starts_with(any_directories) && (p == 0 || pattern[p - 1] == '/')) {
      star = p += any_directories.size();
      star_text = t;
      directories = true;
      continue;
    }
    if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      star_text = t;
      directories = false;
      continue;
    }
    if (p < pattern.size() && match_one(pattern, p, text, t)) continue;
    if (star == none) return false;
    if (directories) {
      const std::size_t slash = text.find('/', star_text);
      if (slash == none) return false;
      star_text = slash + 1;
    } else {
      next_character(text, star_text);
    }
    p = star;
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
