// What the name of a collection names: a directory, or a server's address.
#pragma once

#include <string>

namespace leitong::collection {

// The directory of a collection.
[[nodiscard]] bool is_collection(const std::string& path);
// A server's address, or the directory of a collection that keeps no texts.
[[nodiscard]] bool is_store(const std::string& place);
// For messages and files: an address without its password.
[[nodiscard]] std::string without_secrets(const std::string& place);
// Of a command: an address, alone or behind "--against=", without its password.
[[nodiscard]] std::string argument_without_secrets(const std::string& argument);

}  // namespace leitong::collection
