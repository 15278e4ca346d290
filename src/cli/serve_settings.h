// What only serve can be told.
#pragma once

#include <string>

#include "leitong/server.h"

namespace leitong::cli {

struct ServeSettings {
  ServerOptions options;
  std::string new_key;  // a name; empty: serve
  std::string scopes = "read", collections = "*", expires = "never";
};

}  // namespace leitong::cli
