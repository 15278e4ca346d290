// Is it UTF-8, and where not.
#pragma once

#include <cstddef>
#include <string_view>

namespace leitong::records {

[[nodiscard]] bool valid_utf8(std::string_view bytes);
// Length of the longest prefix that is valid UTF-8 by itself.
[[nodiscard]] std::size_t valid_utf8_prefix(std::string_view bytes);
// `bytes` starts with an invalid sequence: how many bytes one U+FFFD stands for (Unicode's "maximal subpart"), at least 1.
[[nodiscard]] std::size_t invalid_utf8_length(std::string_view bytes);

}  // namespace leitong::records
