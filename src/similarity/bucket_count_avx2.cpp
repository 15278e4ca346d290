#if defined(__x86_64__)
#include "similarity/bucket_count.h"

namespace leitong::similarity {

uint64_t count_in_buckets_avx2(const uint32_t* buckets, unsigned shift, const uint32_t* keys, size_t n) noexcept {
  return count_by_lanes(buckets, shift, keys, n);
}

}  // namespace leitong::similarity
#endif
