// An id in the form that people write.
#pragma once

#include <string>
#include <string_view>

namespace leitong::job {

// The text of a JSON string, without quotes and escapes; any other JSON value as it is.
[[nodiscard]] std::string plain_id(std::string_view json);

}  // namespace leitong::job
