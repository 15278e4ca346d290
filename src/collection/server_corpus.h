// A collection that is fingerprints and nothing else: on a server, or in memory.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "collection/corpus_backend.h"

namespace leitong::collection {

// Error(usage), beginning with `where`.
void require_fingerprints_only(const std::string& where, const CorpusOptions& options);
// A preset's name: as the profile's program would write it.
[[nodiscard]] std::string layout_in_order_of(const Profile& profile, const std::string& layout);
void create_on_server(const std::string& url, const CorpusOptions& options);
StoreInspection adopt_on_server(const std::string& url, const CorpusOptions& options, std::span<const CorpusDocument> sample);
[[nodiscard]] std::unique_ptr<CorpusBackend> open_server(const std::string& url, Access access, const CorpusOpen& open);
[[nodiscard]] std::unique_ptr<CorpusBackend> open_memory(const CorpusOptions& options, const CorpusOpen& open);

}  // namespace leitong::collection
