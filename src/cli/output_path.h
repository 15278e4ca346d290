// What a command's results are called, for what it prints.
#pragma once

#include <string>
#include <string_view>

#include "cli/settings.h"

namespace leitong::cli {

// "out/rejected.jsonl.zst"
[[nodiscard]] inline std::string lines_path(const OutputSettings& s, std::string_view name) {
  const Compression compression = s.compression.value_or(Compression::none);
  const char* end = compression == Compression::zstd ? ".zst" : compression == Compression::gzip ? ".gz" : "";
  return s.directory + "/" + std::string(name) + ".jsonl" + end;
}

}  // namespace leitong::cli
