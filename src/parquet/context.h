// Errors of the parts know what is wrong; who calls them knows where. This joins the two.
#pragma once

#include <string>
#include <utility>

#include "leitong/error.h"

namespace leitong::parquet {

// Calls `body`; an Error of it gets what `where` returns before its message. The operating system's errors name the file themselves.
template <typename Where, typename Body>
decltype(auto) in_context(const Where& where, Body&& body) {
  try {
    return std::forward<Body>(body)();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::io || error.code() == ErrorCode::interrupted) throw;
    throw Error(error.code(), std::string(where()) + ": " + error.what());
  }
}

}  // namespace leitong::parquet
