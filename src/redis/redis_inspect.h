// Finds the layout of the keys under a prefix: takes a sample of them, tries a table of forms that programs write, and counts how much of
// the sample each form explains.
//
// Nothing is written. Threads, errors: as Redis.
#pragma once

#include <cstddef>
#include <string>

#include "redis/redis.h"
#include "remote/fingerprint_store.h"

namespace leitong::redis {

// `sample`: approximate number of keys that are read.
[[nodiscard]] remote::Inspection inspect_redis(Redis& redis, const RedisSettings& settings, const std::string& prefix, std::size_t sample);

}  // namespace leitong::redis
