// Decides what the name of a collection refers to: a directory or a server's address.
#pragma once

#include <string>

namespace leitong::collection {

// Whether `path` is the directory of a collection.
[[nodiscard]] bool is_collection(const std::string& path);
// Whether `place` is a server's address, or the directory of a collection that keeps no texts.
[[nodiscard]] bool is_store(const std::string& place);
// The place for messages and files: an address loses its password.
[[nodiscard]] std::string without_secrets(const std::string& place);
// An argument of a command without its password; it may be an address alone or follow "--against=".
[[nodiscard]] std::string argument_without_secrets(const std::string& argument);

}  // namespace leitong::collection
