// leitong collection clusters: near-duplicates in a collection, and what has changed of them.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <optional>

#include "cli/cluster_feed.h"
#include "cli/collection_lines.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/run_collection.h"
#include "leitong/error.h"

namespace leitong::cli {
namespace {

const char* name_of(CollectionClusterStep step) {
  switch (step) {
    case CollectionClusterStep::reset:
      return "reset";
    case CollectionClusterStep::begun:
      return "new";
    case CollectionClusterStep::gone:
      return "gone";
    case CollectionClusterStep::split:
      return "split";
    case CollectionClusterStep::merged:
      return "merged";
    case CollectionClusterStep::renamed:
      return "renamed";
    case CollectionClusterStep::grown:
      return "grown";
    case CollectionClusterStep::shrunk:
      return "shrunk";
    case CollectionClusterStep::changed:
      return "changed";
    case CollectionClusterStep::kept:
      return "kept";
  }
  return "";
}

void append_numbers(std::string_view name, const std::vector<std::uint64_t>& numbers, std::string& out) {
  out += fmt::format(",\"{}\":[{}]", name, fmt::join(numbers, ","));
}

class ClusterLines {
 public:
  explicit ClusterLines(const CollectionOptions& options) : lines_(options) {}

  void append(const CollectionCluster& cluster, std::string& out) const {
    out += fmt::format("{{\"cluster\":{}", cluster.id);
    append_ids("documents", cluster.documents, out);
    lines_.append_id(cluster.keep, out += ",\"keep\":");
    out += "}\n";
  }
  void append(const CollectionClusterChange& change, std::string& out) const {
    out += fmt::format("{}{},\"sequence\":{},\"change\":\"{}\"", ClusterFeed::begin_of_line, change.state, change.sequence,
                       name_of(change.what));
    if (change.what != CollectionClusterStep::reset) {
      out += fmt::format(",\"cluster\":{},\"was\":{}", change.cluster, change.was ? fmt::format("{}", *change.was) : "null");
      append_numbers("from", change.from, out);
      append_numbers("into", change.into, out);
      append_ids("added", change.added, out);
      append_ids("removed", change.removed, out);
      out += fmt::format(",\"documents\":{}", change.documents);
      if (change.documents > 0) lines_.append_id(change.keep, out += ",\"keep\":");
    }
    out += "}\n";
  }

 private:
  void append_ids(std::string_view name, const std::vector<std::string>& ids, std::string& out) const {
    out += fmt::format(",\"{}\":[", name);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (i > 0) out += ',';
      lines_.append_id(ids[i], out);
    }
    out += ']';
  }
  CollectionLines lines_;
};

using Sink = std::function<void(std::string_view)>;

// Returns the line that ends what was told; none: nothing was.
std::string update(const Invocation& invocation, Collection& collection, std::optional<CollectionClusterMark> since, const Sink& sink) {
  const Settings& s = invocation.settings;
  const ClusterLines lines(collection.options());
  ProgressLine progress(!s.face.quiet);
  CollectionClusterOptions options;
  options.allow_unverified = s.collection.allow_unverified;
  options.since = since;
  options.rule = effective_rule(s.rule);
  options.job = progress.watch(s.job);
  bool changed = false;
  std::string out;
  const CollectionClusterState state = collection.update_clusters(options, [&](const CollectionClusterChange& change) {
    changed = true;
    lines.append(change, out);
    sink(out);
    out.clear();
  });
  collection.close();
  return changed ? ClusterFeed::end_line(state) : std::string();
}

CollectionClusterState print(const Collection& collection, Output& output) {
  const ClusterLines lines(collection.options());
  std::string out;
  return collection.clusters([&](const CollectionCluster& cluster) {
    lines.append(cluster, out);
    output.write(out);
    out.clear();
  });
}

void refuse_inside(const std::string& directory, const std::string& file) {
  std::error_code none;
  const auto parent = std::filesystem::weakly_canonical(file, none).parent_path();
  if (!none && std::filesystem::equivalent(parent, directory, none))
    throw Error(ErrorCode::usage, file + ": lies in the collection itself; give a file elsewhere");
}

int run_collection_clusters(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  if (s.collection.clusters.last) {
    if (!s.collection.clusters.changes.empty() || s.collection.allow_unverified || !s.rule.name.empty())
      throw Error(ErrorCode::usage, "--last computes nothing: leave --changes, --allow-unverified and --rule out");
    const Collection collection = open_collection(invocation, Access::read);
    if (print(collection, output).mark.state == 0)
      throw Error(ErrorCode::usage, invocation.operands[0] + ": its clusters were never computed; leave --last out to compute them");
    return 0;
  }
  Collection collection = open_collection(invocation, Access::write);
  if (s.collection.clusters.changes == "-") {
    // Line by line, so that nothing is saved that did not leave.
    const auto send = [&](std::string_view lines) {
      output.write(lines);
      output.finish();
    };
    send(update(invocation, collection, std::nullopt, send));
    return 0;
  }
  if (s.collection.clusters.changes.empty()) {
    update(invocation, collection, std::nullopt, [](std::string_view) {});
  } else {
    refuse_inside(invocation.operands[0], s.collection.clusters.changes);
    ClusterFeed feed(s.collection.clusters.changes);
    const std::string end = update(invocation, collection, feed.mark(), [&](std::string_view lines) { feed.write(lines); });
    if (!end.empty()) feed.finish(end);
  }
  print(collection, output);
  return 0;
}

constexpr std::array own_flags{
    Flag{.name = "last",
         .help = "Print the clusters as they were last computed, and compute nothing",
         .group = Group::output,
         .set = [](Settings& s, const Value& v) { s.collection.clusters.last = v.on; },
         .took = [](const Settings& s) { return s.collection.clusters.last; }},
    Flag{.name = "changes",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "Append what has changed to this feed, a line a cluster. - prints what has changed since the last time, instead of the "
                 "clusters",
         .group = Group::output,
         .set = [](Settings& s, const Value& v) { s.collection.clusters.changes = v.text; },
         .example = "some/file",
         .took = [](const Settings& s) { return s.collection.clusters.changes == "some/file"; }},
};

}  // namespace

constexpr CommandInfo collection_clusters_command{
    .command = cmd_collection_clusters,
    .name = "collection clusters",
    .purpose = "Group the documents of a collection that are near-duplicates",
    .usage = "DIR [--changes FILE] [--last] [FLAG...]",
    .description =
        "Prints {\"cluster\",\"documents\",\"keep\"} for each group of two or more, made as dedup makes them and whatever the order in "
        "which the documents came. cluster is the smallest sequence number of its documents, keep the one that dedup would keep. The "
        "result is saved beside the collection; --last prints it again.\n\n"
        "--changes FILE also appends to FILE what has changed since FILE's last line, so that a copy of the clusters can be kept up to "
        "date; docs/collection.md says how.",
    .examples =
        "leitong collection clusters news\n"
        "leitong collection clusters news --changes clusters.feed > clusters.jsonl",
    .exit_codes = "0 done\n2 error\n130 stopped by a signal; what was saved is as before",
    .least = 1,
    .most = 1,
    .operands = "files",
    .own_flags = own_flags,
    .run = run_collection_clusters};

}  // namespace leitong::cli
