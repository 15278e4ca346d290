// Finds the layout of an index of another program, from its mapping and a sample of its documents, and gives the evidence.
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
