// UTF-16 code units, for what is defined on them (programs written in Java), and the way from and to UTF-8.
// Lone surrogates survive both ways: in UTF-8 they stand as the three bytes that a generalised encoder would write (as in WTF-8).
#pragma once

#include <string>
#include <string_view>

namespace leitong::text {

// Appends the units of `utf8`. Every maximal invalid part counts as one U+FFFD. Linear time.
void append_utf16(std::string_view utf8, std::u16string& out);
[[nodiscard]] std::u16string to_utf16(std::string_view utf8);

// Appends `units` as UTF-8; a surrogate without its partner becomes three bytes.
void append_utf8(std::u16string_view units, std::string& out);
[[nodiscard]] std::string to_utf8(std::u16string_view units);

// The same text with every surrogate that stands as three bytes replaced by U+FFFD, which has three bytes too: places stay.
[[nodiscard]] std::string without_surrogates(std::string_view utf8);

}  // namespace leitong::text
