// A collection that is fingerprints and nothing else: on a server, or in memory.
#pragma once

#include <memory>
#include <string>

#include "corpus/corpus_backend.h"

namespace leitong::corpus {

// What must be at an address where a collection is made.
enum class Found { nothing, rows };
void create_on_server(const std::string& url, const CorpusOptions& options, Found found);
[[nodiscard]] std::unique_ptr<CorpusBackend> open_server(const std::string& url, Access access, const CorpusOpen& open);
[[nodiscard]] std::unique_ptr<CorpusBackend> open_memory(const CorpusOptions& options, const CorpusOpen& open);

}  // namespace leitong::corpus
