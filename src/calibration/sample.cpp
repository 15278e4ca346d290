#include "calibration/sample.h"

#include <algorithm>
#include <array>
#include <map>

namespace leitong::calibration {
namespace {

constexpr std::array<unsigned, 3> greatest = {3, 7, 12};  // of 64 bits

// `count` among the cells, which hold that many pairs: one each, the most populous first, then by population.
void share_out(std::span<const Cell> cells, std::vector<std::size_t> which, std::uint64_t count, std::vector<std::uint32_t>& out) {
  std::stable_sort(which.begin(), which.end(), [&](std::size_t a, std::size_t b) { return cells[a].population > cells[b].population; });
  for (const std::size_t cell : which) {
    if (count == 0 || cells[cell].population == 0) break;
    ++out[cell], --count;
  }
  // One at a time to the cell that is furthest below its share: numbers are small.
  std::uint64_t total = 0;
  for (const std::size_t cell : which) total += cells[cell].population;
  for (; count > 0; --count) {
    std::size_t best = which.front();
    double most = -1;
    for (const std::size_t cell : which) {
      if (out[cell] >= cells[cell].population) continue;
      const double lacks = static_cast<double>(cells[cell].population) / static_cast<double>(total) / (out[cell] + 1.0);
      if (lacks > most) most = lacks, best = cell;
    }
    ++out[best];
  }
}

}  // namespace

unsigned step_of(double similarity) {
  const double step = similarity * 20 + 1e-5;  // kept as single precision
  return step < 0 ? 0 : std::min(static_cast<unsigned>(step), steps - 1);
}

unsigned greatest_of(unsigned band, unsigned bits) { return greatest.at(band) * bits / 64; }

unsigned distance_band(unsigned distance, unsigned bits) {
  for (unsigned band = 0; band < greatest.size(); ++band)
    if (distance <= greatest_of(band, bits)) return band;
  return greatest.size();
}

std::vector<std::uint32_t> allocate(std::span<const Cell> cells, std::uint32_t per_band) {
  struct Half {
    std::vector<std::size_t> cells;
    std::uint64_t population = 0, count = 0;
  };
  std::map<unsigned, std::array<Half, 2>> bands;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    Half& half = bands[band_of(cells[i].step)].at(cells[i].taken ? 1 : 0);
    half.cells.push_back(i);
    half.population += cells[i].population;
  }
  std::vector<std::uint32_t> out(cells.size(), 0);
  for (auto& [band, halves] : bands) {
    auto& [refused, taken] = halves;
    taken.count = std::min<std::uint64_t>(taken.population, per_band - std::min<std::uint64_t>(refused.population, per_band / 2));
    refused.count = std::min<std::uint64_t>(refused.population, per_band - taken.count);
    for (Half& half : halves)
      if (half.count > 0) share_out(cells, half.cells, half.count, out);
  }
  return out;
}

}  // namespace leitong::calibration
