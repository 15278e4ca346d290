// Whole files of the user: dictionaries, lists of words.
#pragma once

#include <string>
#include <string_view>

namespace leitong::segment {

// The bytes of a file. Error(io) that names it, says why, and ends with `advice`, if it cannot be read or is a directory.
[[nodiscard]] std::string file_bytes(const std::string& path, std::string_view advice);

}  // namespace leitong::segment
