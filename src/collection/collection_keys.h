// Keys of a collection's documents, by which the store finds those that may resemble a text: one for each band of the second sketch, and
// one for each feature of a short text, or one for the whole of a text without features (docs/file-format.md, "Store", "keys").
#pragma once

#include <cstdint>
#include <vector>

#include "candidates/band_plan.h"
#include "fingerprint/sketcher.h"
#include "leitong/profile.h"
#include "leitong/rule.h"
#include "store/postings.h"

namespace leitong::collection {

void band_keys(const fingerprint::Slots& slots, const candidates::BandPlan& plan, std::vector<std::uint32_t>& keys);
void feature_keys(const std::vector<std::uint32_t>& features, std::vector<std::uint32_t>& keys);
// Of a text that has neither, unless it is blank: such a text ("!!!") is like its equals only.
void content_key(const fingerprint::Sketch& sketch, std::vector<std::uint32_t>& keys);

// Of stored documents.
[[nodiscard]] store::KeysOf keys_of_documents(const candidates::BandPlan& plan);

// What to look up for a text.
struct WantedKeys {
  std::vector<std::uint32_t> bands, features;
  std::size_t needed = 0;  // so many features, the rarest: none that is similar enough lacks all of them
};
[[nodiscard]] WantedKeys wanted_keys(const fingerprint::Sketch& sketch, const Profile& profile, const Rule& rule,
                                     const candidates::BandPlan& plan);

}  // namespace leitong::collection
