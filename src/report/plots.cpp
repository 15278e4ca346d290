#include "report/plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "report/html.h"
#include "report/numbers.h"

namespace leitong::report {
namespace {

constexpr double width = 356;
constexpr double height = 250;
constexpr double left = 66;
constexpr double right = 336;
constexpr double top = 30;
constexpr double bottom = 196;
constexpr double log_floor = 0.6;  // a count of one still shows as a bar

double place(double value, double low, double high, double from, double to) { return from + (value - low) / (high - low) * (to - from); }

class Axes {
 public:
  explicit Axes(const BarPlot& plot) : plot_(plot) {
    std::uint64_t least = 0;
    for (const Bar& bar : plot.bars) {
      greatest_ = std::max(greatest_, bar.count);
      if (bar.count > 0 && (least == 0 || bar.count < least)) least = bar.count;
    }
    log_y_ = greatest_ > 100 * std::max<std::uint64_t>(least, 1);
    y_ticks_ = log_y_ ? log_ticks(1, static_cast<double>(greatest_))
                      : round_ticks(0, static_cast<double>(std::max<std::uint64_t>(greatest_, 1)), 5);
    const double step = y_ticks_.size() > 1 ? y_ticks_[1].first - y_ticks_[0].first : 1;
    y_max_ =
        log_y_ ? static_cast<double>(greatest_) * 1.3 : std::ceil(static_cast<double>(std::max<std::uint64_t>(greatest_, 1)) / step) * step;
    if (!log_y_ && y_max_ > y_ticks_.back().first) y_ticks_.emplace_back(y_max_, count_text(static_cast<std::uint64_t>(y_max_)));
  }
  [[nodiscard]] double x(double value) const {
    if (plot_.log_x) return place(std::log10(value), std::log10(plot_.x_min), std::log10(plot_.x_max), left, right);
    return place(value, plot_.x_min, plot_.x_max, left, right);
  }
  [[nodiscard]] double y(double value) const {
    if (log_y_) return place(std::log10(std::max(value, log_floor)), std::log10(log_floor), std::log10(y_max_), bottom, top);
    return place(value, 0, y_max_, bottom, top);
  }
  [[nodiscard]] bool log_y() const { return log_y_; }
  [[nodiscard]] const std::vector<std::pair<double, std::string>>& y_ticks() const { return y_ticks_; }

 private:
  const BarPlot& plot_;
  std::uint64_t greatest_ = 0;
  double y_max_ = 1;
  bool log_y_ = false;
  std::vector<std::pair<double, std::string>> y_ticks_;
};

void append_grid(std::string& out, const BarPlot& plot, const Axes& axes) {
  auto put = std::back_inserter(out);
  for (const auto& [value, label] : axes.y_ticks()) {
    const double y = axes.y(value);
    fmt::format_to(put, "<line class=\"grid\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", left, right, y, y);
    fmt::format_to(put, "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", left - 8, y + 4, label);
  }
  for (const auto& [value, label] : plot.x_ticks) {
    const double x = axes.x(value);
    fmt::format_to(put, "<line class=\"tick\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", x, x, bottom, bottom + 5);
    fmt::format_to(put, "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", x, bottom + 20, label);
  }
}

void append_bars(std::string& out, const BarPlot& plot, const Axes& axes) {
  auto put = std::back_inserter(out);
  for (const Bar& bar : plot.bars) {
    if (bar.count == 0) continue;
    double from = axes.x(bar.from);
    double to = axes.x(bar.to);
    const double gap = std::min(2.0, (to - from) * 0.15);
    from += gap / 2;
    to -= gap / 2;
    const double y = std::min(axes.y(static_cast<double>(bar.count)), bottom - 1.5);  // never so low that it cannot be seen
    fmt::format_to(put, "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"><title>{}</title></rect>\n", from, y,
                   std::max(to - from, 1.2), bottom - y, text_html(bar.label));
  }
}

}  // namespace

std::vector<std::pair<double, std::string>> round_ticks(double low, double high, int most) {
  double step = 1;
  for (int i = 0; (high - low) / step > most; ++i) step *= i % 3 == 1 ? 2.5 : 2;
  std::vector<std::pair<double, std::string>> ticks;
  for (double at = std::ceil(low / step) * step; at <= high; at += step) ticks.emplace_back(at, count_text(static_cast<std::uint64_t>(at)));
  return ticks;
}

std::vector<std::pair<double, std::string>> log_ticks(double low, double high) {
  std::vector<std::pair<double, std::string>> ticks;
  const bool between = high < 100 * low;
  for (double power = 1; power <= high; power *= 10) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double at = power * digit;
      if (at >= low && at <= high && (digit == 1.0 || between)) ticks.emplace_back(at, count_text(static_cast<std::uint64_t>(at)));
    }
  }
  return ticks;
}

std::string bar_plot_svg(const BarPlot& plot) {
  const Axes axes(plot);
  std::string out =
      fmt::format("<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">\n", width, height, attribute_html(plot.summary));
  append_grid(out, plot, axes);
  out += "<g class=\"bars\">\n";
  append_bars(out, plot, axes);
  out += "</g>\n";
  auto put = std::back_inserter(out);
  fmt::format_to(put, "<line class=\"base\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n", left, right, bottom, bottom);
  fmt::format_to(put, "<text class=\"label\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", (left + right) / 2, height - 8,
                 text_html(plot.x_label));
  fmt::format_to(put, "<text class=\"label\" x=\"{:.1f}\" y=\"{:.1f}\">{}{}</text>\n</svg>\n", 2.0, 14.0, text_html(plot.y_label),
                 axes.log_y() ? " (log scale)" : "");
  return out;
}

}  // namespace leitong::report
