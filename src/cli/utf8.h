// UTF-8 on its way in and out: what is not UTF-8 is refused as a text, and never printed as it is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace leitong::cli {

// Length of the valid UTF-8 character at the begin of `text`; 0: invalid.
[[nodiscard]] std::size_t character_length(std::string_view text);

// `text` begins with what is no UTF-8: how many bytes one U+FFFD stands for. Half a surrogate pair (of a JSON escape) is one, else each
// byte.
[[nodiscard]] std::size_t invalid_length(std::string_view text);

// The text with U+FFFD in place of what is no UTF-8.
[[nodiscard]] std::string printable_utf8(std::string_view text);

// Error(format) as of a record, with `name`, if `text` is no UTF-8.
void require_utf8(std::string_view text, std::string_view name);

}  // namespace leitong::cli
