#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace leitong::net {

// Foreign bytes as part of a message: ASCII, the rest as \xNN, cut at `limit` bytes.
std::string printable(std::string_view bytes, std::size_t limit);

}  // namespace leitong::net
