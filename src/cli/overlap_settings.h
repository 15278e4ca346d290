// What only overlap can be told.
#pragma once

#include <cstdint>
#include <string>

namespace leitong::cli {

struct OverlapSettings {
  std::string b_text_field, b_id_field;  // empty: as in A
  std::uint32_t span = 20;
  double contained = 0.5;
};

}  // namespace leitong::cli
