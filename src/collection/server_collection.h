// A collection that stores only fingerprints: on a server or in memory.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "collection/backend.h"

namespace leitong::collection {

// Throws Error(usage) if the options ask for more than fingerprints. The message begins with `where`.
void require_fingerprints_only(const std::string& where, const CollectionOptions& options);
// A preset's name becomes the layout with the bit order of the profile's program.
[[nodiscard]] std::string layout_in_order_of(const Profile& profile, const std::string& layout);
void create_on_server(const std::string& url, const CollectionOptions& options);
StoreInspection adopt_on_server(const std::string& url, const CollectionOptions& options, std::span<const CollectionDocument> sample);
[[nodiscard]] std::unique_ptr<CollectionBackend> open_server(const std::string& url, Access access, const CollectionOpen& open);
[[nodiscard]] std::unique_ptr<CollectionBackend> open_memory(const CollectionOptions& options, const CollectionOpen& open);

}  // namespace leitong::collection
