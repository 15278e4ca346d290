// What labels say of a collection, to one self-contained HTML page with curves. Pure: the same Calibration gives the same bytes.
#pragma once

#include <string>

#include "leitong/calibrate.h"

namespace leitong::report {

[[nodiscard]] std::string render_calibration(const Calibration& calibration);

}  // namespace leitong::report
