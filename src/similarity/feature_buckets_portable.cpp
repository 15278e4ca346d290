// Buckets of eight keys compared one by one.
#include "similarity/feature_buckets.h"

namespace leitong::similarity {

extern const FeatureBuckets feature_buckets_portable = {fill_by_lanes, count_by_lanes};

}  // namespace leitong::similarity
