// A date as people write it to one number that can be compared.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace leitong::cluster {

// A decimal number, blanks around it allowed; nothing else (no infinities, no hexadecimal).
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

// Microseconds since 1970-01-01T00:00Z of the forms that keep.h lists; none: the text is no date.
[[nodiscard]] std::optional<std::int64_t> parse_date(std::string_view text);

}  // namespace leitong::cluster
