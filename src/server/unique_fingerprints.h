// Unique additions of documents that come as fingerprints, without their texts.
#pragma once

#include <span>
#include <vector>

#include "leitong/collection.h"
#include "server/writer.h"

namespace leitong::server {

// In order: adds each fingerprint from which no stored one, and none before it in this call, differs in at most query.k bits (none: the
// collection's k). Its own document, under the same id, makes it `present`. Nothing is verified: there is no text. Called by the one thread
// that writes to the collection, so that nothing comes between the questions and the addition; of a store on a server, other processes
// may. Buffered. Complexity: a question for each, and comparisons of each with those added before it in the call.
[[nodiscard]] std::vector<CollectionOutcome> add_unique_fingerprints(Collection& collection, std::span<const Document* const> documents,
                                                                     const CollectionQuery& query);

}  // namespace leitong::server
