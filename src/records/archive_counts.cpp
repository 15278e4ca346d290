#include "records/archive_counts.h"

#include <fmt/format.h>

namespace leitong::records {

void ArchiveCounts::add(const ArchiveCounts& other) {
  for (std::size_t i = 0; i < of.size(); ++i) of[i] += other.of[i];
  truncated += other.truncated;
}

std::string ArchiveCounts::sentence() const {
  std::uint64_t all = 0, taken = 0;
  std::string passed;
  for (std::size_t i = 0; i < of.size(); ++i) {
    const auto kind = static_cast<warc::Kind>(i);
    all += of[i];
    if (warc::is_text(kind))
      taken += of[i];
    else if (of[i] > 0)
      passed += fmt::format("{}{} ({})", passed.empty() ? "" : ", ", warc::name_of(kind), of[i]);
  }
  if (all == 0) return {};
  std::string sentence = fmt::format("archives: {} of {} records hold a text", taken, all);
  if (!passed.empty()) sentence += "; passed by: " + passed;
  if (truncated > 0) sentence += fmt::format("; {} of the texts are cut off (WARC-Truncated, or data that ends too early)", truncated);
  return sentence;
}

}  // namespace leitong::records
