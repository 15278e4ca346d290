// The name that a whole file will take at the end.
#pragma once

#include <string>
#include <string_view>

namespace leitong::cli {

// What stands there before may be an older file, but never a device: /dev/null would be gone. Throws Error(usage); an empty path is
// nothing.
// `advice` ends the message.
void check_target(const std::string& path, std::string_view advice = "leave the flag out or name another");
// Throws Error(usage) if it is the file of one of the inputs ("-" is none).
void check_no_input(const std::string& path, const std::string& input);

}  // namespace leitong::cli
