// A half-open range of bytes.
#pragma once

#include <cstdint>

namespace leitong::text {

struct Range {
  std::uint32_t begin = 0, end = 0;
};

}  // namespace leitong::text
