#include "job/job.h"

#include <unistd.h>

#include <algorithm>
#include <thread>

#include "leitong/error.h"

namespace leitong::job {
namespace {

std::uint64_t half_of_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
  if (pages <= 0 || page <= 0) return 1ULL << 30;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page) / 2;
}

}  // namespace

Job::Job(const JobOptions& options, const char* stage)
    : options_(options),
      stage_(stage),
      threads_(options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency())),
      memory_(options.memory != 0 ? options.memory : half_of_memory()) {
  if (memory_ < least_memory) throw Error(ErrorCode::usage, "a memory budget below 64M is too small to work in");
}

void Job::check_stop() const {
  if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed))
    throw Error(ErrorCode::interrupted, "stopped before the end");
}

void Job::progress(std::uint64_t done, std::uint64_t total, std::uint64_t records) {
  check_stop();
  if (!options_.progress) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  options_.progress({stage_, done, total, records});
}

void Job::note(const std::string& sentence) const {
  if (options_.note) options_.note(sentence);
}

void Job::unread(const std::vector<std::string>& paths) const {
  if (!options_.unread) return;
  for (const std::string& path : paths) options_.unread(path);
}

void Job::finish_progress(std::uint64_t done, std::uint64_t records) {
  check_stop();
  if (options_.progress) options_.progress({stage_, done, done, records});
}

}  // namespace leitong::job
