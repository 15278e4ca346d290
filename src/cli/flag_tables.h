// Flags that several commands share: one file a group. flags() joins them in this order, which is that of help, and puts those between
// that one command alone takes.
#pragma once

#include <span>

#include "cli/flags.h"

namespace leitong::cli {

// Commands that share flags.
inline constexpr Commands one_by_one = cmd_fingerprint | cmd_segment | cmd_normalize | cmd_keywords | cmd_idf | cmd_parity | cmd_extract;
inline constexpr Commands collection_records = cmd_collection_add | cmd_collection_query | cmd_collection_import;
inline constexpr Commands collection_jobs = collection_records | cmd_collection_compact | cmd_collection_clusters;
inline constexpr Commands collection_opened = collection_jobs | cmd_collection_delete | cmd_collection_get | cmd_collection_stats |
                                              cmd_collection_check | cmd_collection_backup |
                                              cmd_collection_export;  // all that ask what was created
inline constexpr Commands collection_makes = cmd_collection_create | cmd_collection_adopt;
inline constexpr Commands reads_input = cmd_dedup | cmd_sketch | cmd_calibrate | cmd_overlap | one_by_one | collection_records;
inline constexpr Commands two_texts = cmd_compare | cmd_explain;
inline constexpr Commands fingerprints = cmd_dedup | cmd_sketch | cmd_calibrate | cmd_fingerprint | collection_makes | two_texts;
inline constexpr Commands segments = cmd_segment | cmd_idf;
inline constexpr Commands takes_profile = fingerprints | segments | cmd_normalize;
inline constexpr Commands overrides_profile = fingerprints | cmd_profiles;
inline constexpr Commands chooses_words = overrides_profile | segments;
inline constexpr Commands judges = cmd_dedup | cmd_join | cmd_verify | cmd_calibrate | two_texts | cmd_collection_add |
                                   cmd_collection_query | cmd_collection_clusters;  // by a rule
inline constexpr Commands stages = cmd_sketch | cmd_join | cmd_verify | cmd_cluster | cmd_apply;
inline constexpr Commands near_fingerprints = cmd_join | cmd_search;
inline constexpr Commands long_jobs =
    cmd_dedup | cmd_calibrate | cmd_overlap | cmd_search | stages | one_by_one | collection_jobs | cmd_copy;

[[nodiscard]] std::span<const Flag> input_flags();
[[nodiscard]] std::span<const Flag> profile_flags();
[[nodiscard]] std::span<const Flag> matching_flags();
[[nodiscard]] std::span<const Flag> output_flags();
[[nodiscard]] std::span<const Flag> near_flags();  // join of fingerprints, search
[[nodiscard]] std::span<const Flag> collection_flags();
[[nodiscard]] std::span<const Flag> general_flags();

}  // namespace leitong::cli
