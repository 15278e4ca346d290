// ClusterFeed: the changes of a collection's clusters, as lines, for who follows them. What is told is kept in memory up to a bound; who is
// further behind, or was told by another state of the collection, gets a reset and all clusters anew.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <string>

#include "leitong/collection.h"

namespace leitong::server {

[[nodiscard]] std::string change_line(const CollectionClusterChange& change);
[[nodiscard]] std::string end_line(const CollectionClusterState& state);
[[nodiscard]] std::string cluster_json(const CollectionCluster& cluster);  // without a line end

class ClusterFeed {
 public:
  // What there was when the collection was opened.
  void begin(CollectionClusterMark mark);
  // The lines of one step from a state to the next, its end line among them.
  void append(CollectionClusterMark mark, std::string lines);
  // The lines that lead from `since` to the last state, and that; no lines: nothing changed. None: it is too long ago, or was never told
  // of.
  struct Told {
    std::string lines;
    CollectionClusterMark last;
  };
  [[nodiscard]] std::optional<Told> since(CollectionClusterMark since) const;
  [[nodiscard]] CollectionClusterMark last() const;
  [[nodiscard]] std::uint64_t key_of(std::uint64_t state) const;  // 0: not known
  // Calls `then` once: when `seen` is not the last state, or by wake().
  void wait(CollectionClusterMark seen, std::function<void()> then);
  void wake();

 private:
  static constexpr std::size_t most_bytes = std::size_t{16} << 20;
  struct Step {
    CollectionClusterMark mark;
    std::string lines;
  };
  mutable std::mutex mutex_;
  [[nodiscard]] const CollectionClusterMark& last_of_steps() const { return steps_.empty() ? before_ : steps_.back().mark; }

  CollectionClusterMark before_;  // that the first of the steps begins with
  std::deque<Step> steps_;
  std::size_t bytes_ = 0;
  std::list<std::function<void()>> waiting_;
};

}  // namespace leitong::server
