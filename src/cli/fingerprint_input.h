// Files of fingerprints as the flags of join and search describe them.
#pragma once

#include <string>

#include "cli/settings.h"
#include "leitong/fingerprint_file.h"

namespace leitong::cli {

// Reads or maps it; bad lines are listed on standard error.
[[nodiscard]] FingerprintFile read_fingerprints(const std::string& path, const Settings& settings, KeepIds ids);
// 1 if there were lines and every one was bad, else 0.
[[nodiscard]] int exit_code(const FingerprintFile& file);

}  // namespace leitong::cli
