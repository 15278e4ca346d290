#include "report/curve_plot.h"

#include <fmt/format.h>

#include <iterator>

#include "report/html.h"

namespace leitong::report {
namespace {

constexpr double width = 356, height = 250, left = 58, right = 340, top = 30, bottom = 196;

class Picture {
 public:
  explicit Picture(const CurvePlot& plot) : plot_(plot) {}

  std::string draw() {
    fmt::format_to(put_, "<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">\n", width, height,
                   attribute_html(plot_.summary));
    grid();
    marks();
    for (const Curve& curve : plot_.curves) {
      fmt::format_to(put_, "<g class=\"curve {}\">\n", attribute_html(curve.style));
      if (curve.line) ribbon(curve);
      points(curve);
      out_ += "</g>\n";
    }
    line("base", left, right, y(0), y(0));
    fmt::format_to(put_, "<text class=\"label\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", (left + right) / 2,
                   height - 8, text_html(plot_.x_label));
    fmt::format_to(put_, "<text class=\"label\" x=\"2.0\" y=\"14.0\">{}</text>\n</svg>\n", text_html(plot_.y_label));
    return std::move(out_);
  }

 private:
  [[nodiscard]] double x(double value) const { return left + (value - plot_.x_min) / (plot_.x_max - plot_.x_min) * (right - left); }
  [[nodiscard]] static double y(double share) { return bottom - share * (bottom - top); }

  void line(std::string_view style, double x1, double x2, double y1, double y2) {
    fmt::format_to(put_, "<line class=\"{}\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n", style, x1, x2, y1, y2);
  }

  void grid() {
    for (int percent = 0; percent <= 100; percent += 25) {
      const double at = y(percent / 100.0);
      line("grid", left, right, at, at);
      fmt::format_to(put_, "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{} %</text>\n", left - 8, at + 4, percent);
    }
    for (const auto& [value, label] : plot_.x_ticks) {
      line("tick", x(value), x(value), bottom, bottom + 5);
      fmt::format_to(put_, "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", x(value), bottom + 20, text_html(label));
    }
  }

  void marks() {
    if (plot_.target) line("target", left, right, y(*plot_.target), y(*plot_.target));
    if (plot_.mark) line("mark", x(*plot_.mark), x(*plot_.mark), top, bottom);
  }

  void ribbon(const Curve& curve) {
    if (curve.points.size() < 2) return;
    out_ += "<polygon points=\"";
    for (const CurvePoint& point : curve.points) fmt::format_to(put_, "{:.1f},{:.1f} ", x(point.x), y(point.high));
    for (auto point = curve.points.rbegin(); point != curve.points.rend(); ++point)
      fmt::format_to(put_, "{:.1f},{:.1f} ", x(point->x), y(point->low));
    out_ += "\"/>\n<polyline points=\"";
    for (const CurvePoint& point : curve.points) fmt::format_to(put_, "{:.1f},{:.1f} ", x(point.x), y(point.value));
    out_ += "\"/>\n";
  }

  void points(const Curve& curve) {
    for (const CurvePoint& point : curve.points) {
      out_ += "<g class=\"point\">";
      if (!curve.line) {
        line("bar", x(point.x), x(point.x), y(point.low), y(point.high));
        for (const double end : {point.low, point.high}) line("bar", x(point.x) - 4, x(point.x) + 4, y(end), y(end));
      }
      fmt::format_to(put_, "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/><title>{}</title></g>\n", x(point.x), y(point.value),
                     curve.line ? 3 : 4.5, text_html(point.label));
    }
  }

  const CurvePlot& plot_;
  std::string out_;
  std::back_insert_iterator<std::string> put_{out_};
};

}  // namespace

std::string curve_plot_svg(const CurvePlot& plot) { return Picture(plot).draw(); }

}  // namespace leitong::report
