#include "records/made_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "leitong/error.h"
#include "leitong/file_name.h"
#include "records/json_object.h"
#include "records/walk.h"

namespace leitong::records {
namespace {

constexpr std::string_view first_line = "{\"leitong-results\":1}\n";
constexpr std::string_view begin_line = "{\"moving\":true}\n", end_line = "{\"moving\":false}\n";

// Of a file that nobody may be able to read: then nothing that was listed has its hash.
std::string hash_of_ends(const std::string& path) {
  constexpr std::streamoff most = 1 << 20;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return {};
  const std::streamoff size = file.tellg();
  std::string bytes;
  for (const std::streamoff at : {std::streamoff{0}, std::max<std::streamoff>(0, size - most)}) {
    std::string part(static_cast<std::size_t>(std::min(most, size - at)), '\0');
    file.seekg(at);
    file.read(part.data(), static_cast<std::streamsize>(part.size()));
    bytes += part;
  }
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return file ? fmt::format("{:016x}{:016x}", hash.high64, hash.low64) : std::string();
}

}  // namespace

MadeFiles::MadeFiles(std::string directory) : directory_(std::move(directory)) {
  const std::string path = directory_ + "/" + results_marker;
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0) return;
  std::ifstream file(path, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  // The first line may be there in part: a run was killed while it wrote it.
  marked_ = S_ISREG(status.st_mode) && file && std::string_view(content).starts_with(first_line.substr(0, content.size()));
  foreign_ = !marked_;
  if (foreign_) return;
  for (std::size_t begin = 0, end = 0; (end = content.find('\n', begin)) != std::string::npos; begin = end + 1)
    take(std::string_view(content).substr(begin, end - begin));
}

// A line that is broken is one that a killed run began; what it would have said was not done.
void MadeFiles::take(std::string_view line) {
  JsonParser parser;
  JsonValue entry;
  std::string_view name, ends;
  Made made;
  bool moving = false;
  if (!parser.parse(line, entry)) return;
  if (entry["moving"].get(moving)) moving_ = moving;
  if (entry["made"].get(name) && entry["size"].get(made.size) && entry["modified"].get(made.modified) && entry["ends"].get(ends)) {
    made.ends = ends;
    made_[named_by(name)].push_back(std::move(made));
  }
}

std::vector<std::string> MadeFiles::names() const {
  std::vector<std::string> out;
  for (const auto& [name, made] : made_) out.push_back(name);
  return out;
}

bool MadeFiles::is_made(const std::string& name) const {
  const auto found = made_.find(name);
  const std::string path = directory_ + "/" + name;
  struct stat status{};
  if (found == made_.end() || ::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  Made now;
  stat_file(path, now.size, now.modified);
  const auto of_size = [&](const Made& made) { return made.size == now.size; };
  if (std::ranges::none_of(found->second, of_size)) return false;
  if (std::ranges::any_of(found->second, [&](const Made& made) { return of_size(made) && made.modified == now.modified; })) return true;
  now.ends = hash_of_ends(path);  // copies of directories have other times
  return !now.ends.empty() && std::ranges::any_of(found->second, [&](const Made& made) { return of_size(made) && made.ends == now.ends; });
}

void MadeFiles::list(const std::vector<std::string>& names, const std::string& from) {
  std::string lines;
  for (const std::string& name : names) {
    Made made;
    stat_file(from + "/" + name, made.size, made.modified);
    made.ends = hash_of_ends(from + "/" + name);
    JsonObject line;
    line.text("made", shown_name(name)).number("size", made.size).raw("modified", fmt::format("{}", made.modified));
    lines += line.text("ends", made.ends).str() + "\n";
    made_[name].push_back(std::move(made));
  }
  append(lines);
}

void MadeFiles::begin_moving() {
  append(std::string(begin_line));
  moving_ = true;
}

void MadeFiles::end_moving() {
  append(std::string(end_line));
  moving_ = false;
}

void MadeFiles::append(const std::string& lines) const {
  const std::string path = directory_ + "/" + results_marker;
  const int file = ::open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
  const auto fail = [&] {
    const int error = errno;
    if (file >= 0) ::close(file);
    throw Error(ErrorCode::io, fmt::format("{}: cannot be written: {}", path, std::strerror(error)));
  };
  struct stat status{};
  char last = '\n';
  if (file < 0 || ::fstat(file, &status) != 0) fail();
  if (status.st_size > 0 && ::pread(file, &last, 1, status.st_size - 1) != 1) fail();
  // Behind what a killed run began, a line of its own.
  const bool begins = status.st_size < static_cast<off_t>(first_line.size());
  if (begins && ::ftruncate(file, 0) != 0) fail();
  const std::string bytes = (begins ? std::string(first_line) : last == '\n' ? "" : "\n") + lines;
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = ::write(file, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno != EINTR) fail();
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  if (::fsync(file) != 0 && errno != EINVAL) fail();
  ::close(file);
}

}  // namespace leitong::records
