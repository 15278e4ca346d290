#pragma once

#include <cstdint>

#include "leitong/dedup.h"

namespace leitong::deduplication {

// The plan made from a sample of about `sample_bytes` bytes.
[[nodiscard]] Plan plan_by_sample(const DedupOptions& options, std::uint64_t sample_bytes);

}  // namespace leitong::deduplication
