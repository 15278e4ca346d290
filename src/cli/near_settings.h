// What only join of fingerprints and search can be told.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace leitong::cli {

struct NearSettings {
  std::string format, field;  // of files of fingerprints; empty: not given
  // join
  bool count = false;
  std::string pairs, clusters;  // where they go
  // search
  std::string build;  // the file to make an index of
  std::vector<std::string> queries;
  std::optional<std::uint64_t> nearest;
  bool check = false;
};

}  // namespace leitong::cli
