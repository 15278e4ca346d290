// Records and removed records by the host of their addresses: the largest ones, in bounded memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "report/report.h"

namespace leitong::stages {

// Hosts beyond the first `most` that are met are counted together.
class DomainCounts {
 public:
  explicit DomainCounts(std::size_t most = std::size_t{1} << 17) : most_(most) {}
  void add(std::string_view host, bool removed);
  [[nodiscard]] bool empty() const { return of_.empty(); }
  // The `size` with the most records, descending, then by name; behind them, if there are more, one that sums them up.
  [[nodiscard]] std::vector<report::Source> largest(std::size_t size) const;

 private:
  struct Count {
    std::uint64_t records = 0, removed = 0;
  };
  std::size_t most_;
  std::unordered_map<std::string, Count> of_;
  Count others_;
};

}  // namespace leitong::stages
