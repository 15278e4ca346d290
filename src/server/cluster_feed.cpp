#include "server/cluster_feed.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "leitong/records.h"

namespace leitong::server {
namespace {

constexpr std::array<const char*, 10> step_names{"reset",   "new",   "gone",   "split",   "merged",
                                                 "renamed", "grown", "shrunk", "changed", "kept"};

void append_ids(const char* name, const std::vector<std::string>& ids, std::string& out) {
  out += fmt::format(",\"{}\":[", name);
  for (std::size_t i = 0; i < ids.size(); ++i) append_json_string(out += i == 0 ? "" : ",", ids[i]);
  out += ']';
}

}  // namespace

std::string change_line(const CollectionClusterChange& change) {
  std::string out = fmt::format("{{\"state\":{},\"sequence\":{},\"change\":\"{}\"", change.state, change.sequence,
                                step_names.at(static_cast<std::size_t>(change.what)));
  if (change.what != CollectionClusterStep::reset) {
    out += fmt::format(",\"cluster\":{},\"was\":{},\"from\":[{}],\"into\":[{}]", change.cluster,
                       change.was ? fmt::format("{}", *change.was) : "null", fmt::join(change.from, ","), fmt::join(change.into, ","));
    append_ids("added", change.added, out);
    append_ids("removed", change.removed, out);
    out += fmt::format(",\"documents\":{}", change.documents);
    if (change.documents > 0) append_json_string(out += ",\"keep\":", change.keep);
  }
  return out + "}\n";
}

std::string end_line(const CollectionClusterState& state) {
  return fmt::format("{{\"state\":{},\"sequence\":{},\"change\":\"end\",\"key\":\"{:016x}\",\"clusters\":{},\"documents\":{}}}\n",
                     state.mark.state, state.sequence, state.mark.key, state.clusters, state.documents);
}

std::string cluster_json(const CollectionCluster& cluster) {
  std::string out = fmt::format("{{\"cluster\":{}", cluster.id);
  append_ids("documents", cluster.documents, out);
  append_json_string(out += ",\"keep\":", cluster.keep);
  return out + "}";
}

void ClusterFeed::begin(CollectionClusterMark mark) {
  const std::lock_guard lock(mutex_);
  if (mark != last_of_steps()) {
    steps_.clear();
    bytes_ = 0;
    before_ = mark;
  }
}

void ClusterFeed::append(CollectionClusterMark mark, std::string lines) {
  {
    const std::lock_guard lock(mutex_);
    bytes_ += lines.size();
    steps_.push_back({mark, std::move(lines)});
    while (bytes_ > most_bytes) {
      before_ = steps_.front().mark;
      bytes_ -= steps_.front().lines.size();
      steps_.pop_front();
    }
  }
  wake();
}

std::optional<ClusterFeed::Told> ClusterFeed::since(CollectionClusterMark since) const {
  const std::lock_guard lock(mutex_);
  bool found = since == before_ && since.state != 0;
  std::string out;
  for (const Step& step : steps_) {
    if (found) out += step.lines;
    found = found || step.mark == since;
  }
  return found ? std::optional(Told{std::move(out), last_of_steps()}) : std::nullopt;
}

CollectionClusterMark ClusterFeed::last() const {
  const std::lock_guard lock(mutex_);
  return last_of_steps();
}

std::uint64_t ClusterFeed::key_of(std::uint64_t state) const {
  const std::lock_guard lock(mutex_);
  for (const Step& step : steps_)
    if (step.mark.state == state) return step.mark.key;
  return before_.state == state ? before_.key : 0;
}

void ClusterFeed::wait(CollectionClusterMark seen, std::function<void()> then) {
  {
    const std::lock_guard lock(mutex_);
    if (seen == last_of_steps()) {
      waiting_.push_back(std::move(then));
      return;
    }
  }
  then();
}

void ClusterFeed::wake() {
  std::list<std::function<void()>> waiting;
  {
    const std::lock_guard lock(mutex_);
    waiting.swap(waiting_);
  }
  for (const auto& then : waiting) then();
}

}  // namespace leitong::server
