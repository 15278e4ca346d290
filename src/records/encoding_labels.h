// The names by which web pages call their encodings, as the WHATWG Encoding Standard lists them.
#pragma once

#include <optional>
#include <string_view>

namespace leitong::records {

// The encoding that a label means, by the name that convert() takes; "" is UTF-8, which the labels of UTF-16 mean too where a page itself
// declares them. None: nobody knows the label. Blanks around it and letter case do not count. The names are of the encoding that is read:
// ISO-8859-1 and ASCII are windows-1252, GBK and GB2312 are GB18030.
[[nodiscard]] std::optional<std::string_view> encoding_of_label(std::string_view label);

}  // namespace leitong::records
