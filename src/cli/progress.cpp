#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "cli/signals.h"
#include "cli/terminal.h"
#include "cli/unread.h"

namespace leitong::cli {
namespace {

// Reading the inputs counts bytes; the other stages have units of their own.
bool counts_bytes(std::string_view stage) { return stage == "sketch" || stage == "fingerprint"; }

}  // namespace

std::string progress_text(const Progress& progress, double seconds, unsigned width) {
  const bool bytes = counts_bytes(progress.stage);
  const auto done = static_cast<double>(progress.done), total = static_cast<double>(progress.total);
  std::string line = fmt::format("{:<8}", progress.stage);
  if (bytes) line += human_bytes(done) + (progress.total > 0 ? " of " + human_bytes(total) : "");
  if (progress.total > 0) {
    const unsigned percent = static_cast<unsigned>(100 * std::min(1.0, done / total));
    line += bytes ? fmt::format(" ({} %)", percent) : fmt::format("{} %", percent);
  }
  if (bytes && seconds > 0.5) line += ", " + human_bytes(done / seconds) + "/s";
  if (progress.records > 0) line += ", " + human_count(progress.records) + " records";
  if (progress.total > 0 && progress.done > 0 && seconds > 2 && done < total)
    line += ", " + human_time(seconds * (total - done) / done) + " left";
  if (line.size() > width) line.resize(width);  // ASCII only
  return line;
}

ProgressLine::ProgressLine(bool wanted) {
  const char* term = std::getenv("TERM");
  enabled_ = wanted && is_terminal(STDERR_FILENO) && term != nullptr && std::string_view(term) != "dumb";
}

ProgressLine::~ProgressLine() { erase(); }

JobOptions ProgressLine::watch(JobOptions job) {
  job.stop = stop_flag();
  job.progress = [this](const Progress& progress) { show(progress); };
  job.note = [this](const std::string& sentence) {
    erase();
    print_note(sentence);
  };
  job.unread = add_unread;
  return job;
}

void ProgressLine::show(const Progress& progress) {
  if (!enabled_) return;
  const auto now = Clock::now();
  if (stage_ != progress.stage) {
    stage_ = progress.stage;
    stage_begin_ = now;
  }
  const double seconds = std::chrono::duration<double>(now - stage_begin_).count();
  const std::string line = "\r" + progress_text(progress, seconds, terminal_width(STDERR_FILENO, 200) - 1) + "\x1b[K";
  drawn_ = ::write(STDERR_FILENO, line.data(), line.size()) > 0 || drawn_;
}

void ProgressLine::erase() {
  if (!drawn_) return;
  drawn_ = false;
  static constexpr std::string_view clear = "\r\x1b[K";
  if (::write(STDERR_FILENO, clear.data(), clear.size()) < 0) return;  // the terminal is gone
}

}  // namespace leitong::cli
