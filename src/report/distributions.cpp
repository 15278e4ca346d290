// The three plots: group sizes, fingerprint distances, similarities.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <utility>

#include "report/html.h"
#include "report/numbers.h"
#include "report/plots.h"
#include "report/sections.h"

namespace leitong::report {
namespace {

constexpr std::uint64_t single_sizes = 20;  // if the largest group is greater, sizes are counted in steps of about half as much again

// The step that holds a size: [first, past).
std::pair<std::uint64_t, std::uint64_t> size_step(std::uint64_t size) {
  if (size < 5) return {size, size + 1};
  constexpr std::array<std::uint64_t, 7> multiples{10, 14, 20, 30, 50, 70, 100};
  if (size < 10) return size < 7 ? std::pair<std::uint64_t, std::uint64_t>{5, 7} : std::pair<std::uint64_t, std::uint64_t>{7, 10};
  std::uint64_t power = 1;
  while (size / power >= 100) power *= 10;
  std::size_t i = 0;
  while (size / power >= multiples[i + 1]) ++i;
  return {multiples[i] * power, multiples[i + 1] * power};
}

std::vector<Bar> size_bars(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& sizes) {
  std::vector<Bar> bars;
  const bool single = sizes.back().first <= single_sizes;
  std::uint64_t past = 0;
  for (const auto& [size, count] : sizes) {
    if (!bars.empty() && size < past) {
      bars.back().count += count;
      continue;
    }
    const auto step = single ? std::pair{size, size + 1} : size_step(size);
    past = step.second;
    bars.push_back({static_cast<double>(step.first) - 0.5, static_cast<double>(past) - 0.5, count, ""});
  }
  for (Bar& bar : bars) {
    const auto from = static_cast<std::uint64_t>(bar.from + 0.5);
    const auto to = static_cast<std::uint64_t>(bar.to - 0.5);
    bar.label = counted(bar.count, "group", "groups") + " of " +
                (from == to ? count_text(from) : count_text(from) + " to " + count_text(to)) + " records";
  }
  return bars;
}

void append_figure(std::string& out, std::string_view title, std::string_view explanation, const BarPlot& plot) {
  fmt::format_to(std::back_inserter(out), "<figure class=\"card\"><figcaption><h3>{}</h3><p class=\"explain\">{}</p></figcaption>\n", title,
                 explanation);
  out += bar_plot_svg(plot) + "</figure>\n";
}

void append_sizes(std::string& out, const Report& r) {
  if (r.cluster_sizes.empty()) return;
  BarPlot plot;
  const std::uint64_t largest = r.cluster_sizes.back().first;
  plot.bars = size_bars(r.cluster_sizes);
  plot.log_x = true;
  plot.x_min = std::min(1.5, plot.bars.front().from);
  plot.x_max = std::max(plot.bars.back().to, 6.0);
  plot.x_ticks = log_ticks(std::max(1.0, plot.x_min), plot.x_max);
  if (plot.x_ticks.empty() || plot.x_ticks.front().first > 2) plot.x_ticks.insert(plot.x_ticks.begin(), {2, "2"});
  if (plot.x_max < 30) {
    plot.x_ticks.clear();
    for (const double tick : {1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0, 15.0, 20.0}) {
      if (tick >= plot.x_min && tick <= plot.x_max) plot.x_ticks.emplace_back(tick, fmt::format("{:.0f}", tick));
    }
  }
  plot.x_label = "records in a group (log scale)";
  plot.y_label = "groups";
  plot.summary =
      fmt::format("Histogram of group sizes: {}, the largest of {} records", counted(r.clusters, "group", "groups"), count_text(largest));
  append_figure(out, "Group sizes", fmt::format("The largest group has {}.", counted(largest, "record", "records")), plot);
}

std::uint64_t total(const std::vector<std::uint64_t>& counts) { return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}); }

void append_distances(std::string& out, const Report& r) {
  const std::uint64_t all = total(r.distances);
  if (all == 0) return;
  std::size_t end = r.distances.size();
  while (end > 0 && r.distances[end - 1] == 0) --end;
  BarPlot plot;
  std::uint64_t below = 0;
  std::size_t median = 0;
  for (std::size_t d = 0; d < end; ++d) {
    const std::uint64_t count = r.distances[d];
    plot.bars.push_back({static_cast<double>(d) - 0.5, static_cast<double>(d) + 0.5, count,
                         fmt::format("{} at distance {}", counted(count, "record", "records"), d)});
    if (2 * below < all) median = d;
    below += count;
  }
  plot.x_min = -0.5;
  plot.x_max = std::max(static_cast<double>(end) - 0.5, 8.5);
  plot.x_ticks = round_ticks(0, std::floor(plot.x_max), 7);
  plot.x_label = "differing bits of the two fingerprints";
  plot.y_label = "removed records";
  plot.summary = fmt::format("Histogram of fingerprint distances of {} to the kept record: median {}, greatest {}",
                             counted(all, "removed record", "removed records"), median, end - 1);
  append_figure(out, "Distance to the kept copy",
                fmt::format("Median {}, greatest {}, of {} bits.", median, end - 1, r.distances.size() - 1), plot);
}

void append_similarities(std::string& out, const Report& r) {
  const std::uint64_t all = total(r.similarities);
  if (all == 0) return;
  const std::size_t bins = r.similarities.size();
  const double step = 1.0 / static_cast<double>(bins);
  std::size_t first = 0;
  while (r.similarities[first] == 0) ++first;
  first = std::min(first / 2 * 2, bins / 2);
  BarPlot plot;
  for (std::size_t i = first; i < bins; ++i) {
    const double from = static_cast<double>(i) * step;
    plot.bars.push_back(
        {from, from + step, r.similarities[i],
         fmt::format("{} with similarity {:.2f} to {:.2f}", counted(r.similarities[i], "record", "records"), from, from + step)});
  }
  plot.x_min = static_cast<double>(first) * step;
  plot.x_max = 1;
  for (int tenth = static_cast<int>(std::ceil(plot.x_min * 10 - 1e-9)); tenth <= 10; ++tenth) {
    plot.x_ticks.emplace_back(tenth / 10.0, fmt::format("{:.1f}", tenth / 10.0));
  }
  plot.x_label = "similarity (multiset Jaccard; 1 = equal)";
  plot.y_label = "removed records";
  const std::uint64_t high = r.similarities.back();
  plot.summary = fmt::format("Histogram of similarities of {} to the kept record: {} at {:.2f} or above",
                             counted(all, "removed record", "removed records"), share_text(high, all), 1 - step);
  append_figure(out, "Similarity to the kept copy", fmt::format("{} at {:.2f} or above.", share_text(high, all), 1 - step), plot);
}

}  // namespace

void append_plots(std::string& out, const Report& r) {
  if (r.cluster_sizes.empty() && total(r.distances) == 0 && total(r.similarities) == 0) return;
  open_section(out, "distributions", "Distributions", "");
  out += "<div class=\"cards plots\">\n";
  append_sizes(out, r);
  append_distances(out, r);
  append_similarities(out, r);
  out += "</div>\n";
  close_section(out);
}

}  // namespace leitong::report
