#include "server/addition.h"

#include <fmt/format.h>

#include <utility>

#include "server/answers.h"

namespace leitong::server {

Acknowledge acknowledge_of(const Call& call) {
  const std::string_view value = call.request->parameter("acknowledge");
  if (value.empty() || value == "durable") return Acknowledge::durable;
  if (value == "buffered") return Acknowledge::buffered;
  throw bad_parameter("acknowledge", "must be durable or buffered");
}

Addition addition_of(const Api& api, const Call& call) {
  Addition out;
  out.collection = api.collection_of(call);
  out.collection->ask([&](const Collection& collection) { out.options = collection.options(); });
  out.unique = call.flag("unique", false);
  out.query = query_of(api, call, out.options.profile.bits);
  out.acknowledge = acknowledge_of(call);
  return out;
}

Write write_of(const Addition& to, std::vector<Document> documents, Trace trace) {
  Write write;
  write.kind = to.unique ? Write::Kind::add_unique : Write::Kind::add;
  write.documents = std::move(documents);
  write.query = to.query;
  write.acknowledge = to.acknowledge;
  write.trace = std::move(trace);
  return write;
}

std::uint64_t bytes_of(const std::vector<Document>& documents) {
  std::uint64_t bytes = 0;
  for (const Document& one : documents) bytes += one.bytes();
  return bytes;
}

Problem queue_full(const Api& api) {
  api.engine.metrics.add(Metrics::rejected, {"queue"});
  Problem problem(429, "queue-full", "as many bytes wait to be written as the server takes; try again",
                  member("what", "queue") + member("limit", api.engine.options.limits.queue));
  problem.retry_after = 1;
  return problem;
}

std::string AdditionTally::answer(const std::vector<Document>& documents, const std::vector<CollectionOutcome>& outcomes, std::size_t row) {
  const bool added = !unique_ || outcomes[row].added;
  ++(added ? added_ : refused_);
  return unique_ ? outcome_json(documents[row].id, outcomes[row])
                 : fmt::format("{{\"id\":{},\"result\":\"added\"}}", json_text(documents[row].id));
}

std::string AdditionTally::summary() const {
  return unique_ ? fmt::format(",\"added\":{},\"duplicates\":{}", added_, refused_) : fmt::format(",\"added\":{}", added_);
}

}  // namespace leitong::server
