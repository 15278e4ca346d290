#include "server/api.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "server/coding.h"

namespace leitong::server {
namespace {

constexpr std::size_t longest_id = 65'535;

bool is_number(std::string_view id) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
  return error == std::errc() && end == id.data() + id.size() && (id.size() == 1 || id[0] != '0');
}

}  // namespace

void Call::only(std::initializer_list<std::string_view> allowed) const {
  for (const auto& [name, value] : request->parameters)
    if (std::find(allowed.begin(), allowed.end(), name) == allowed.end())
      throw bad_parameter(name, "no parameter of that name is known here");
}

bool Call::flag(std::string_view name, bool fallback) const {
  const std::string_view value = request->parameter(name);
  if (value.empty()) return fallback;
  if (value == "true" || value == "false") return value == "true";
  throw bad_parameter(name, "must be true or false");
}

std::optional<std::uint64_t> Call::number(std::string_view name, std::uint64_t low, std::uint64_t high) const {
  const std::string_view value = request->parameter(name);
  if (!request->parameters.contains(name)) return std::nullopt;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || number < low || number > high)
    throw bad_parameter(name, fmt::format("must be a whole number from {} to {}", low, high));
  return number;
}

CollectionPtr Api::collection_of(const Call& call) const {
  const std::string_view name = call.path("collection");
  if (call.key != nullptr && !call.key->may_use(name))
    throw Problem(404, "no-collection", fmt::format("there is no collection {}", name.substr(0, 100)));
  return collections.find(name);
}

JsonReader& Api::reader() const {
  thread_local std::optional<std::pair<unsigned, JsonReader>> reader;
  const unsigned depth = engine.options.limits.json_depth;
  if (!reader || reader->first != depth) reader.emplace(depth, JsonReader(depth));
  return reader->second;
}

Response json_response(std::string body, int status) { return {status, {{"Content-Type", "application/json"}}, std::move(body) + "\n"}; }

bool is_ndjson(const Request& request) {
  const std::string_view type = request.header("Content-Type");
  return is_same_name(type.substr(0, type.find(';')), "application/x-ndjson");
}

void answer_with(const CallPtr& call, const std::function<Response()>& work) {
  Response response;
  try {
    response = work();
  } catch (...) {
    response = to_response(problem_of(std::current_exception()), call->request->id);
  }
  call->reply(std::move(response));
}

void answer_unless_thrown(const CallPtr& call, const std::function<void()>& work) {
  try {
    work();
  } catch (...) {
    call->reply(to_response(problem_of(std::current_exception()), call->request->id));
  }
}

CollectionQuery query_of(const Api& api, const Call& call, unsigned bits) {
  CollectionQuery query;
  if (const auto k = call.number("k", 0, 256)) query.k = std::min(static_cast<unsigned>(*k), bits);
  query.most = call.number("most", 1, api.engine.options.limits.most).value_or(api.engine.options.limits.most);
  query.verify = call.flag("verify", true);
  return query;
}

void count_query(const Api& api, const std::string& collection, const CollectionAnswer& answer) {
  Metrics& metrics = api.engine.metrics;
  metrics.add(Metrics::queries, {collection});
  if (answer.truncated) metrics.add(Metrics::queries_truncated, {collection});
  metrics.observe(Metrics::query_matches, {collection}, static_cast<double>(answer.matches.size()));
}

Fingerprint fingerprint_of(std::string_view hex, unsigned bits) {
  const std::string wanted = fmt::format("a fingerprint of this collection is {} hexadecimal digits", bits / 4);
  std::optional<Fingerprint> read;
  try {
    read = fingerprint_from_hex(hex);
  } catch (const Error&) {
    throw bad_field("fingerprint", wanted);
  }
  if (read->bits != bits) throw Problem(409, "width", wanted, member("field", std::string_view("fingerprint")));
  return *read;
}

Problem no_data(const Error& error) { return {409, "no-data", error.what(), member("field", std::string_view("profile"))}; }

void require_id(std::string_view id, const CollectionOptions& options) {
  if (id.empty()) throw bad_field("id", "the id is missing or empty");
  if (id.size() > longest_id) throw bad_field("id", fmt::format("the id has {} bytes; at most {} are possible", id.size(), longest_id));
  if (!is_utf8(id)) throw bad_field("id", "the id is no UTF-8");
  if (options.ids == CollectionIds::number && !is_number(id))
    throw bad_field("id", "ids of this collection are whole numbers below 2^64, written as strings without leading zeros");
}

}  // namespace leitong::server
