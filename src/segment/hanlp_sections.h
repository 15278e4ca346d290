// The numbers of the sections of HanLP's data file.
#pragma once

#include <cstdint>
#include <string_view>

namespace leitong::segment {

inline constexpr std::string_view kHanlpMagic = "LTHANLP1";
inline constexpr std::uint32_t kHanlpVersion = 3;

enum HanlpSection : std::uint32_t {
  kNatureNames = 1,
  kCharCodes = 2,
  kCharTypes = 3,
  kConstants = 4,
  kSteps = 5,
  kTags = 6,
  kLevels = 7,
  kFrequencies = 8,
  kBuckets = 9,
  kPairCosts = 10,
  kPairFrequencies = 11,
  kNextRoles = 12,
  kNoNames = 13,
  kSimplifiedStarts = 14,
  kSimplifiedText = 15,
  kCoreTrie = 20,
  kCustomTrie = 21,
  kAddedTrie = 22,
  kNameTrie = 23,
  kTranslatedTrie = 24,
  kSimplifiedTrie = 25,
  kStopTrie = 26,
};

}  // namespace leitong::segment
