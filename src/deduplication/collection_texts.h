// A collection as an input of dedup: its texts as JSON Lines.
#pragma once

#include <string>
#include <vector>

#include "leitong/input.h"

namespace leitong::deduplication {

// Paths of an old collection, those that are collections, which keep texts, replaced by files in `directory` that are written now: a line
// {id_field, text_field} a document, in the order in which they were added. Error(usage) for a format other than auto or jsonl.
[[nodiscard]] std::vector<std::string> with_collections_as_files(const std::vector<std::string>& paths, const InputOptions& input,
                                                                 const std::string& directory);

}  // namespace leitong::deduplication
