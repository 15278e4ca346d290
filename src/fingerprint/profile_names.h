// How the choices of a profile are called, in files, flags and ids: by the order of their enumerations.
#pragma once

#include <array>
#include <string_view>

#include "leitong/profile.h"

namespace leitong::fingerprint {

inline constexpr std::array<std::string_view, 2> sketch_names = {"simhash", "minhash1"};
inline constexpr std::array<std::string_view, 2> feature_names = {"token-ngrams", "character-ngrams"};
inline constexpr std::array<std::string_view, 6> weight_names = {"set", "tf", "sqrt", "log", "tfidf", "table"};
inline constexpr std::array<std::string_view, 7> word_names = {"tokens",    "jieba", "jieba-plain", "jieba-search",
                                                               "jieba-all", "hanlp", "ik"};
inline constexpr std::array<std::string_view, 6> program_names = {"leitong",         "java-000",  "java-001a",
                                                                  "java-001a-short", "java-001b", "java-004"};

template <std::size_t N, typename Enumeration>
[[nodiscard]] constexpr std::string_view name_in(const std::array<std::string_view, N>& names, Enumeration value) {
  return names[static_cast<std::size_t>(value)];
}

// Throws Error(usage) if the fields contradict each other.
void check_profile(const Profile& profile);
// A built-in profile; Error(usage) for an unknown name.
[[nodiscard]] Profile built_in_profile(std::string_view name);

}  // namespace leitong::fingerprint
