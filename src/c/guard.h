// What every function of the C interface does: errors come back as numbers, structures may be of another version.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

#include "leitong/c.h"
#include "leitong/error.h"

namespace leitong::c {

void set_last_error(const char* message) noexcept;
[[nodiscard]] int status_of(ErrorCode code) noexcept;
[[nodiscard]] int status_of_current_exception() noexcept;  // and sets the last error

// No exception leaves the library through C.
template <typename Work>
int guarded(const Work& work) noexcept {
  try {
    work();
    return LEITONG_OK;
  } catch (...) {
    return status_of_current_exception();
  }
}

inline void require(bool holds, const char* message) {
  if (!holds) throw Error(ErrorCode::usage, message);
}

// Options as this library knows them: what an older caller does not have is 0. `given` may be NULL: all 0.
template <typename Options>
Options options_of(const Options* given, const char* name) {
  Options known{};
  if (given == nullptr) return known;
  if (given->size < sizeof(given->size)) throw Error(ErrorCode::usage, std::string(name) + ": its size is not set");
  const auto* const bytes = reinterpret_cast<const char*>(given);
  if (given->size > sizeof known && std::any_of(bytes + sizeof known, bytes + given->size, [](char byte) { return byte != 0; }))
    throw Error(ErrorCode::unsupported, std::string(name) + ": sets what this version of the library does not know");
  std::memcpy(&known, given, std::min(given->size, sizeof known));
  return known;
}

// Writes as much of a result as the caller has room for.
template <typename Result>
void give(Result known, Result* out, const char* name) {
  if (out->size < sizeof(out->size)) throw Error(ErrorCode::usage, std::string(name) + ": its size is not set");
  known.size = out->size;
  std::memcpy(out, &known, std::min(out->size, sizeof known));
}

}  // namespace leitong::c
