// The clusters of a collection as they were last computed: the file CLUSTERS of its directory (docs/file-format.md, "Clusters of a store").
// Derived: without it nothing is lost but what the next change is told against.
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
  CollectionClusterMark mark;          // of what the rows say of documents by their ids, whatever the sequence numbers
  std::string rule, rule_id;           // name and id of the rule that they were computed by
  std::uint64_t sequence = 1;          // next sequence number of the collection then
  std::vector<ClusterMember> members;  // by cluster, sequence; of each cluster two or more, one of them kept
  [[nodiscard]] CollectionClusterState summary() const;
};

[[nodiscard]] std::string clusters_path(const std::string& directory);
// None if there is no such file. Error(format) if it is damaged.
[[nodiscard]] std::optional<SavedClusters> read_clusters(storage::Vfs& vfs, const std::string& directory);
// None if there is no such file, or none that can be used.
[[nodiscard]] std::optional<SavedClusters> usable_clusters(storage::Vfs& vfs, const std::string& directory);
// The first row that no computation makes: clusters are in order, each with its smallest sequence number for a name, two members or more,
// and one that is kept.
[[nodiscard]] std::optional<std::uint64_t> impossible_row(const SavedClusters& saved);
void write_clusters(storage::Vfs& vfs, const std::string& directory, const SavedClusters& saved);

}  // namespace leitong::collection
