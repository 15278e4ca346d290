// Which pairs to have labelled: the similarities that are told apart, and how many pairs of each cell.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace leitong::calibration {

// Similarities stand in steps of a twentieth, [k/20, (k + 1)/20); the last step is 1 itself. Two steps are a band; 1 is a band alone.
inline constexpr unsigned steps = 21;
[[nodiscard]] unsigned step_of(double similarity);
[[nodiscard]] inline double least_of(unsigned step) { return step / 20.0; }
[[nodiscard]] inline unsigned band_of(unsigned step) { return step / 2; }

// Distances of fingerprints in bands: of 64 bits up to 3, 7, 12 and more; of wider ones in proportion. The last band: no distance.
inline constexpr unsigned distance_bands = 5;
[[nodiscard]] unsigned distance_band(unsigned distance, unsigned bits);
// The greatest distance of a band but the last two.
[[nodiscard]] unsigned greatest_of(unsigned band, unsigned bits);

// Pairs that are drawn and weighed alike.
struct Cell {
  unsigned step = 0;
  bool taken = true;             // what the rule asks for beside the similarity (order) holds: a threshold would take it
  bool current = true;           // the rule as it is takes it: its thresholds, and what else it asks for
  unsigned distance = 0;         // band
  std::uint64_t population = 0;  // pairs in the collection
  double nominated = 1;          // predicted share of such pairs that are candidates at all
};

// How many pairs of each cell to draw: of each band `per_band`, or all if it has fewer, half of them from the pairs that are taken and half
// from the others if it has both. Inside, by population, but at least one of each cell as far as they go.
[[nodiscard]] std::vector<std::uint32_t> allocate(std::span<const Cell> cells, std::uint32_t per_band);

}  // namespace leitong::calibration
