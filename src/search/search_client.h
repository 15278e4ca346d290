// SearchClient: requests to an Elasticsearch or OpenSearch server and their answers as JSON.
//
// Threads: an object belongs to one thread at a time. Elements and texts of an answer are valid until the next request.
// Errors: as HttpClient. An answer of status 400 and above is an error that names node, method, path, the server's own words and a remedy
// (search_errors.h): Refusal where it stays, else Error(io). So is an answer that is no JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "net/http_client.h"
#include "records/json_value.h"
#include "search/search_errors.h"

namespace leitong::search {

// {"error":{"type":...,"reason":...,"root_cause":[...]},"status":...}: its innermost cause that says something.
[[nodiscard]] SearchError search_error_in(records::JsonValue error, unsigned status);

// Values at a path of an answer, "a.b.c" by object keys; none: not there, or of another type.
[[nodiscard]] records::JsonValue value_at(records::JsonValue root, std::string_view path);
[[nodiscard]] std::optional<std::uint64_t> number_at(records::JsonValue root, std::string_view path);
[[nodiscard]] std::optional<std::string_view> text_at(records::JsonValue root, std::string_view path);

[[nodiscard]] std::string json_text(std::string_view text);  // with quotes

// A search with a script that the server does not run.
class ScriptRefusal : public net::Refusal {
 public:
  using net::Refusal::Refusal;
};

class SearchClient {
 public:
  explicit SearchClient(net::HttpSettings settings) : http_(std::move(settings)) {}

  records::JsonValue ask(const net::HttpRequest& request);
  records::JsonValue ask_for(const net::HttpRequest& request, unsigned none = 404);  // none: this status
  // none: the server is too busy for it (429), as `busy` says; it was sent once.
  records::JsonValue ask_if_free(net::HttpRequest request, SearchError& busy);

  // Error in the same words for something inside the last answer: `what` stands before the server's words.
  [[noreturn]] void fail(const net::HttpRequest& request, const std::string& what, const SearchError& error) const;
  [[noreturn]] void fail(const net::HttpRequest& request, const std::string& what) const;

  [[nodiscard]] const net::HttpSettings& settings() const { return http_.settings(); }
  [[nodiscard]] std::string server();  // "OpenSearch 2.19.1"; asked once. Refusal if it is something else

 private:
  [[nodiscard]] std::string where(const net::HttpRequest& request) const;
  records::JsonValue answer(const net::HttpRequest& request);
  SearchError error_in_reply();
  net::HttpClient http_;
  net::HttpReply reply_;
  records::JsonParser parser_;
  std::string server_;
};

}  // namespace leitong::search
