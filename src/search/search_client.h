// SearchClient: sends requests to an Elasticsearch or OpenSearch server, and reads the answers as JSON.
//
// Threads: an object may be used by one thread at a time. Elements and texts of an answer are valid until the next request.
// Errors: as HttpClient. An answer with a status of 400 or above is an error that names node, method, path, the server's message and a
// remedy (search_errors.h): a Refusal if it is permanent, otherwise an Error(io). An answer that is not JSON is an error, too.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "net/http_client.h"
#include "records/json_value.h"
#include "search/search_errors.h"

namespace leitong::search {

// Reads {"error":{"type":...,"reason":...,"root_cause":[...]},"status":...}: the innermost cause that contains information.
[[nodiscard]] SearchError search_error_in(records::JsonValue error, unsigned status);

// The value at the path "a.b.c" of object keys; empty if it does not exist or has another type.
[[nodiscard]] records::JsonValue value_at(records::JsonValue root, std::string_view path);
[[nodiscard]] std::optional<std::uint64_t> number_at(records::JsonValue root, std::string_view path);
[[nodiscard]] std::optional<std::string_view> text_at(records::JsonValue root, std::string_view path);

[[nodiscard]] std::string json_text(std::string_view text);  // with quotes

// The server does not run the script of a search.
class ScriptRefusal : public net::Refusal {
 public:
  using net::Refusal::Refusal;
};

class SearchClient {
 public:
  explicit SearchClient(net::HttpSettings settings) : http_(std::move(settings)) {}

  records::JsonValue ask(const net::HttpRequest& request);
  records::JsonValue ask_for(const net::HttpRequest& request, unsigned none = 404);  // none: this status
  // Sends the request once. Empty if the server is too busy for it (429); `busy` then says why.
  records::JsonValue ask_if_free(net::HttpRequest request, SearchError& busy);

  // Throws the error for something inside the last answer; `what` precedes the server's message.
  [[noreturn]] void fail(const net::HttpRequest& request, const std::string& what, const SearchError& error) const;
  [[noreturn]] void fail(const net::HttpRequest& request, const std::string& what) const;

  [[nodiscard]] const net::HttpSettings& settings() const { return http_.settings(); }
  [[nodiscard]] std::string server();  // "OpenSearch 2.19.1"; asked once. Refusal if it is another program

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
