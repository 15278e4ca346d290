// A stored fingerprint as programs write it: the other way round of `leitong fingerprint --format`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/settings.h"
#include "leitong/fingerprint.h"

namespace leitong::cli {

// None: `text` is no fingerprint of the profile's width in that form. hex may have 0x before it; of decimals leading zeros may be missing.
[[nodiscard]] std::optional<Fingerprint> read_fingerprint_value(std::string_view text, FingerprintFormat format, bool reverse_bits,
                                                                const Profile& profile);
// "64 bits as 16 hexadecimal digits", for messages.
[[nodiscard]] std::string expected_value(FingerprintFormat format, unsigned bits);

}  // namespace leitong::cli
