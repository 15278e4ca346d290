// A sign on files that have none in their bytes: an extended attribute says that Leitong made them, as they are. File systems without such
// attributes, and copies, lose it: then a file counts as somebody's.
#pragma once

#include <string>

namespace leitong::outputs {

void mark_as_made(const std::string& path);  // closed, and not changed any more
[[nodiscard]] bool is_marked_as_made(const std::string& path);

}  // namespace leitong::outputs
