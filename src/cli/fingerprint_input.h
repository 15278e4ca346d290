// Files of fingerprints as the flags of join and search describe them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cli/settings.h"
#include "leitong/fingerprint_file.h"

namespace leitong::cli {

// Reads or maps it; bad lines, and what was guessed of it, are told on standard error.
[[nodiscard]] FingerprintFile read_fingerprints(const std::string& path, const Settings& settings, KeepIds ids);
// There was something, and not one fingerprint in it.
[[nodiscard]] bool has_only_bad(const FingerprintFile& file);
// 1 if it has only bad lines, or could not be read to its end; else 0.
[[nodiscard]] int exit_code(const FingerprintFile& file);

// The first bytes of files that are taken for each other (docs/file-format.md).
inline constexpr std::string_view table_magic = "\x89LTB\r\n\x1a\n", index_magic = "\x89LHX\r\n\x1a\n";
// Whether it is a file that begins with other bytes; false if it cannot be read.
[[nodiscard]] bool is_other_kind(const std::string& path, std::string_view magic);

// "1 pair", "2 pairs".
[[nodiscard]] std::string counted(std::uint64_t n, std::string_view what);

}  // namespace leitong::cli
