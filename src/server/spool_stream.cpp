#include "server/spool_stream.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "server/problem.h"

namespace leitong::server {
namespace {

Problem of_disk(const char* what) {
  const int why = errno;
  const bool full = why == ENOSPC || why == EDQUOT;
  return {full ? 507 : 503, full ? "full" : "io", fmt::format("the temporary file {}: {}", what, std::generic_category().message(why))};
}

int temporary_file() {
  std::string path = (std::filesystem::temp_directory_path() / "leitong-XXXXXX").string();
  const int file = ::mkostemp(path.data(), O_CLOEXEC);
  if (file < 0) throw of_disk("cannot be made");
  ::unlink(path.c_str());
  return file;
}

}  // namespace

SpoolStream::SpoolStream(Setup setup, Read read)
    : setup_(std::move(setup)), read_(std::move(read)), unpacker_(setup_.coding, ~std::uint64_t{0}) {
  if (++running_ > most_running) {
    --running_;
    Problem problem(429, "spools", "as many files are being taken as the server allows", member("limit", std::uint64_t{most_running}));
    problem.retry_after = 5;
    throw problem;
  }
  try {
    file_ = temporary_file();
  } catch (...) {
    --running_;
    throw;
  }
}

SpoolStream::~SpoolStream() {
  stop_ = true;
  pipe_.stop();
  if (thread_.joinable()) thread_.join();
  ::close(file_);
  --running_;
}

void SpoolStream::feed(std::string bytes, bool last, Then then) {
  if (whole_) {
    pipe_.take(std::move(then));
    return;
  }
  setup_.workers.post([this, bytes = std::move(bytes), last, then = std::move(then)] { spool(bytes, last, then); });
}

void SpoolStream::spool(const std::string& bytes, bool last, const Then& then) {
  Step step;
  try {
    plain_.clear();
    unpacker_.unpack(bytes, last, plain_);
    written_ += plain_.size();
    if (written_ > setup_.most) throw over_limit("spool", setup_.most, fmt::format("the file has more than {} bytes", setup_.most));
    write(plain_);
    if (last) {
      whole_ = true;
      plain_ = {};
      thread_ = std::thread([this] { read(); });
    }
  } catch (...) {
    step.ended = true;
    step.instead = to_response(problem_of(std::current_exception()), setup_.request->id);
  }
  then(std::move(step));
}

void SpoolStream::write(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t done = ::write(file_, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) throw of_disk("cannot be written");
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

void SpoolStream::read() {
  try {
    pipe_.finish(read_(fmt::format("/proc/self/fd/{}", file_), pipe_, stop_));
  } catch (const AnswerPipe::Stopped&) {
    pipe_.finish({});
  } catch (...) {
    const Problem problem = problem_of(std::current_exception());
    pipe_.fail("{\"error\":" + to_json(problem, setup_.request->id) + "}\n", to_response(problem, setup_.request->id));
  }
}

}  // namespace leitong::server
