// Buckets of eight keys compared at once, compiled for AVX2. Twin: feature_buckets_portable.cpp.

#if defined(__x86_64__)
#include "similarity/feature_buckets.h"

namespace leitong::similarity {

extern const FeatureBuckets feature_buckets_avx2 = {fill_by_lanes, count_by_lanes};

}  // namespace leitong::similarity
#endif
