// Profiles as C gives them.
#pragma once

#include "leitong/profile.h"

namespace leitong::c {

// A built-in profile's name, a TOML file's path, TOML with a line break in it, or NULL for the default. Errors of load_profile and
// parse_profile.
[[nodiscard]] Profile profile_of(const char* given);

}  // namespace leitong::c
