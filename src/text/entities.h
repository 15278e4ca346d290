// HTML character references ("&eacute;", "&#x4E2D;") to text, by the rules of the HTML standard outside attributes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace leitong::text {

// `text` begins with '&'. Appends what the reference stands for and returns its length, or appends '&' and returns 1 if it is none.
std::size_t append_reference(std::string_view text, std::string& out);

}  // namespace leitong::text
