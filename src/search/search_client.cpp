#include "search/search_client.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "records/json.h"

namespace leitong::search {
namespace {

using records::JsonValue;

// An error and its causes, since a general one ("all shards failed") comes before those that say more.
std::vector<JsonValue> causes_of(JsonValue error) {
  std::vector<JsonValue> causes{error};
  records::JsonElements roots;
  if (error["root_cause"].get(roots) && !roots.empty()) causes.push_back(roots.front());
  for (JsonValue cause = error["caused_by"]; cause; cause = cause["caused_by"]) causes.push_back(cause);
  return causes;
}

// Whether the table knows more about the error than its status.
bool told(const SearchError& error) {
  const KnownSearchError& row = known_search_error(error);
  return !row.type.empty() || !row.says.empty();
}

}  // namespace

JsonValue value_at(JsonValue root, std::string_view path) {
  while (!path.empty()) {
    const std::size_t dot = path.find('.');
    root = root[path.substr(0, dot)];
    path.remove_prefix(dot == std::string_view::npos ? path.size() : dot + 1);
  }
  return root;
}

std::optional<std::uint64_t> number_at(JsonValue root, std::string_view path) {
  std::uint64_t number = 0;
  return value_at(root, path).get(number) ? std::optional(number) : std::nullopt;
}

std::optional<std::string_view> text_at(JsonValue root, std::string_view path) {
  std::string_view text;
  return value_at(root, path).get(text) ? std::optional(text) : std::nullopt;
}

SearchError search_error_in(JsonValue error, unsigned status) {
  std::string_view text;
  if (error.get(text)) return {status, "", std::string(text)};
  SearchError found{status, "", ""};
  for (const JsonValue cause : causes_of(error)) {
    SearchError one{status, std::string(text_at(cause, "type").value_or("")), std::string(text_at(cause, "reason").value_or(""))};
    if (told(one)) return one;
    if (found.type.empty() || !one.type.empty()) found = std::move(one);
  }
  return found;
}

std::string json_text(std::string_view text) {
  std::string out;
  records::append_json_string(out, text);
  return out;
}

std::string SearchClient::where(const net::HttpRequest& request) const {
  return fmt::format("{}: {} {}", reply_.node, request.method, request.path.substr(0, request.path.find('?')));
}

void SearchClient::fail(const net::HttpRequest& request, const std::string& what, const SearchError& error) const {
  const std::string message = fmt::format("{}: {}{}", where(request), what, explain(error));
  switch (known_search_error(error).kind) {
    case SearchErrorKind::scripts_off:
      throw ScriptRefusal(message);
    case SearchErrorKind::refuse:
      throw net::Refusal(message);
    case SearchErrorKind::later:
      break;
  }
  throw Error(ErrorCode::io, message);
}

void SearchClient::fail(const net::HttpRequest& request, const std::string& what) const {
  throw Error(ErrorCode::io, fmt::format("{}: {}", where(request), what));
}

SearchError SearchClient::error_in_reply() {
  JsonValue root;
  if (!parser_.parse(reply_.body, root)) return {reply_.status, "", reply_.body.substr(0, 200)};
  const JsonValue said = root["error"];
  return said ? search_error_in(said, reply_.status) : SearchError{reply_.status, "", ""};
}

JsonValue SearchClient::answer(const net::HttpRequest& request) {
  if (reply_.status >= 400) fail(request, "", error_in_reply());
  JsonValue root;
  if (!parser_.parse(reply_.body, root)) {
    fail(request,
         fmt::format("the answer ({} bytes) is no JSON: is this an Elasticsearch or OpenSearch server, without something in between "
                     "that changes its answers?",
                     reply_.body.size()));
  }
  return root;
}

JsonValue SearchClient::ask(const net::HttpRequest& request) {
  reply_ = http_.send(request);
  return answer(request);
}

JsonValue SearchClient::ask_for(const net::HttpRequest& request, unsigned none) {
  reply_ = http_.send(request);
  return reply_.status == none ? JsonValue() : answer(request);
}

JsonValue SearchClient::ask_if_free(net::HttpRequest request, SearchError& busy) {
  request.busy_is_answer = true;
  reply_ = http_.send(request);
  if (reply_.status != 429) return answer(request);
  busy = error_in_reply();
  if (known_search_error(busy).kind != SearchErrorKind::later) fail(request, "", busy);
  return {};
}

std::string SearchClient::server() {
  if (!server_.empty()) return server_;
  const net::HttpRequest request{.path = "/"};
  const JsonValue root = ask(request);
  const auto number = text_at(root, "version.number");
  if (!number) throw net::Refusal(fmt::format("{}: this is no Elasticsearch or OpenSearch server: correct the address", where(request)));
  const bool open = text_at(root, "version.distribution") == "opensearch";
  server_ = fmt::format("{} {}", open ? "OpenSearch" : "Elasticsearch", *number);
  const unsigned major = static_cast<unsigned>(std::atoi(std::string(*number).c_str()));
  if (!open && major < 7) {
    throw net::Refusal(
        fmt::format("{}: {} is too old: Leitong needs Elasticsearch 7 or OpenSearch 1", where(request), std::exchange(server_, "")));
  }
  return server_;
}

}  // namespace leitong::search
