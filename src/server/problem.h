// Problems: what is said when a request is not done (RFC 9457).
#pragma once

#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

#include "leitong/error.h"
#include "server/http.h"

namespace leitong::server {

// Thrown by what handles a request. `kind` is the last part of the problem's type and never changes; `members` are further members of the
// JSON object, each begun by a comma.
class Problem : public std::runtime_error {
 public:
  Problem(int of_status, std::string_view of_kind, const std::string& detail, std::string more = {})
      : std::runtime_error(detail), status(of_status), kind(of_kind), members(std::move(more)) {}
  int status;
  std::string kind, members;
  unsigned retry_after = 0;  // seconds; 0: not said
};

// ,"name":value
[[nodiscard]] std::string member(std::string_view name, std::uint64_t value);
[[nodiscard]] std::string member(std::string_view name, std::string_view text);

// A field of a request that is not what it should be: 422.
[[nodiscard]] Problem bad_field(std::string_view field, const std::string& detail);
// A parameter of the address: 400.
[[nodiscard]] Problem bad_parameter(std::string_view name, const std::string& detail);
// More than a stated limit: 413.
[[nodiscard]] Problem over_limit(std::string_view what, std::uint64_t limit, const std::string& detail);

// What was thrown, by the library or here, as a problem.
[[nodiscard]] Problem problem_of(std::exception_ptr thrown);

[[nodiscard]] std::string_view title_of(int status);
// The JSON object, without a line end. `instance`: the request's id; empty: not said.
[[nodiscard]] std::string to_json(const Problem& problem, std::string_view instance = {});
[[nodiscard]] Response to_response(const Problem& problem, std::string_view instance);

}  // namespace leitong::server
