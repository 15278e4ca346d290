#pragma once

#include <cstdint>

#include "leitong/dedup.h"

namespace leitong::deduplication {

// plan() of a sample of about so many bytes.
[[nodiscard]] Plan plan_by_sample(const DedupOptions& options, std::uint64_t sample_bytes);

}  // namespace leitong::deduplication
