// Files of java.util.Properties, as its load() reads them from UTF-8.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace leitong::segment {

// Of a key that comes twice the last value holds.
[[nodiscard]] std::map<std::string, std::string> read_java_properties(std::string_view utf8);

}  // namespace leitong::segment
