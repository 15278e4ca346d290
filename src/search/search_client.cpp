#include "search/search_client.h"

#include <fmt/format.h>

#include <new>
#include <utility>
#include <vector>

#include "records/json.h"

namespace leitong::search {
namespace {

using simdjson::dom::element;

// An error and its causes, since a general one ("all shards failed") comes before those that say more.
std::vector<element> causes_of(element error) {
  std::vector<element> causes{error};
  simdjson::dom::array roots;
  if (error["root_cause"].get(roots) == simdjson::SUCCESS && roots.size() > 0) causes.push_back(*roots.begin());
  for (auto cause = value_at(error, "caused_by"); cause; cause = value_at(*cause, "caused_by")) causes.push_back(*cause);
  return causes;
}

// Whether the table knows more about the error than its status.
bool told(const SearchError& error) {
  const KnownSearchError& row = known_search_error(error);
  return !row.type.empty() || !row.says.empty();
}

}  // namespace

std::optional<element> value_at(element root, std::string_view path) {
  while (!path.empty()) {
    const std::size_t dot = path.find('.');
    if (root[path.substr(0, dot)].get(root) != simdjson::SUCCESS) return std::nullopt;
    path.remove_prefix(dot == std::string_view::npos ? path.size() : dot + 1);
  }
  return root;
}

std::optional<std::uint64_t> number_at(element root, std::string_view path) {
  const auto value = value_at(root, path);
  std::uint64_t number = 0;
  if (!value || value->get(number) != simdjson::SUCCESS) return std::nullopt;
  return number;
}

std::optional<std::string_view> text_at(element root, std::string_view path) {
  const auto value = value_at(root, path);
  std::string_view text;
  if (!value || value->get(text) != simdjson::SUCCESS) return std::nullopt;
  return text;
}

SearchError search_error_in(element error, unsigned status) {
  std::string_view text;
  if (error.get(text) == simdjson::SUCCESS) return {status, "", std::string(text)};
  SearchError found{status, "", ""};
  for (const element cause : causes_of(error)) {
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
  element root;
  const simdjson::error_code error = parser_.parse(reply_.body).get(root);
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();
  if (error != simdjson::SUCCESS) return {reply_.status, "", reply_.body.substr(0, 200)};
  const auto said = value_at(root, "error");
  return said ? search_error_in(*said, reply_.status) : SearchError{reply_.status, "", ""};
}

element SearchClient::answer(const net::HttpRequest& request) {
  if (reply_.status >= 400) fail(request, "", error_in_reply());
  element root;
  const simdjson::error_code error = parser_.parse(reply_.body).get(root);
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();
  if (error != simdjson::SUCCESS) {
    fail(request,
         fmt::format("the answer ({} bytes) is no JSON: is this an Elasticsearch or OpenSearch server, without something in between "
                     "that changes its answers?",
                     reply_.body.size()));
  }
  return root;
}

element SearchClient::ask(const net::HttpRequest& request) {
  reply_ = http_.send(request);
  return answer(request);
}

std::optional<element> SearchClient::ask_for(const net::HttpRequest& request, unsigned none) {
  reply_ = http_.send(request);
  return reply_.status == none ? std::nullopt : std::optional(answer(request));
}

std::optional<element> SearchClient::ask_if_free(net::HttpRequest request, SearchError& busy) {
  request.busy_is_answer = true;
  reply_ = http_.send(request);
  if (reply_.status != 429) return answer(request);
  busy = error_in_reply();
  if (known_search_error(busy).kind != SearchErrorKind::later) fail(request, "", busy);
  return std::nullopt;
}

std::string SearchClient::server() {
  if (!server_.empty()) return server_;
  const net::HttpRequest request{.path = "/"};
  const element root = ask(request);
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
