// What the program is connected to, and writing to it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cli/settings.h"

namespace leitong::cli {

[[nodiscard]] bool is_terminal(int descriptor);
// Columns of the terminal at `descriptor`, between 40 and `most`; 80 if it is none and COLUMNS does not say.
[[nodiscard]] unsigned terminal_width(int descriptor, unsigned most);
// Whether to colour standard output: a terminal that is not "dumb", and NO_COLOR unset or empty.
[[nodiscard]] bool use_color(When when);

// Nobody reads standard output any more: no error, the program just ends.
struct BrokenPipe {};

// Standard output, buffered. Throws BrokenPipe, or Error(io) if writing fails for another reason.
class Output {
 public:
  Output() = default;
  ~Output() = default;  // what was not flushed is lost: finish() says whether it arrived
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  void write(std::string_view text);
  void finish();

 private:
  std::string buffer_;
};

// "leitong: message" on standard error, control characters made visible.
void print_error(std::string_view message);
void print_note(std::string_view message);

// The text with what is no UTF-8, and control characters other than line end and tab, replaced, so that it cannot steer a terminal.
[[nodiscard]] std::string harmless(std::string_view text);

// 1234567 as "1,234,567"; 1234567 bytes as "1.2 MB"; 3723 seconds as "1 h 2 min".
[[nodiscard]] std::string human_count(std::uint64_t n);
[[nodiscard]] std::string human_bytes(double bytes);
[[nodiscard]] std::string human_time(double seconds);

}  // namespace leitong::cli
