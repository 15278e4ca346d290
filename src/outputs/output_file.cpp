#include "outputs/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "leitong/error.h"
#include "outputs/made_mark.h"
#include "records/pack.h"

namespace leitong::outputs {
namespace {

bool is_there(const std::string& path) {
  struct stat status{};
  return ::lstat(path.c_str(), &status) == 0;
}

// Creates a file under a name that no other process can use, or fails.
std::string claim(const std::string& path) {
  constexpr unsigned most = 1000;  // killed processes with the same id, and other writers of this process, have taken some of the numbers
  for (unsigned attempt = 0;; ++attempt) {
    const std::string again = attempt == 0 ? "" : fmt::format("-{}", attempt);
    std::string name = fmt::format("{}.{}{}.tmp", path, ::getpid(), again);
    if (attempt < most && is_there(name + ".tmp")) continue;
    const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0) {
      ::close(file);
      return name;
    }
    if ((errno != EEXIST && errno != EINTR) || attempt >= most)
      throw Error(ErrorCode::io, fmt::format("{}: cannot be written: {}", path, std::generic_category().message(errno)));
  }
}

// A claimed name; the file is removed unless it was published.
class OwnName {
 public:
  explicit OwnName(std::string path) : path_(std::move(path)), name_(claim(path_)) {}
  ~OwnName() {
    if (!published_) ::unlink(name_.c_str());
  }
  OwnName(const OwnName&) = delete;
  OwnName& operator=(const OwnName&) = delete;
  [[nodiscard]] const std::string& name() const { return name_; }
  void publish() {
    storage::posix_vfs().rename(name_, path_);
    published_ = true;
    storage::posix_vfs().sync_directory(storage::parent_directory(path_));
  }
  // Replaces temporary names in a message by the path, which is the only name that the user knows.
  [[nodiscard]] std::string in_words_of_the_user(std::string message) const {
    for (const std::string& name : {fmt::format("{}.{}.tmp", name_, ::getpid()), name_ + ".tmp", name_}) {
      const std::size_t at = message.find(name);
      if (at != std::string::npos) message.replace(at, name.size(), path_);
    }
    return message;
  }

 private:
  std::string path_, name_;
  bool published_ = false;
};

}  // namespace

OutputFile::OutputFile(std::string path, unsigned threads) : OutputFile(path, records::compression_of_name(path), threads) {}

OutputFile::OutputFile(std::string path, Compression compression, unsigned threads)
    : path_(std::move(path)), temporary_(claim(path_)), bytes_(std::make_unique<OutputBytes>(temporary_, compression, threads)) {}

std::unique_ptr<OutputFile> OutputFile::of_packed(std::string path, unsigned threads) {
  return std::unique_ptr<OutputFile>(new OutputFile(std::move(path), Compression::none, threads));
}

OutputFile::~OutputFile() {
  if (finished_) return;
  bytes_.reset();
  try {
    storage::posix_vfs().remove(temporary_);
  } catch (const Error&) {
    // A temporary file that cannot be removed does no harm.
  }
}

void OutputFile::finish() {
  bytes_->finish(true);
  mark_as_made(temporary_);
  storage::posix_vfs().rename(temporary_, path_);
  finished_ = true;
}

void write_file(const std::string& path, std::string_view content) {
  OutputFile file(path);
  file.buffer() = content;
  file.finish();
}

void write_under_own_name(const std::string& path, const std::function<void(const std::string& temporary)>& write) {
  OwnName own(path);
  try {
    write(own.name());
    own.publish();
  } catch (const Error& error) {
    throw Error(error.code(), own.in_words_of_the_user(error.what()));
  }
}

}  // namespace leitong::outputs
