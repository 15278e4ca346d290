// Makes a collection an input of dedup by writing its texts as JSON Lines.
#pragma once

#include <string>
#include <vector>

#include "leitong/input.h"

namespace leitong::deduplication {

// Replaces those paths of an old collection that are collections with texts by files in `directory`, which are written now: one line
// {id_field, text_field} for each document, in the order in which the documents were added. Throws Error(usage) for a format other than
// auto or jsonl.
[[nodiscard]] std::vector<std::string> with_collections_as_files(const std::vector<std::string>& paths, const InputOptions& input,
                                                                 const std::string& directory);

}  // namespace leitong::deduplication
