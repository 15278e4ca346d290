#include "similarity/bucket_count.h"

namespace leitong::similarity {

uint64_t count_in_buckets_portable(const uint32_t* buckets, unsigned shift, const uint32_t* keys, size_t n) noexcept {
  return count_by_lanes(buckets, shift, keys, n);
}

}  // namespace leitong::similarity
