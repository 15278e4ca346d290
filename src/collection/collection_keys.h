// Keys of a collection's documents. The store looks documents up by them to find candidates for a text: one key for each band of the second
// sketch, one for each feature of a short text, and one for the whole text if it has neither (docs/file-format.md, "Store", "keys").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "candidates/band_plan.h"
#include "fingerprint/sketcher.h"
#include "leitong/profile.h"
#include "leitong/rule.h"
#include "store/key_search.h"
#include "store/postings.h"

namespace leitong::collection {

void band_keys(const fingerprint::Slots& slots, const candidates::BandPlan& plan, std::vector<std::uint32_t>& keys);
// Keys of the class of that many features: a text that looks for similar ones knows how many they may have.
void feature_keys(const std::vector<std::uint32_t>& features, std::vector<std::uint32_t>& keys);
[[nodiscard]] std::uint32_t size_class(std::size_t features);
// The key of a text that has neither bands nor short features, unless it is blank. Such a text ("!!!") only matches texts equal to it.
void content_key(const fingerprint::Sketch& sketch, std::vector<std::uint32_t>& keys);

// The keys of stored documents.
[[nodiscard]] store::KeysOf keys_of_documents(const candidates::BandPlan& plan);

// The keys to look up for a text.
struct KeysOfText {
  std::vector<std::uint32_t> bands, features;          // features: groups of keys, distinct
  std::array<std::uint32_t, store::classes> needed{};  // of `features`, for texts of each class: every one that is similar enough has one
  [[nodiscard]] store::WantedKeys wanted() const { return {bands, features, needed}; }
};
[[nodiscard]] KeysOfText wanted_keys(const fingerprint::Sketch& sketch, const Profile& profile, const Rule& rule,
                                     const candidates::BandPlan& plan);

}  // namespace leitong::collection
