#include "server/router.h"

#include <charconv>
#include <optional>
#include <vector>

namespace leitong::server {
namespace {

std::vector<std::string_view> segments_of(std::string_view path) {
  std::vector<std::string_view> out;
  while (path.starts_with('/')) {
    path.remove_prefix(1);
    const std::size_t end = std::min(path.find('/'), path.size());
    out.push_back(path.substr(0, end));
    path.remove_prefix(end);
  }
  return out;
}

using Parameters = std::map<std::string, std::string, std::less<>>;

std::optional<Parameters> match(std::string_view pattern, const std::vector<std::string_view>& segments) {
  const std::vector<std::string_view> wanted = segments_of(pattern);
  if (wanted.size() != segments.size()) return std::nullopt;
  Parameters out;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i].starts_with('{')) {
      std::string value = decoded(segments[i], false);
      if (value.empty()) return std::nullopt;
      out.emplace(wanted[i].substr(1, wanted[i].size() - 2), std::move(value));
    } else if (wanted[i] != segments[i]) {
      return std::nullopt;
    }
  }
  return out;
}

void read_query(std::string_view query, Parameters& out) {
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view one = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    const std::size_t equals = std::min(one.find('='), one.size());
    if (equals == 0) continue;
    out.try_emplace(decoded(one.substr(0, equals), true),
                    equals < one.size() ? decoded(one.substr(equals + 1), true) : std::string("true"));
  }
}

}  // namespace

std::string decoded(std::string_view text, bool query) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = 0;
    const char* digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += text[i] == '+' && query ? ' ' : text[i];
    }
  }
  return out;
}

Routed find_route(std::span<const Route> routes, std::string_view method, std::string_view target) {
  Routed out;
  const std::size_t mark = std::min(target.find('?'), target.size());
  const std::vector<std::string_view> segments = segments_of(target.substr(0, mark));
  const std::string_view wanted = method == "HEAD" ? "GET" : method;
  for (const Route& route : routes) {
    auto parameters = match(route.path, segments);
    if (!parameters) continue;
    if (route.method != wanted) {
      out.allowed += (out.allowed.empty() ? "" : ", ") + std::string(route.method);
      continue;
    }
    out.route = &route;
    out.parameters = std::move(*parameters);
    if (mark < target.size()) read_query(target.substr(mark + 1), out.parameters);
    return out;
  }
  return out;
}

}  // namespace leitong::server
