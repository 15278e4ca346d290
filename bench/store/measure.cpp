#include "measure.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>

namespace bench_store {

double Latencies::sum() const { return std::accumulate(times_.begin(), times_.end(), 0.0); }

double Latencies::at(double share) const {
  if (times_.empty()) return 0;
  std::vector<double> sorted = times_;
  const auto place = std::min(sorted.size() - 1, static_cast<std::size_t>(share * static_cast<double>(sorted.size())));
  std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(place));
  return sorted[place];
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::uint64_t bytes_in(const std::string& directory) {
  namespace fs = std::filesystem;
  std::uint64_t bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    std::error_code gone;
    if (!at->is_regular_file(gone)) continue;
    const std::uint64_t size = at->file_size(gone);
    if (!gone) bytes += size;
  }
  return bytes;
}

std::uint64_t bytes_written(pid_t process) {
  std::ifstream io("/proc/" + std::to_string(process) + "/io");
  std::string name;
  for (std::uint64_t value = 0; io >> name >> value;)
    if (name == "write_bytes:") return value;
  return 0;
}

}  // namespace bench_store
