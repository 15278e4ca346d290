// The numbers of the sections of HanLP's data file. Each trie takes two: its cells, and its values one number higher.
#pragma once

#include <cstdint>
#include <string_view>

namespace leitong::segment {

inline constexpr std::string_view kHanlpMagic = "LTHANLP1";
inline constexpr std::uint32_t kHanlpVersion = 1;

enum HanlpSection : std::uint32_t {
  kNatureNames = 1,
  kCharCodes = 2,
  kCharTypes = 3,
  kConstants = 4,
  kEntries = 5,
  kPairs = 6,
  kRoleStarts = 7,
  kRoles = 8,
  kTransitions = 9,
  kSimplifiedStarts = 10,
  kSimplifiedText = 11,
  kCoreTrie = 20,
  kCustomTrie = 22,
  kAddedTrie = 24,
  kNameTrie = 26,
  kTranslatedTrie = 28,
  kSimplifiedTrie = 30,
  kStopTrie = 32,
};

}  // namespace leitong::segment
