#include "net/printable.h"

#include <fmt/format.h>

namespace leitong::net {

std::string printable(std::string_view bytes, std::size_t limit) {
  std::string text;
  for (const char c : bytes.substr(0, limit)) {
    if (c >= ' ' && c <= '~') {
      text += c;
    } else {
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return bytes.size() > limit ? text + "..." : text;
}

}  // namespace leitong::net
