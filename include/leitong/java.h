// What the articles' Java programs do with finished fingerprints, for stores that were made by them. Profiles make the fingerprints
// themselves (leitong/profile.h: java-ik, java-hanlp, java-hanlp-length, java-hanlp-length-short, java-hanlp-tfidf).
//
// Fingerprints are strings of 0 and 1 as the programs write them, UTF-8; a missing value is Java's null. Where Java throws, these throw
// Error(usage) that names the exception.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/fingerprint.h"

namespace leitong::java {

using Bits = std::optional<std::string_view>;

// getDistance of articles 000 and 004: places that differ, -1 for different lengths.
[[nodiscard]] std::int32_t get_distance(Bits a, Bits b);
// hammingDistance of article 001: the same, but `for_null` if one is null: -1 in the service class, 0 in the standalone ones.
[[nodiscard]] std::int32_t hamming_distance(Bits a, Bits b, std::int32_t for_null);

// subByDistance of articles 000 (program java_000) and 004 (java_004), as decimal numbers: the blocks that two fingerprints within
// `distance` bits have one of in common. Each has bits / (distance + 1) bits; left-over bits are dropped, and 004 also drops the blocks
// beyond the highest set bit. Error(usage) for other programs, for distance -1 and for more blocks than bits.
[[nodiscard]] std::vector<std::string> sub_by_distance(const Fingerprint&, Program, std::int32_t distance);

// String.hashCode(), whose low 31 bits are article 003's "traditional hash".
[[nodiscard]] std::uint32_t string_hash_code(std::string_view utf8);

}  // namespace leitong::java
