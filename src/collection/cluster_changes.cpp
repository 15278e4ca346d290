#include "collection/cluster_changes.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "collection/collection_row.h"

namespace leitong::collection {
namespace {

using Members = std::span<const ClusterMember>;

// One of the two states, indexed by cluster and by document.
class State {
 public:
  explicit State(Members members) : members_(members) {
    by_id_.reserve(members.size());
    for (const ClusterMember& member : members) by_id_.emplace(member.id, member.cluster);
  }
  // The members of a cluster; empty if there is no such cluster.
  [[nodiscard]] Members of(std::uint64_t cluster) const {
    const auto range = std::ranges::equal_range(members_, cluster, {}, &ClusterMember::cluster);
    return {range.begin(), range.end()};
  }
  [[nodiscard]] std::optional<std::uint64_t> cluster_of(std::string_view id) const {
    const auto at = by_id_.find(id);
    return at == by_id_.end() ? std::nullopt : std::optional(at->second);
  }
  template <typename Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t begin = 0, end = 0; begin < members_.size(); begin = end) {
      while (end < members_.size() && members_[end].cluster == members_[begin].cluster) ++end;
      visit(members_[begin].cluster, members_.subspan(begin, end - begin));
    }
  }

 private:
  Members members_;
  std::unordered_map<std::string_view, std::uint64_t> by_id_;
};

// The clusters of `state` that hold any of `members`, each once, in ascending order.
std::vector<std::uint64_t> clusters_in(const State& state, Members members) {
  std::vector<std::uint64_t> out;
  for (const ClusterMember& member : members)
    if (const auto cluster = state.cluster_of(member.id)) out.push_back(*cluster);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

const ClusterMember* kept_of(Members members) {
  const auto kept = std::ranges::find(members, true, &ClusterMember::kept);
  return kept == members.end() ? nullptr : &*kept;
}

CollectionClusterStep step_of(const CollectionClusterChange& change) {
  using enum CollectionClusterStep;
  if (!change.was) return begun;
  if (change.into.size() > 1) return split;
  if (change.documents == 0) return change.into.empty() ? gone : merged;
  if (change.from.size() > 1) return merged;
  if (*change.was != change.cluster) return renamed;
  if (!change.added.empty() && !change.removed.empty()) return changed;
  if (!change.added.empty()) return grown;
  return change.removed.empty() ? kept : shrunk;
}

class Changes {
 public:
  Changes(Members before, Members now, CollectionIds ids, const std::function<void(CollectionClusterChange&)>& visit)
      : before_(before), now_(now), ids_(ids), visit_(visit) {}

  void tell() {
    now_.for_each([&](std::uint64_t cluster, Members members) { find_former(cluster, members); });
    before_.for_each([&](std::uint64_t cluster, Members) {
      if (now_.of(cluster).empty() && !heir_.contains(cluster)) change(cluster, cluster);
    });
    now_.for_each([&](std::uint64_t cluster, Members) {
      const auto former = former_.find(cluster);
      change(cluster, former == former_.end() ? std::nullopt : std::optional(former->second));
    });
  }

 private:
  // Finds the cluster of the earlier state that this cluster continues. It is the one with the same id, if there is one. Otherwise it is
  // the earlier cluster of the document that now gives the id, provided that cluster has ended and no cluster with a smaller id continues
  // it.
  void find_former(std::uint64_t cluster, Members members) {
    if (!before_.of(cluster).empty()) {
      former_.emplace(cluster, cluster);
      return;
    }
    const auto former = before_.cluster_of(members.front().id);
    if (former && now_.of(*former).empty() && heir_.emplace(*former, cluster).second) former_.emplace(cluster, *former);
  }

  void change(std::uint64_t cluster, std::optional<std::uint64_t> was) const {
    const Members then = was ? before_.of(*was) : Members(), now = now_.of(cluster);
    CollectionClusterChange out;
    out.cluster = cluster;
    out.was = was;
    out.documents = now.size();
    for (const ClusterMember& member : now)
      if (!was || before_.cluster_of(member.id) != was) out.added.push_back(shown_id(ids_, member.id));
    for (const ClusterMember& member : then)
      if (now.empty() || now_.cluster_of(member.id) != cluster) out.removed.push_back(shown_id(ids_, member.id));
    const ClusterMember *kept = kept_of(now), *kept_then = kept_of(then);
    if (kept != nullptr) out.keep = shown_id(ids_, kept->id);
    const bool same_kept = kept != nullptr && kept_then != nullptr && kept->id == kept_then->id;
    if (was == cluster && same_kept && out.added.empty() && out.removed.empty()) return;
    out.from = clusters_in(before_, now);
    out.into = clusters_in(now_, then);
    out.what = step_of(out);
    visit_(out);
  }

  State before_, now_;
  CollectionIds ids_;
  const std::function<void(CollectionClusterChange&)>& visit_;
  std::unordered_map<std::uint64_t, std::uint64_t> former_, heir_;  // now -> before; before -> now, if the id is another
};

}  // namespace

void cluster_changes(std::span<const ClusterMember> before, std::span<const ClusterMember> now, CollectionIds ids,
                     const std::function<void(CollectionClusterChange&)>& visit) {
  Changes(before, now, ids, visit).tell();
}

}  // namespace leitong::collection
