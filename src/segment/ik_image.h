// The sections of IK's data file; only for ik_compile.cpp and ik_dictionary.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace leitong::segment {

inline constexpr std::string_view ik_magic = "LTIKDIC1";
inline constexpr std::uint32_t ik_version = 2;

enum IkSection : std::uint32_t {
  ik_word_counts = 1,  // u32[6]: how many words, by list
  ik_unit_table = 2,   // u32[65536]: of a UTF-16 unit, its code (low 16 bits) and its class
  ik_nodes = 3,        // IkDictionary::Node[]: the trie
};

inline constexpr std::size_t ik_units = 65536;  // entries of the unit table

}  // namespace leitong::segment
