// What layout the keys under a prefix have: a sample of them, a table of the forms that programs write, and the count of how much of the
// sample each form explains.
//
// Nothing is written. Threads, errors: as Redis.
#pragma once

#include <cstddef>
#include <string>

#include "remote/fingerprint_store.h"
#include "remote/redis.h"

namespace leitong::remote {

// `sample`: keys that are looked at, about.
[[nodiscard]] Inspection inspect_redis(Redis& redis, const RedisSettings& settings, const std::string& prefix, std::size_t sample);

}  // namespace leitong::remote
