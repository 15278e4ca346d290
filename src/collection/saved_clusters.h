// The last computed clusters of a collection: the file CLUSTERS in its directory (docs/file-format.md, "Clusters of a store"). It can be
// computed again; without it, the next update reports all clusters instead of the changes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "leitong/collection.h"
#include "storage/vfs.h"

namespace leitong::collection {

struct ClusterMember {
  std::uint64_t cluster = 0, sequence = 0;
  std::string id;  // as it is stored
  bool kept = false;
  friend auto operator<=>(const ClusterMember&, const ClusterMember&) = default;
};

struct SavedClusters {
  CollectionClusterMark mark;          // changes with the clusters' documents (by id), not with their sequence numbers
  std::string rule, rule_id;           // name and id of the rule under which they were computed
  std::uint64_t sequence = 1;          // next sequence number of the collection at that time
  std::vector<ClusterMember> members;  // sorted by cluster, sequence; each cluster has two or more, exactly one of them kept
  [[nodiscard]] CollectionClusterState summary() const;
};

[[nodiscard]] std::string clusters_path(const std::string& directory);
// Empty if there is no such file. Throws Error(format) if it is damaged.
[[nodiscard]] std::optional<SavedClusters> read_clusters(storage::Vfs& vfs, const std::string& directory);
// Empty if there is no such file or it is unusable.
[[nodiscard]] std::optional<SavedClusters> usable_clusters(storage::Vfs& vfs, const std::string& directory);
// The first row that cannot result from a computation. Clusters must ascend, each must be named after its smallest sequence number, have at
// least two members, and keep exactly one of them.
[[nodiscard]] std::optional<std::uint64_t> impossible_row(const SavedClusters& saved);
void write_clusters(storage::Vfs& vfs, const std::string& directory, const SavedClusters& saved);

}  // namespace leitong::collection
