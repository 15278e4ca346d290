// Names of choices to what they mean. A name is one of its flag's choices: parsing has seen to that.
#pragma once

#include <string>

#include "cli/settings.h"

namespace leitong::cli {

[[nodiscard]] FeatureKind feature_kind(const std::string& name);
[[nodiscard]] WeightKind weight_kind(const std::string& name);
[[nodiscard]] WordKind word_kind(const std::string& name);
[[nodiscard]] FingerprintFormat fingerprint_format(const std::string& name);
[[nodiscard]] Verify verify_kind(const std::string& name);
[[nodiscard]] Compression compression(const std::string& name);
[[nodiscard]] When when(const std::string& name);

}  // namespace leitong::cli
