// Routes: which function answers which method and path, and what it asks of who asks.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "server/http.h"
#include "server/keys.h"

namespace leitong::server {

class Api;
struct Call;

struct Route {
  const char* method = "";
  const char* path = "";  // segments of it in braces are parameters: /v1/collections/{collection}
  Scope scope = Scope::read;
  BodyKind body = BodyKind::none;  // streamed: only if it comes as NDJSON, otherwise whole
  void (*run)(Api&, const std::shared_ptr<Call>&) = nullptr;
};

struct Routed {
  const Route* route = nullptr;  // null: no such path, or not with this method
  std::map<std::string, std::string, std::less<>> parameters;
  std::string allowed;  // if only the method is wrong: the methods that there are, joined by commas
};

// HEAD is GET. Segments are decoded after they are cut, so an id may hold %2F.
[[nodiscard]] Routed find_route(std::span<const Route> routes, std::string_view method, std::string_view target);

// %41 and, of a query, + decoded; invalid escapes stay as they are.
[[nodiscard]] std::string decoded(std::string_view text, bool query);

}  // namespace leitong::server
