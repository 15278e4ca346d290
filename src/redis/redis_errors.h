// What Redis' error replies mean for us, and what the person at the other end can do about them: one table.
//
// Threads: any.
#pragma once

#include <string_view>

namespace leitong::redis {

enum class ErrorKind {
  value,   // the caller's own: given as a reply
  moved,   // another node has the slot
  ask,     // another node has the key already
  later,   // not now: the command was not executed, and may be sent again
  refuse,  // stays so until a person changes something
};

struct KnownError {
  std::string_view begins;  // the first words of the reply
  ErrorKind kind = ErrorKind::value;
  std::string_view remedy;
};

// The table's row for an error reply ("CODE words"); an empty row of kind value where there is none.
[[nodiscard]] const KnownError& known_error(std::string_view reply);

}  // namespace leitong::redis
