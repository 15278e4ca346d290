// Names of files are bytes; JSON, pages and terminals take UTF-8. Archives of GBK names are common.
#pragma once

#include <string>
#include <string_view>

namespace leitong {

// The name as every output shows it: each byte that belongs to no UTF-8 character as \xHH, and a backslash that stands before such a group
// as \x5C, so that named_by() gives the very bytes again. Almost all names are shown as they are.
[[nodiscard]] std::string shown_name(std::string_view name);
// The bytes that a shown name stands for; of a name that shows no byte, the name itself. Hexadecimal digits of either case.
[[nodiscard]] std::string named_by(std::string_view shown);
// A text for people that may hold names: bytes as above, but nothing else, for some of the names may be shown already.
[[nodiscard]] std::string shown_bytes(std::string_view text);

}  // namespace leitong
