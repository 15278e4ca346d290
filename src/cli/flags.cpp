#include "cli/flags.h"

#include "cli/flag_tables.h"

namespace leitong::cli {
namespace {

std::vector<Flag> join_tables() {
  std::vector<Flag> all;
  for (const std::span<const Flag> part : {input_flags(), profile_flags(), matching_flags(), output_flags(), calibration_flags(),
                                           near_flags(), collection_flags(), general_flags()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

std::span<const Flag> flags() {
  static const std::vector<Flag> all = join_tables();
  return all;
}

}  // namespace leitong::cli
