#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace leitong::net {

// Makes bytes from outside printable for a message: ASCII as it is, the rest as \xNN, cut at `limit` bytes.
std::string printable(std::string_view bytes, std::size_t limit);

}  // namespace leitong::net
