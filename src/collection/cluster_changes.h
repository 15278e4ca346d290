// The differences between two states of a collection's clusters, as changes that turn the first state into the second.
#pragma once

#include <functional>
#include <span>

#include "collection/saved_clusters.h"
#include "leitong/collection.h"

namespace leitong::collection {

// Both spans are sorted by cluster and sequence, as in SavedClusters. Documents are compared by id, so a replaced document is the same
// document although its sequence number is another. Clusters that end come first, then the others, each part in ascending order. The caller
// fills in `state` and `sequence` of the changes. Memory: about 40 bytes a member.
void cluster_changes(std::span<const ClusterMember> before, std::span<const ClusterMember> now, CollectionIds ids,
                     const std::function<void(CollectionClusterChange&)>& visit);

}  // namespace leitong::collection
