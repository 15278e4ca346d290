#include "cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "cli/utf8.h"
#include "leitong/error.h"
#include "leitong/file_name.h"

namespace leitong::cli {
namespace {

constexpr std::size_t buffer_size = 1U << 17;

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(descriptor, text.data(), text.size());
    if (n >= 0) {
      text.remove_prefix(static_cast<std::size_t>(n));
    } else if (errno == EPIPE) {
      throw BrokenPipe{};
    } else if (errno != EINTR) {
      throw Error(ErrorCode::io, std::string("standard output: cannot write: ") + std::strerror(errno));
    }
  }
}

void print_line(std::string_view message) {
  const std::string line = "leitong: " + harmless(shown_bytes(message)) + "\n";
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t n = ::write(STDERR_FILENO, rest.data(), rest.size());
    if (n < 0 && errno != EINTR) return;  // nowhere to complain to
    if (n > 0) rest.remove_prefix(static_cast<std::size_t>(n));
  }
}

}  // namespace

bool is_terminal(int descriptor) { return ::isatty(descriptor) == 1; }

unsigned terminal_width(int descriptor, unsigned most) {
  unsigned width = 80, columns = 0;
  winsize size{};
  if (const char* text = std::getenv("COLUMNS"); text != nullptr) std::from_chars(text, text + std::strlen(text), columns);
  if (columns > 0) {
    width = columns;
  } else if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    width = size.ws_col;
  }
  return std::clamp(width, 40U, most);
}

bool use_color(When when) {
  if (when != When::automatic) return when == When::always;
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  if (no_color != nullptr && *no_color != '\0') return false;
  return is_terminal(STDOUT_FILENO) && term != nullptr && std::string_view(term) != "dumb";
}

void Output::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() < buffer_size) return;
  write_all(STDOUT_FILENO, buffer_);
  buffer_.clear();
}

void Output::finish() {
  write_all(STDOUT_FILENO, buffer_);
  buffer_.clear();
}

void print_error(std::string_view message) { print_line(message); }
void print_note(std::string_view message) { print_line("note: " + std::string(message)); }

std::string harmless(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const auto c = static_cast<unsigned char>(text[0]);
    const bool c1 = length == 2 && c == 0xC2 && (static_cast<unsigned char>(text[1]) & 0xE0) == 0x80;  // U+0080..U+009F
    const bool shown = length > 0 && !c1 && c != 0x7F && (c >= 0x20 || c == '\n' || c == '\t');
    out += shown ? text.substr(0, length) : "\xEF\xBF\xBD";
    text.remove_prefix(length == 0 ? invalid_length(text) : length);
  }
  return out;
}

std::string human_count(std::uint64_t n) {
  std::string digits = std::to_string(n);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string human_bytes(double bytes) {
  static constexpr std::array units{"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  std::size_t unit = 0;
  for (; bytes >= 999.5 && unit + 1 < units.size(); ++unit) bytes /= 1000;
  return unit == 0 || bytes >= 99.95 ? fmt::format("{:.0f} {}", bytes, units[unit]) : fmt::format("{:.1f} {}", bytes, units[unit]);
}

std::string human_time(double seconds) {
  if (!(seconds >= 0)) return "?";
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const auto s = static_cast<std::uint64_t>(std::llround(std::min(seconds, 1e15)));
  if (s < 100) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {} s", s / 60, s % 60);
  if (s < 48 * 3600) return fmt::format("{} h {} min", s / 3600, s % 3600 / 60);
  return fmt::format("{} days {} h", s / 86400, s % 86400 / 3600);
}

}  // namespace leitong::cli
