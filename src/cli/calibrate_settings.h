// What only calibrate can be told.
#pragma once

#include <cstdint>
#include <string>

namespace leitong::cli {

struct CalibrateSettings {
  bool label = false;
  std::string labels;  // a file of them; empty: not given
  double precision = 0.95, least_similarity = 0.4;
  std::uint32_t per_band = 40;
  std::uint64_t seed = 1;
};

}  // namespace leitong::cli
