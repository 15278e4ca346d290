#include "remote/search_client.h"

#include <fmt/format.h>

#include <new>
#include <utility>

#include "records/json.h"

namespace leitong::remote {
namespace {

using simdjson::dom::element;

// The cause that says more than "all shards failed".
std::optional<element> inner_cause(element error) {
  if (const auto cause = value_at(error, "caused_by")) {
    const auto inner = inner_cause(*cause);
    return inner ? inner : cause;
  }
  simdjson::dom::array causes;
  if (error["root_cause"].get(causes) == simdjson::SUCCESS && causes.size() > 0) return *causes.begin();
  return std::nullopt;
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
  SearchError found{status, std::string(text_at(error, "type").value_or("")), std::string(text_at(error, "reason").value_or(""))};
  // A type that the table knows says enough; of others the cause may be known.
  if (!known_search_error(found).type.empty()) return found;
  if (const auto inner = inner_cause(error)) {
    SearchError cause{status, std::string(text_at(*inner, "type").value_or("")), std::string(text_at(*inner, "reason").value_or(""))};
    if (!cause.type.empty()) return cause;
  }
  return found;
}

std::string json_text(std::string_view text) {
  std::string out;
  records::append_json_string(out, text);
  return out;
}

std::string SearchClient::where(const HttpRequest& request) const {
  return fmt::format("{}: {} {}", reply_.node, request.method, request.path.substr(0, request.path.find('?')));
}

void SearchClient::fail(const HttpRequest& request, const std::string& what, const SearchError& error) const {
  const std::string message = fmt::format("{}: {}{}", where(request), what, explain(error));
  if (known_search_error(error).kind == SearchErrorKind::refuse) throw Refusal(message);
  throw Error(ErrorCode::io, message);
}

void SearchClient::fail(const HttpRequest& request, const std::string& what) const {
  throw Error(ErrorCode::io, fmt::format("{}: {}", where(request), what));
}

element SearchClient::parse(const HttpRequest& request) {
  element root;
  const simdjson::error_code error = parser_.parse(reply_.body).get(root);
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();
  if (error != simdjson::SUCCESS) {
    if (reply_.status >= 400) fail(request, "", {reply_.status, "", reply_.body.substr(0, 200)});
    fail(request,
         fmt::format("the answer ({} bytes) is no JSON: is this an Elasticsearch or OpenSearch server, without something in between "
                     "that changes its answers?",
                     reply_.body.size()));
  }
  return root;
}

std::optional<element> SearchClient::ask_for(const HttpRequest& request) {
  reply_ = http_.send(request);
  if (reply_.status == 404) return std::nullopt;
  const element root = parse(request);
  if (reply_.status < 400) return root;
  const auto error = value_at(root, "error");
  fail(request, "", error ? search_error_in(*error, reply_.status) : SearchError{reply_.status, "", ""});
}

element SearchClient::ask(const HttpRequest& request) {
  if (const auto root = ask_for(request)) return *root;
  const element root = parse(request);
  const auto error = value_at(root, "error");
  fail(request, "", error ? search_error_in(*error, reply_.status) : SearchError{reply_.status, "", ""});
}

std::string SearchClient::server() {
  if (!server_.empty()) return server_;
  const HttpRequest request{.path = "/"};
  const element root = ask(request);
  const auto number = text_at(root, "version.number");
  if (!number) throw Refusal(fmt::format("{}: this is no Elasticsearch or OpenSearch server: correct the address", where(request)));
  const bool open = text_at(root, "version.distribution") == "opensearch";
  server_ = fmt::format("{} {}", open ? "OpenSearch" : "Elasticsearch", *number);
  const unsigned major = static_cast<unsigned>(std::atoi(std::string(*number).c_str()));
  if (!open && major < 7) {
    throw Refusal(
        fmt::format("{}: {} is too old: Leitong needs Elasticsearch 7 or OpenSearch 1", where(request), std::exchange(server_, "")));
  }
  return server_;
}

}  // namespace leitong::remote
