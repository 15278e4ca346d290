#include "outputs/results_directory.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include "leitong/error.h"
#include "storage/vfs.h"

namespace leitong::outputs {
namespace {

namespace fs = std::filesystem;

bool is_there(const std::string& path) {
  struct stat status{};
  return ::lstat(path.c_str(), &status) == 0;
}

// The regular files below a directory, except the marker; relative to the directory, ascending.
std::vector<std::string> files_in(const std::string& directory) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::recursive_directory_iterator at(directory, error), end; at != end && !error; at.increment(error))
    if (at->symlink_status().type() == fs::file_type::regular && at->path().filename() != records::results_marker)
      names.push_back(at->path().lexically_relative(directory).string());
  std::ranges::sort(names);
  return names;
}

// A damaged stage file still counts as a stage file: --resume makes it again.
bool is_stage_file(const std::string& path) { return path.ends_with(".ltt") && is_of_form(path, OutputForm::table); }

// What only one command writes: its results under one of these names, in whatever form. In a directory with the results of two commands
// nobody could say which summary, report and stages belong to which.
constexpr std::pair<std::string_view, std::string_view> marks[] = {{"kept", "dedup"},     {"annotated", "dedup"}, {"removed", "dedup"},
                                                                   {"clusters", "dedup"}, {"matches", "overlap"}, {"sample", "calibrate"}};

// The command that writes that name; empty: several do.
std::string_view command_of(const std::string& name) {
  const std::string first = name.substr(0, name.find_first_of("./"));
  for (const auto& [mark, command] : marks)
    if (first == mark) return command;
  return {};
}

// The summary marks a run as finished, so it is moved last.
bool is_summary(const std::string& name) { return name == "summary.json" || name == "sample.json"; }

}  // namespace

ResultsDirectory::ResultsDirectory(std::string directory, const OutputRule& rule, std::vector<std::string> names,
                                   std::function<bool(const std::string& name)> also_ours)
    : directory_(std::move(directory)),
      unfinished_(directory_ + "/" + records::unfinished_results),
      rule_(rule),
      names_(std::move(names)),
      also_ours_(std::move(also_ours)),
      made_(directory_) {
  if (made_.has_foreign_marker())
    throw Error(ErrorCode::usage, fmt::format("{}/{}: is no list of results as Leitong keeps one under that name; move it away, or give "
                                              "another --output-dir",
                                              directory_, records::results_marker));
  rule_.refuse_input(directory_ + "/" + records::results_marker);
  if (!is_there(directory_) || fs::is_directory(directory_)) {
    for (const std::string& name : names_) refuse(name);
    refuse_unfinished();
    refuse_results_of_others();
  }
  lock_ = std::make_unique<OutputLock>(directory_);
  made_ = records::MadeFiles(directory_);  // read again now that no other run writes there
  made_.list({}, directory_);
  if (made_.is_moving()) move(files_in(unfinished_));
}

ResultsDirectory::~ResultsDirectory() {
  if (!keeps_) remove_unfinished();
}

bool ResultsDirectory::is_ours(const std::string& name) const {
  return made_.is_made(name) || is_stage_file(directory_ + "/" + name) || (also_ours_ && also_ours_(name));
}

void ResultsDirectory::refuse(const std::string& name) const {
  const std::string path = directory_ + "/" + name;
  if (const std::string folder = storage::parent_directory(path); is_there(folder) && !fs::is_directory(folder))
    throw Error(ErrorCode::usage,
                fmt::format("{}: is no directory, and results are to go into it: move it away, or give another --output-dir", folder));
  if (!is_there(path)) return;
  rule_.refuse_input(path);
  if (!is_ours(name))
    throw Error(ErrorCode::usage,
                fmt::format("{}: is there, and is not what a run of Leitong wrote to {}, so it is not replaced, not even with --overwrite: "
                            "move it away, or give another --output-dir",
                            path, directory_));
}

