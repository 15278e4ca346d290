// The clusters of a collection, by the stages of dedup: sketches as they are stored, join, verify, cluster.
#pragma once

#include <string>
#include <vector>

#include "collection/collection_about.h"
#include "collection/saved_clusters.h"
#include "leitong/collection.h"
#include "store/snapshot.h"

namespace leitong::collection {

// The stages meet the documents in order of their ids (bytes, or numbers), so that ties and bounds do not depend on when they were added.
// Stage files stand in a directory inside `directory`, whose writer the caller is, and go when this returns or throws.
[[nodiscard]] std::vector<ClusterMember> compute_clusters(const store::Snapshot& snapshot, const store::Shape& shape,
                                                          const AboutCollection& about, const std::string& directory,
                                                          const CollectionClusterOptions& options);

}  // namespace leitong::collection
