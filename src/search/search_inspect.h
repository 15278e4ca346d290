// What an index of another program holds: a layout guessed from its mapping and a sample of its documents, with the evidence.
//
// Threads: any. Errors: as SearchClient.
#pragma once

#include <cstddef>
#include <string>

#include "remote/fingerprint_store.h"
#include "search/search_client.h"

namespace leitong::search {

[[nodiscard]] remote::Inspection inspect_index(SearchClient& client, const std::string& index, std::size_t sample);

}  // namespace leitong::search
