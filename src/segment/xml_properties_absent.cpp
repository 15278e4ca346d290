#include "leitong/error.h"
#include "segment/xml_properties.h"

namespace leitong::segment {

std::string xml_property(std::string_view, std::string_view, const std::string& name) {
  throw Error(ErrorCode::unsupported,
              name +
                  ": this Leitong is built without reading XML (LEITONG_JARS); give the folder of the .dic files, or "
                  "compile the data with a whole one: the file serves both");
}

}  // namespace leitong::segment
