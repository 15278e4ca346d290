// What a store's manifest, or a record on a server, says of its profile, and what is refused because of it.
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
  candidates::BandPlan bands;  // none without keys
};
// Error(usage), the difference named, if the profile's id is not what it was when the collection was made (a dictionary or file that it
// names has changed), or is not what `open` asks for.
[[nodiscard]] AboutCollection read_about(const std::string& about, const store::Shape& shape, const std::string& directory,
                                         const CollectionOpen& open);

// The record of a store on a server, with the layout as JSON; and back. `where`: for messages. Errors as of read_about().
[[nodiscard]] std::string server_record(const CollectionOptions& options, const std::string& layout);
[[nodiscard]] AboutCollection read_server_record(const std::string& record, const std::string& where, const CollectionOpen& open);

}  // namespace leitong::collection
