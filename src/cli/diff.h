// A comparison's difference for reading.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "leitong/similarity.h"

namespace leitong::cli {

// Marked runs: red and green if `color`, else [-only in a-]{+only in b+}. Equal runs show b's bytes; those longer than `context` bytes show
// their ends only (0: everything). Control characters are replaced if `color`, because then a terminal reads it.
[[nodiscard]] std::string marked_diff(std::string_view a, std::string_view b, std::span<const DiffRun> runs, std::size_t context,
                                      bool color);

// As a JSON string with quotes; invalid UTF-8 becomes U+FFFD.
[[nodiscard]] std::string json_string(std::string_view text);

}  // namespace leitong::cli
