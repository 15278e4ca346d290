#include "server/problem.h"

#include <fmt/format.h>

#include <array>
#include <new>

#include "leitong/records.h"

namespace leitong::server {
namespace {

struct Title {
  int status;
  std::string_view words;
};
constexpr std::array titles{
    Title{200, "OK"},
    Title{201, "Created"},
    Title{202, "Accepted"},
    Title{204, "No Content"},
    Title{304, "Not Modified"},
    Title{400, "Bad Request"},
    Title{401, "Unauthorized"},
    Title{403, "Forbidden"},
    Title{404, "Not Found"},
    Title{405, "Method Not Allowed"},
    Title{406, "Not Acceptable"},
    Title{408, "Request Timeout"},
    Title{409, "Conflict"},
    Title{411, "Length Required"},
    Title{412, "Precondition Failed"},
    Title{413, "Content Too Large"},
    Title{415, "Unsupported Media Type"},
    Title{421, "Misdirected Request"},
    Title{422, "Unprocessable Content"},
    Title{429, "Too Many Requests"},
    Title{431, "Request Header Fields Too Large"},
    Title{500, "Internal Server Error"},
    Title{501, "Not Implemented"},
    Title{503, "Service Unavailable"},
    Title{507, "Insufficient Storage"},
};

Problem problem_of(const Error& error) {
  const std::string said = error.what();
  switch (error.code()) {
    case ErrorCode::usage:
      return {400, "usage", said};
    case ErrorCode::format:
      return {500, "damaged", said};
    case ErrorCode::limit:
      return {413, "limit", said};
    case ErrorCode::unsupported:
      return {501, "unsupported", said};
    case ErrorCode::interrupted: {
      Problem problem(503, "interrupted", said);
      problem.retry_after = 1;
      return problem;
    }
    case ErrorCode::io:
      break;
  }
  const bool full = said.find("No space left") != std::string::npos || said.find("quota exceeded") != std::string::npos;
  return full ? Problem(507, "full", said) : Problem(503, "io", said);
}

}  // namespace

std::string member(std::string_view name, std::uint64_t value) { return fmt::format(",\"{}\":{}", name, value); }

std::string member(std::string_view name, std::string_view text) {
  std::string out = fmt::format(",\"{}\":", name);
  append_json_string(out, text);
  return out;
}

Problem bad_field(std::string_view field, const std::string& detail) { return {422, "field", detail, member("field", field)}; }

Problem bad_parameter(std::string_view name, const std::string& detail) {
  return {400, "parameter", fmt::format("{}: {}", name, detail), member("parameter", name)};
}

Problem over_limit(std::string_view what, std::uint64_t limit, const std::string& detail) {
  return {413, "limit", detail, member("what", what) + member("limit", limit)};
}

Problem problem_of(std::exception_ptr thrown) {
  try {
    std::rethrow_exception(std::move(thrown));
  } catch (const Problem& problem) {
    return problem;
  } catch (const Error& error) {
    return problem_of(error);
  } catch (const std::bad_alloc&) {
    Problem problem(503, "memory", "there was not enough memory for this");
    problem.retry_after = 1;
    return problem;
  } catch (const std::exception& error) {
    return {500, "unexpected", error.what()};
  }
}

std::string_view title_of(int status) {
  for (const Title& title : titles)
    if (title.status == status) return title.words;
  return "Error";
}

std::string to_json(const Problem& problem, std::string_view instance) {
  std::string out =
      fmt::format("{{\"type\":\"/problems/{}\",\"title\":\"{}\",\"status\":{}", problem.kind, title_of(problem.status), problem.status);
  out += member("detail", std::string_view(problem.what()));
  if (!instance.empty()) out += member("instance", instance);
  return out + problem.members + "}";
}

Response to_response(const Problem& problem, std::string_view instance) {
  Response response{problem.status, {{"Content-Type", "application/problem+json"}}, to_json(problem, instance) + "\n"};
  if (problem.retry_after > 0) response.headers.push_back({"Retry-After", std::to_string(problem.retry_after)});
  if (problem.status == 401) response.headers.push_back({"WWW-Authenticate", "Bearer realm=\"leitong\""});
  return response;
}

}  // namespace leitong::server
