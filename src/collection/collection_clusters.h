// The clusters of a collection, computed by the stages of dedup (join, verify, cluster) from the stored sketches.
#pragma once

#include <string>
#include <vector>

#include "collection/collection_about.h"
#include "collection/saved_clusters.h"
#include "leitong/collection.h"
#include "store/snapshot.h"

namespace leitong::collection {

// The stages see the documents in order of their ids (as bytes, or as numbers), so that ties and bounds do not depend on the order in which
// documents were added. The caller must be the writer of `directory`. Stage files are written to a directory inside it, which is removed
// when this function returns or throws.
[[nodiscard]] std::vector<ClusterMember> compute_clusters(const store::Snapshot& snapshot, const store::Shape& shape,
                                                          const AboutCollection& about, const std::string& directory,
                                                          const CollectionClusterOptions& options);

}  // namespace leitong::collection
