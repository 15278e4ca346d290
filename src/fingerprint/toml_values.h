// Values out of TOML, with messages that name the file, the line and what was expected; for profiles and rules.
#pragma once

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "leitong/error.h"

namespace leitong::fingerprint {

// One entry a key: parsing and unknown-key detection read the same table. `where`: "file:line: key".
template <typename Settings>
using TomlSetters = std::vector<std::pair<std::string_view, std::function<void(Settings&, const toml::node&, const std::string& where)>>>;

inline toml::table parse_toml(std::string_view text, const std::string& path) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw Error(ErrorCode::format, fmt::format("{}:{}: {}", path, error.source().begin.line, error.description()));
  }
}

// "base" is the caller's. `hint(key)` may add to the message of a key that is none; empty: nothing to say.
template <typename Settings>
void take_toml(const toml::table& table, const std::string& path, const TomlSetters<Settings>& known, Settings& settings,
               const std::function<std::string(std::string_view key)>& hint) {
  for (const auto& [key, node] : table) {
    if (key.str() == "base") continue;
    const std::string where = fmt::format("{}:{}: {}", path, node.source().begin.line, key.str());
    const auto found = std::find_if(known.begin(), known.end(), [&](const auto& entry) { return entry.first == key.str(); });
    if (found == known.end()) throw Error(ErrorCode::format, where + ": no such setting" + hint(key.str()));
    found->second(settings, node, where);
  }
}

template <std::size_t N>
std::size_t index_of(const std::array<std::string_view, N>& names, std::string_view name, const std::string& where) {
  for (std::size_t i = 0; i < N; ++i)
    if (names[i] == name) return i;
  throw Error(ErrorCode::format, fmt::format("{}: \"{}\" is none of: {}", where, name, fmt::join(names, ", ")));
}

template <typename T>
T value_of(const toml::node& node, const std::string& where, std::string_view expected) {
  const auto value = node.value<T>();
  if (!value) throw Error(ErrorCode::format, fmt::format("{}: expected {}", where, expected));
  return *value;
}

inline std::uint32_t number_of(const toml::node& node, const std::string& where) {
  const auto value = value_of<std::int64_t>(node, where, "a whole number");
  if (value < 0 || value > 0xffffffffLL) throw Error(ErrorCode::format, fmt::format("{}: {} is out of range", where, value));
  return static_cast<std::uint32_t>(value);
}

inline std::string quoted(std::string_view text) {
  std::ostringstream out;
  out << toml::value<std::string>(std::string(text));
  return out.str();
}

inline bool is_toml_path(std::string_view name_or_path) {
  return name_or_path.find('/') != std::string_view::npos || name_or_path.ends_with(".toml");
}
// `what` it is, for the message: "profile".
inline std::string read_toml_file(const std::string& path, std::string_view what) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorCode::io, fmt::format("{}: no such {} file", path, what));
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace leitong::fingerprint
