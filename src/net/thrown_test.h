// For tests: the message of what an action throws.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "leitong/error.h"
#include "net/tcp_stream.h"

namespace leitong::net {

// What an action throws; empty: nothing.
template <class Action>
std::string thrown(Action&& action, bool* refusal = nullptr) {
  try {
    action();
  } catch (const Error& error) {
    if (refusal != nullptr) *refusal = dynamic_cast<const Refusal*>(&error) != nullptr;
    return error.what();
  }
  return "";
}

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

}  // namespace leitong::net
