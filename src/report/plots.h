// Counts to bars: an SVG picture that takes its colours from the page.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace leitong::report {

struct Bar {
  double from = 0, to = 0;  // on the x axis
  std::uint64_t count = 0;
  std::string label;  // what a pointer or a screen reader is told
};

struct BarPlot {
  std::string summary;  // what the picture shows, in one sentence
  std::string x_label, y_label;
  std::vector<Bar> bars;  // ascending, not overlapping
  double x_min = 0, x_max = 1;
  bool log_x = false;
  std::vector<std::pair<double, std::string>> x_ticks;
};

// The y axis is linear, or logarithmic (and says so) where the greatest count is over a hundred times the least.
[[nodiscard]] std::string bar_plot_svg(const BarPlot& plot);

// At most about `most` round steps in [low, high], whole numbers.
[[nodiscard]] std::vector<std::pair<double, std::string>> round_ticks(double low, double high, int most);
// Powers of ten in [low, high]; with 2 and 5 between them if the range is less than two decades.
[[nodiscard]] std::vector<std::pair<double, std::string>> log_ticks(double low, double high);

}  // namespace leitong::report
