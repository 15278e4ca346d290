#include "stages/domain_counts.h"

#include <fmt/format.h>

#include <algorithm>

namespace leitong::stages {

void DomainCounts::add(std::string_view host, bool removed) {
  auto found = of_.find(std::string(host));
  if (found == of_.end() && of_.size() < most_) found = of_.emplace(host, Count()).first;
  Count& count = found == of_.end() ? others_ : found->second;
  ++count.records;
  count.removed += removed ? 1 : 0;
}

std::vector<report::Source> DomainCounts::largest(std::size_t size) const {
  std::vector<report::Source> all;
  all.reserve(of_.size());
  for (const auto& [host, count] : of_) all.push_back({host, count.records, count.removed, 0});
  std::ranges::sort(all, [](const report::Source& a, const report::Source& b) {
    return a.records != b.records ? a.records > b.records : a.path < b.path;
  });
  report::Source rest{"", others_.records, others_.removed, 0};
  const std::size_t left = all.size() > size ? all.size() - size : 0;
  for (std::size_t i = size; i < all.size(); ++i) rest.records += all[i].records, rest.removed += all[i].removed;
  all.resize(all.size() - left);
  if (rest.records > 0) {
    rest.path = others_.records > 0 ? "(other domains)" : fmt::format("({} more domains)", left);
    all.push_back(rest);
  }
  return all;
}

}  // namespace leitong::stages
