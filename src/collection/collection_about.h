// Reads and writes what a store's manifest, or the record on a server, says about the collection's profile; rejects profiles that differ.
#pragma once

#include <string>

#include "candidates/band_plan.h"
#include "leitong/collection.h"
#include "store/row.h"

namespace leitong::collection {

[[nodiscard]] std::string about_collection(const CollectionOptions& options);

struct AboutCollection {
  CollectionOptions options;
  std::string profile_id;
  candidates::BandPlan bands;  // empty if the collection has no keys
};
// Throws Error(usage), and names the difference, if the profile's id has changed since the collection was made (because a dictionary or
// file that the profile names has changed), or if it is not the profile that `open` asks for.
[[nodiscard]] AboutCollection read_about(const std::string& about, const store::Shape& shape, const std::string& directory,
                                         const CollectionOpen& open);

// Write and read the record of a store on a server; it holds the layout as JSON. `where` is named in messages. Errors: as of read_about().
[[nodiscard]] std::string server_record(const CollectionOptions& options, const std::string& layout);
[[nodiscard]] AboutCollection read_server_record(const std::string& record, const std::string& where, const CollectionOpen& open);

}  // namespace leitong::collection
