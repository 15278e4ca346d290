// A table of Redis' error replies: how to react to each, and what the user can do about it.
//
// Threads: any.
#pragma once

#include <string_view>

namespace leitong::redis {

enum class ErrorKind {
  value,   // returned to the caller as a reply
  moved,   // another node has the slot
  ask,     // another node has the key already, while the slot is moving
  later,   // temporary: the command was not executed, and may be sent again
  refuse,  // permanent until a person changes something
};

struct KnownError {
  std::string_view begins;  // the first words of the reply
  ErrorKind kind = ErrorKind::value;
  std::string_view remedy;
};

// The row for an error reply ("CODE words"); if there is none, an empty row of kind value.
[[nodiscard]] const KnownError& known_error(std::string_view reply);

}  // namespace leitong::redis
