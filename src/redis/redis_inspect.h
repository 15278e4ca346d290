// What layout the keys under a prefix have: a sample of them, a table of the forms that programs write, and the count of how much of the
// sample each form explains.
//
// Nothing is written. Threads, errors: as Redis.
#pragma once

#include <cstddef>
#include <string>

#include "redis/redis.h"
#include "remote/fingerprint_store.h"

namespace leitong::redis {

// `sample`: keys that are looked at, about.
[[nodiscard]] remote::Inspection inspect_redis(Redis& redis, const RedisSettings& settings, const std::string& prefix, std::size_t sample);

}  // namespace leitong::redis
