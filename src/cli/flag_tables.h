// The parts of the table of flags: one file a group. flags() joins them in this order, which is that of help.
#pragma once

#include <span>

#include "cli/flags.h"

namespace leitong::cli {

// Commands that share flags.
inline constexpr unsigned one_by_one = cmd_fingerprint | cmd_segment | cmd_normalize | cmd_idf | cmd_parity;
inline constexpr unsigned reads_input = cmd_dedup | cmd_sketch | cmd_calibrate | cmd_overlap | one_by_one;
inline constexpr unsigned two_texts = cmd_compare | cmd_explain;
inline constexpr unsigned fingerprints = cmd_dedup | cmd_sketch | cmd_calibrate | cmd_fingerprint | two_texts;
inline constexpr unsigned segments = cmd_segment | cmd_idf;
inline constexpr unsigned takes_profile = fingerprints | segments | cmd_normalize;
inline constexpr unsigned overrides_profile = fingerprints | cmd_profiles;
inline constexpr unsigned chooses_words = overrides_profile | segments;
inline constexpr unsigned stages = cmd_sketch | cmd_join | cmd_verify | cmd_cluster | cmd_apply;
inline constexpr unsigned near_fingerprints = cmd_join | cmd_search;
inline constexpr unsigned long_jobs = cmd_dedup | cmd_calibrate | cmd_overlap | cmd_search | stages | one_by_one;

[[nodiscard]] std::span<const Flag> input_flags();
[[nodiscard]] std::span<const Flag> profile_flags();
[[nodiscard]] std::span<const Flag> matching_flags();
[[nodiscard]] std::span<const Flag> output_flags();
[[nodiscard]] std::span<const Flag> calibration_flags();
[[nodiscard]] std::span<const Flag> near_flags();  // join of fingerprints, search
[[nodiscard]] std::span<const Flag> general_flags();

}  // namespace leitong::cli
