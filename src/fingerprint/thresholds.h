// Which similarity a profile asks for.
#pragma once

#include <cstdint>

#include "leitong/profile.h"

namespace leitong::fingerprint {

// Of two texts, the shorter of which has `tokens` tokens.
[[nodiscard]] double threshold_of(const Profile& profile, std::uint64_t tokens);

}  // namespace leitong::fingerprint
