// NFKC_Casefold of Unicode 15.0 (compatibility composition, case folding, default ignorables removed; so full-width ASCII becomes
// half-width).
#pragma once

#include <string>
#include <string_view>

namespace leitong::text {

[[nodiscard]] std::string nfkc_casefold(std::string_view utf8);
[[nodiscard]] bool is_valid_utf8(std::string_view);
// Each maximal invalid part replaced by U+FFFD.
[[nodiscard]] std::string repair_utf8(std::string_view);

}  // namespace leitong::text
