// The numbers of the sections of HanLP's data file.
#pragma once

#include <cstdint>
#include <string_view>

namespace leitong::segment {

inline constexpr std::string_view hanlp_magic = "LTHANLP1";
inline constexpr std::uint32_t hanlp_version = 3;

enum HanlpSection : std::uint32_t {
  section_nature_names = 1,
  section_char_codes = 2,
  section_char_types = 3,
  section_constants = 4,
  section_steps = 5,
  section_tags = 6,
  section_levels = 7,
  section_frequencies = 8,
  section_buckets = 9,
  section_pair_costs = 10,
  section_pair_frequencies = 11,
  section_next_roles = 12,
  section_no_names = 13,
  section_simplified_starts = 14,
  section_simplified_text = 15,
  section_core_trie = 20,
  section_custom_trie = 21,
  section_added_trie = 22,
  section_name_trie = 23,
  section_translated_trie = 24,
  section_simplified_trie = 25,
  section_stop_trie = 26,
};

}  // namespace leitong::segment
