// Shares with intervals to curves: an SVG picture that takes its colours from the page.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace leitong::report {

struct CurvePoint {
  double x = 0;
  double value = 0, low = 0, high = 1;  // shares, 0..1
  std::string label;                    // what a pointer or a screen reader is told
};

struct Curve {
  std::string name, style;  // style: class of the group in the picture
  bool line = true;         // joined by a line in a band; else points with bars
  std::vector<CurvePoint> points;
};

struct CurvePlot {
  std::string summary;  // what the picture shows, in one sentence
  std::string x_label, y_label;
  std::vector<Curve> curves;
  double x_min = 0, x_max = 1;
  std::vector<std::pair<double, std::string>> x_ticks;
  std::optional<double> target;  // a level to reach
  std::optional<double> mark;    // a place on the x axis
};

// The y axis goes from 0 to 100 %.
[[nodiscard]] std::string curve_plot_svg(const CurvePlot& plot);

}  // namespace leitong::report
