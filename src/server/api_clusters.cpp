// Routes of clusters: compute them, read them, follow their changes.
#include <fmt/format.h>

#include <charconv>

#include "server/answers.h"
#include "server/api.h"

namespace leitong::server {
namespace {

std::string state_json(const CollectionClusterState& state) {
  return fmt::format("{{\"state\":{},\"key\":\"{:016x}\",\"sequence\":{},\"clusters\":{},\"documents\":{},\"rule\":{}}}", state.mark.state,
                     state.mark.key, state.sequence, state.clusters, state.documents, json_text(state.rule));
}

std::string compute(ServedCollection& served, Job& job, bool allow_unverified) {
  std::string result;
  served.with([&](Collection& collection) {
    CollectionClusterOptions options;
    options.allow_unverified = allow_unverified;
    options.job.stop = &job.stop;
    options.job.progress = [&job](const Progress& progress) { job.progress(progress); };
    std::string lines;
    const auto tell = [&lines](const CollectionClusterChange& change) { lines += change_line(change); };
    const CollectionClusterState state = collection.update_clusters(options, tell);
    if (!lines.empty()) served.feed().append(state.mark, lines + end_line(state));
    result = state_json(state);
  });
  return result;
}

// STATE, or STATE-KEY as "end" tells them. With the number alone the key is taken on trust.
CollectionClusterMark mark_of(std::string_view text, const ClusterFeed& feed) {
  CollectionClusterMark mark;
  const char* end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data(), end, mark.state);
  if (error != std::errc() || (after != end && *after != '-'))
    throw bad_parameter("since", "must be STATE or STATE-KEY of an \"end\" line");
  if (after == end) {
    mark.key = feed.key_of(mark.state);
  } else if (std::from_chars(after + 1, end, mark.key, 16).ptr != end) {
    throw bad_parameter("since", "the key after the - must be hexadecimal digits");
  }
  return mark;
}

// All clusters as they are, as one who knows nothing is told them.
std::string from_nothing(ServedCollection& served, CollectionClusterMark& mark) {
  std::string lines;
  served.ask([&](const Collection& collection) {
    std::vector<CollectionCluster> clusters;
    const CollectionClusterState state = collection.clusters([&](const CollectionCluster& cluster) { clusters.push_back(cluster); });
    mark = state.mark;
    if (mark.state == 0) return;
    CollectionClusterChange change;
    change.state = state.mark.state;
    change.sequence = state.sequence;
    lines = change_line(change);
    change.what = CollectionClusterStep::begun;
    for (CollectionCluster& cluster : clusters) {
      change.cluster = cluster.id;
      change.documents = cluster.documents.size();
      change.added = std::move(cluster.documents);
      change.keep = std::move(cluster.keep);
      lines += change_line(change);
    }
    lines += end_line(state);
  });
  return lines;
}

// What leads from `mark` to now, and `mark` there.
std::string changes_since(ServedCollection& served, CollectionClusterMark& mark) {
  if (auto told = served.feed().since(mark)) {
    mark = told->last;
    return std::move(told->lines);
  }
  return from_nothing(served, mark);
}

// Server-sent events: an event a line, without an end. The id is what ?since= takes.
std::string as_events(std::string_view lines, CollectionClusterMark mark) {
  std::string out;
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    const std::string_view line = lines.substr(0, end);
    lines.remove_prefix(end + 1);
    out += fmt::format("event: change\ndata: {}\n", line);
    if (lines.empty()) out += fmt::format("id: {}-{:016x}\n", mark.state, mark.key);
    out += '\n';
  }
  return out;
}

class EventStream : public Stream {
 public:
  EventStream(Api& api, CollectionPtr collection, CollectionClusterMark mark)
      : api_(api), collection_(std::move(collection)), mark_(mark) {}

  void feed(std::string, bool, Then then) override {
    if (!begun_) {
      begun_ = true;
      then({": changes of clusters\n\n", false, false, {}});
      return;
    }
    // Woken also once in a while, so that a client that has gone is noticed.
    const auto answer = [this, then = std::move(then)] { step(then); };
    collection_->feed().wait(waits_ ? mark_ : CollectionClusterMark(), [this, answer] { api_.engine.workers.post(answer); });
  }

 private:
  void step(const Then& then) {
    Step step;
    try {
      if (api_.stopping) {
        step.ended = true;
      } else {
        const std::string lines = changes_since(*collection_, mark_);
        step.bytes = lines.empty() ? std::string(": nothing new\n\n") : as_events(lines, mark_);
        waits_ = true;
      }
    } catch (...) {
      step.bytes = "event: error\ndata: " + to_json(problem_of(std::current_exception())) + "\n\n";
      step.ended = true;
    }
    then(std::move(step));
  }

  Api& api_;
  CollectionPtr collection_;
  CollectionClusterMark mark_;
  bool begun_ = false, waits_ = false;
};

}  // namespace

void start_clusters(Api& api, const CallPtr& call) {
  answer_with(call, [&] {
    call->only({"collection", "allow_unverified"});
    const CollectionPtr served = api.collection_of(*call);
    const bool allow_unverified = call->flag("allow_unverified", false);
    const JobPtr job = api.jobs.start("clusters", served->name(),
                                      [served, allow_unverified](Job& running) { return compute(*served, running, allow_unverified); });
    Response response = json_response(job->json(), 202);
    response.headers.push_back({"Location", "/v1/jobs/" + job->id});
    return response;
  });
}

void show_clusters(Api& api, const CallPtr& call) {
  answer_with(call, [&] {
    call->only({"collection", "page", "size"});
    const CollectionPtr served = api.collection_of(*call);
    const std::uint64_t page = call->number("page", 0, 1'000'000'000).value_or(0), size = call->number("size", 1, 1000).value_or(100);
    CollectionClusterState state;
    std::string items;
    std::uint64_t number = 0;
    served->ask([&](const Collection& collection) {
      state = collection.clusters([&](const CollectionCluster& cluster) {
        if (number >= page * size && number < (page + 1) * size) items += (items.empty() ? "" : ",") + cluster_json(cluster);
        ++number;
      });
    });
    if (state.mark.state == 0) throw Problem(409, "no-clusters", "the clusters were never computed: POST to this path first");
    const std::string tag = fmt::format("\"{:016x}\"", state.mark.key);
    Response response{304};
    if (call->request->header("If-None-Match") != tag)
      response = json_response(fmt::format("{{\"of\":{},\"page\":{},\"pages\":{},\"clusters\":[{}]}}", state_json(state), page,
                                           (number + size - 1) / size, items));
    response.headers.push_back({"ETag", tag});
    return response;
  });
}

void show_changes(Api& api, const CallPtr& call) {
  answer_with(call, [&] {
    call->only({"collection", "since"});
    const CollectionPtr served = api.collection_of(*call);
    const std::string_view since =
        call->request->header("Last-Event-ID").empty() ? call->request->parameter("since") : call->request->header("Last-Event-ID");
    CollectionClusterMark mark;
    if (!since.empty()) mark = mark_of(since, served->feed());
    if (call->request->header("Accept").find("text/event-stream") != std::string_view::npos) {
      Response response{200, {{"Content-Type", "text/event-stream"}, {"Cache-Control", "no-store"}}};
      response.stream = std::make_unique<EventStream>(api, served, mark);
      return response;
    }
    return Response{200, {{"Content-Type", "application/x-ndjson"}}, changes_since(*served, mark)};
  });
}

}  // namespace leitong::server
