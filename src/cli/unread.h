// Inputs that a job could not read to their end: said once more in the last line, and by the exit code.
#pragma once

#include <string>

namespace leitong::cli {

inline constexpr int exit_unread = 3;
inline constexpr const char* exit_unread_line = "3 done, but an input could not be read to its end: what it held is missing";

// May be told of the same one several times.
void add_unread(const std::string& path);
// The exit code of a command that ends with `code`; says why if it is another.
[[nodiscard]] int end_with_unread(int code);

}  // namespace leitong::cli
