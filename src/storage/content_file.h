// Files that a profile names: their content decides bits, so it enters the profile's id.
#pragma once

#include <string>
#include <string_view>

namespace leitong::storage {

// The bytes. `what` it is to the profile, for the message: "its stop words". Error(io) if it cannot be read.
[[nodiscard]] std::string read_content(const std::string& path, std::string_view what);
// 32 hexadecimal digits: XXH3-128.
[[nodiscard]] std::string content_hash(std::string_view bytes);

}  // namespace leitong::storage
