// What only the commands can be told that read records one by one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace leitong::cli {

enum class FingerprintFormat { hex, bits, decimal, signed_decimal };

// fingerprint, segment, normalize
struct RecordSettings {
  FingerprintFormat format = FingerprintFormat::hex;  // these two are also how import reads fingerprints
  bool reverse_bits = false;
  std::optional<std::int32_t> blocks;
  bool trace = false;
  bool pos = false;
  bool full_width = false, half_width = false, simplified = false;
};

struct KeywordSettings {
  std::uint32_t most = 20;              // of each record; 0: all
  std::vector<std::string> user_words;  // dictionaries of the user's
};

struct IdfSettings {
  std::string smoothing = "standard";
  std::uint64_t least_documents = 1;
};

struct ParitySettings {
  std::string fingerprint_field = "fp";
};

}  // namespace leitong::cli
