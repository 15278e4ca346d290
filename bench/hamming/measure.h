// What is measured: wall and processor time of repeated work, and memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench_hamming {

// Seconds since some moment; the second one of all threads of this process.
[[nodiscard]] double wall_seconds();
[[nodiscard]] double processor_seconds();

// Bytes in memory now; and the most since reset_peak() (0: the system cannot tell).
[[nodiscard]] std::uint64_t resident_bytes();
[[nodiscard]] std::uint64_t peak_bytes();
void reset_peak();

// Gives freed memory back to the system, so that the next growth is seen.
void release_memory();
// From here on freed memory stays with the process.
void keep_memory();
// Takes new memory from the system, on huge pages where it has them, and writes to every page of it.
void touch_new_memory(std::uint64_t bytes);

// The times of one thing, round after round.
struct Samples {
  std::vector<double> wall{}, processor{};

  template <typename Work>
  void take(const Work& work) {
    const double w = wall_seconds(), p = processor_seconds();
    work();
    wall.push_back(wall_seconds() - w);
    processor.push_back(processor_seconds() - p);
  }
  [[nodiscard]] static double median(std::vector<double> of) {
    if (of.empty()) return 0;
    std::ranges::sort(of);
    return of.size() % 2 == 1 ? of[of.size() / 2] : (of[of.size() / 2 - 1] + of[of.size() / 2]) / 2;
  }
  [[nodiscard]] double median() const { return median(wall); }
  [[nodiscard]] double least() const { return wall.empty() ? 0 : std::ranges::min(wall); }
};

}  // namespace bench_hamming