void ResultsDirectory::refuse_results_of_others() const {
  std::string_view own;
  for (const std::string& name : names_)
    if (const std::string_view command = command_of(name); !command.empty()) own = command;
  if (own.empty()) return;  // it adds to results that are there, as calibrate --labels does
  for (const std::string& name : made_.names())
    if (const std::string_view other = command_of(name); !other.empty() && other != own && made_.is_made(name))
      throw Error(ErrorCode::usage, fmt::format("{} holds the results of leitong {}: give another --output-dir", directory_, other));
}

void ResultsDirectory::refuse_unfinished() const {
  if (!is_there(unfinished_)) return;
  if (!records::MadeFiles(unfinished_).is_marked() && !fs::is_empty(unfinished_))
    throw Error(ErrorCode::usage,
                fmt::format("{}: is there, and no run of Leitong made it; that is where unfinished results go: move it away, or give "
                            "another --output-dir",
                            unfinished_));
  for (const std::string& name : files_in(unfinished_)) rule_.refuse_input(unfinished_ + "/" + name);
}

void ResultsDirectory::make_unfinished() {
  storage::posix_vfs().make_directories(unfinished_);
  const std::string marker = unfinished_ + "/" + records::results_marker;
  if (!is_there(marker)) storage::posix_vfs().create(marker)->close();
}

void ResultsDirectory::begin() {
  remove_unfinished();
  make_unfinished();
}

void ResultsDirectory::go_on(const std::function<bool(const std::string& name)>& is_wanted) {
  const bool stopped = !files_in(unfinished_).empty();
  make_unfinished();
  if (stopped) return;
  for (const std::string& name : made_.names()) {
    const fs::path from = directory_ + "/" + name, to = unfinished_ + "/" + name;
    if (!is_wanted(name) || !made_.is_made(name)) continue;
    storage::posix_vfs().make_directories(to.parent_path().string());
    std::error_code error;
    fs::create_hard_link(from, to, error);
    if (error) fs::copy_file(from, to);  // some file systems have no links
  }
}

void ResultsDirectory::publish(const std::function<bool(const std::string& name)>& is_old) {
  const std::vector<std::string> names = files_in(unfinished_);
  for (const std::string& name : names) refuse(name);
  std::vector<std::string> old, others = made_.names();
  others.insert(others.end(), names_.begin(), names_.end());
  for (const std::string& name : std::set<std::string>(others.begin(), others.end()))
    if (is_old(name) && !std::ranges::binary_search(names, name) && is_there(directory_ + "/" + name) && is_ours(name)) old.push_back(name);
  for (const std::string& name : old) rule_.refuse_input(directory_ + "/" + name);
  made_.list(names, unfinished_);
  made_.begin_moving();
  for (const std::string& name : old) storage::posix_vfs().remove(directory_ + "/" + name);
  move(names);
  for (const std::string& name : old) remove_empty_folders(name);
}

// Removes the directories in a file's path that are now empty.
void ResultsDirectory::remove_empty_folders(std::string name) const {
  std::error_code ignored;
  for (std::size_t slash = name.rfind('/'); slash != std::string::npos; slash = name.rfind('/')) {
    name.resize(slash);
    fs::remove(directory_ + "/" + name, ignored);  // fails if the directory is not empty
  }
}

void ResultsDirectory::move(const std::vector<std::string>& names) {
  auto& vfs = storage::posix_vfs();
  std::set<std::string> folders;
  for (const bool last : {false, true})
    for (const std::string& name : names) {
      if (is_summary(name) != last) continue;
      const std::string to = directory_ + "/" + name, folder = storage::parent_directory(to);
      if (folders.insert(folder).second) vfs.make_directories(folder);
      vfs.rename(unfinished_ + "/" + name, to);
    }
  for (const std::string& folder : folders) vfs.sync_directory(folder);
  made_.end_moving();
  remove_unfinished();
}

void ResultsDirectory::remove_unfinished() {
  std::error_code ignored;
  if (lock_) fs::remove_all(unfinished_, ignored);
}

}  // namespace leitong::outputs
