#include "segment/xml_properties.h"

#include <pugixml.hpp>

#include "leitong/error.h"

namespace leitong::segment {

std::string xml_property(std::string_view xml, std::string_view key, const std::string& name) {
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer(xml.data(), xml.size());
  if (!parsed) {
    throw Error(ErrorCode::format, name + ": offset " + std::to_string(parsed.offset) + ": " + parsed.description() +
                                       "; it must be an XML properties file, as IKAnalyzer's own");
  }
  std::string value;
  for (const pugi::xml_node entry : document.child("properties").children("entry")) {
    if (entry.attribute("key").value() != key) continue;
    value.clear();
    for (const pugi::xml_node part : entry.children()) value += part.value();
  }
  return value;
}

}  // namespace leitong::segment
