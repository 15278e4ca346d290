#include "leitong/error.h"
#include "segment/zip_file.h"

// No jar can be opened, so nothing is read from one.
struct zip {};

namespace leitong::segment {

void ZipFile::Close::operator()(struct zip* archive) const noexcept { delete archive; }

ZipFile::ZipFile(std::string path) {
  throw Error(ErrorCode::unsupported, path +
                                          ": this Leitong is built without reading jars (LEITONG_JARS); compile the data with a whole one: "
                                          "the file serves both");
}

bool ZipFile::contains(const std::string&) const { return false; }
std::vector<std::uint8_t> ZipFile::read(const std::string&) const { return {}; }

}  // namespace leitong::segment
