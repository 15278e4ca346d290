// What sets two states of a collection's clusters apart, told so that who has one can make the other.
#pragma once

#include <functional>
#include <span>

#include "collection/saved_clusters.h"
#include "leitong/collection.h"

namespace leitong::collection {

// Members by cluster and sequence, as SavedClusters has them. Documents are told by their ids: one that was replaced has another sequence
// number and is the same. First the clusters that end, then the others, each part in order of the cluster; state and sequence are the
// caller's to say. Memory: about 40 bytes a member.
void cluster_changes(std::span<const ClusterMember> before, std::span<const ClusterMember> now, CollectionIds ids,
                     const std::function<void(CollectionClusterChange&)>& visit);

}  // namespace leitong::collection
