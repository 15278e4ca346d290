// Marks files whose bytes do not show that Leitong made them: an extended attribute says so, and for which content. File systems without
// extended attributes, and copies, lose the mark; such a file counts as made by somebody else.
#pragma once

#include <string>

namespace leitong::outputs {

void mark_as_made(const std::string& path);  // the file must be closed and must not change afterwards
[[nodiscard]] bool is_marked_as_made(const std::string& path);

}  // namespace leitong::outputs
