// What only explain can be told.
#pragma once

#include <cstdint>
#include <string>

namespace leitong::cli {

struct ExplainSettings {
  std::string run;        // its directory; empty: of texts
  std::uint32_t top = 4;  // features of each bit
};

}  // namespace leitong::cli
