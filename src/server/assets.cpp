#include "server/assets.h"

namespace leitong::server {

std::string_view asset(std::string_view name) {
  for (const Asset& one : assets())
    if (one.name == name) return one.bytes;
  return {};
}

}  // namespace leitong::server
