// Assets: files that are built into the program (src/server/assets).
#pragma once

#include <span>
#include <string_view>

namespace leitong::server {

struct Asset {
  std::string_view name, bytes;
};
[[nodiscard]] std::span<const Asset> assets();
[[nodiscard]] std::string_view asset(std::string_view name);  // empty: there is none

}  // namespace leitong::server
