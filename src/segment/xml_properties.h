// The XML form of java.util.Properties, by pugixml.
#pragma once

#include <string>
#include <string_view>

namespace leitong::segment {

// The value of a key, of one that comes twice the last, as in Java; empty if the key is missing. `name` is for messages: Error (format) for
// what is not XML, (unsupported) where this is built without it.
[[nodiscard]] std::string xml_property(std::string_view xml, std::string_view key, const std::string& name);

}  // namespace leitong::segment
