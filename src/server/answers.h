// What the server says of collections and texts, as JSON. Ids are strings, fingerprints hexadecimal digits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "leitong/collection.h"
#include "leitong/explain.h"
#include "leitong/similarity.h"

namespace leitong::server {

[[nodiscard]] std::string json_text(std::string_view text);
[[nodiscard]] std::string json_fingerprint(const std::optional<Fingerprint>& fingerprint);

// {"id":…,"distance":…,"similarity":…}: `query` stands before them if it is not empty.
[[nodiscard]] std::string match_json(std::string_view query, const CollectionMatch& match);
[[nodiscard]] std::string answer_json(const CollectionAnswer& answer);
// What a document met that was to be added: as `leitong collection add --unique` prints it.
[[nodiscard]] std::string outcome_json(std::string_view id, const CollectionOutcome& outcome);
// What one would meet: new, duplicate of another, or present under its own id (empty: it has none).
[[nodiscard]] std::string verdict_json(std::string_view id, const CollectionAnswer& answer);
[[nodiscard]] std::string entry_json(const CollectionEntry& entry, bool texts, std::string_view place = {});
[[nodiscard]] std::string options_json(std::string_view name, const CollectionOptions& options, std::string_view profile_id);  // members
[[nodiscard]] std::string stats_json(const CollectionStats& stats);                                                            // members

[[nodiscard]] std::string comparison_json(std::string_view a, std::string_view b, const Comparison& comparison);
[[nodiscard]] std::string explanation_json(const Explanation& explanation, std::size_t most);

}  // namespace leitong::server
