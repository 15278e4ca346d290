// Keys: who may do what with which collections. The file holds hashes, so that who reads it can do nothing.
//
//     # name   sha256 of the key                  scopes       collections  expires
//     ingest   9f86d081884c7d659a2feaa0c55ad015…  write        news,shop    2027-01-31
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/server.h"

namespace leitong::server {

// What a route asks for. Of a key: bits. admin: everything.
enum class Scope : unsigned { none = 0, read = 1, write = 2, admin = 4, metrics = 8 };

struct Key {
  std::string name;
  std::array<unsigned char, 32> hash{};
  unsigned scopes = 0;
  std::vector<std::string> collections;                          // empty: all
  std::optional<std::chrono::system_clock::time_point> expires;  // the first moment at which it is worth nothing

  [[nodiscard]] bool may(Scope scope) const;
  [[nodiscard]] bool may_use(std::string_view collection) const;
};

class Keys {
 public:
  Keys() = default;
  // Of the text of a file. Throws Error(format) with its name and the line.
  Keys(std::string_view text, const std::string& name);
  // The same from the file. Throws Error(io).
  static Keys read(const std::string& path);

  // The key with this text that has not expired; null: none. Takes as long whichever it is.
  [[nodiscard]] const Key* find(std::string_view key, std::chrono::system_clock::time_point now) const;
  [[nodiscard]] bool empty() const { return keys_.empty(); }

 private:
  std::vector<Key> keys_;
};

}  // namespace leitong::server
