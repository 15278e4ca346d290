#include "server/keys.h"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <span>
#include <sstream>

#include "leitong/error.h"

namespace leitong::server {
namespace {

using Hash = std::array<unsigned char, 32>;

Hash sha256(std::string_view text) {
  Hash hash{};
  unsigned size = 0;
  if (::EVP_Digest(text.data(), text.size(), hash.data(), &size, ::EVP_sha256(), nullptr) != 1)
    throw Error(ErrorCode::unsupported, "OpenSSL has no SHA-256 here");
  return hash;
}

std::string hex_of(std::span<const unsigned char> bytes) {
  std::string out;
  for (const unsigned char byte : bytes) out += fmt::format("{:02x}", byte);
  return out;
}

std::optional<Hash> hash_of(std::string_view hex) {
  Hash hash{};
  if (hex.size() != 2 * hash.size()) return std::nullopt;
  for (std::size_t i = 0; i < hash.size(); ++i) {
    const char* from = hex.data() + 2 * i;
    if (std::from_chars(from, from + 2, hash[i], 16).ptr != from + 2) return std::nullopt;
  }
  return hash;
}

std::vector<std::string> parts_of(std::string_view list, char by) {
  std::vector<std::string> out;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(by), list.size());
    if (end > 0) out.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return out;
}

constexpr std::array scope_names{std::pair{"read", Scope::read}, std::pair{"write", Scope::write}, std::pair{"admin", Scope::admin},
                                 std::pair{"metrics", Scope::metrics}};

std::optional<unsigned> scopes_of(std::string_view list) {
  unsigned out = 0;
  for (const std::string& name : parts_of(list, ',')) {
    const auto found = std::find_if(scope_names.begin(), scope_names.end(), [&](const auto& one) { return name == one.first; });
    if (found == scope_names.end()) return std::nullopt;
    out |= static_cast<unsigned>(found->second);
  }
  return out == 0 ? std::nullopt : std::optional(out);
}

// None: it is no day.
std::optional<std::chrono::system_clock::time_point> day_of(std::string_view text) {
  const std::vector<std::string> parts = parts_of(text, '-');
  std::array<int, 3> numbers{};
  if (parts.size() != numbers.size() || text.size() != 10) return std::nullopt;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const char* end = parts[i].data() + parts[i].size();
    if (std::from_chars(parts[i].data(), end, numbers[i]).ptr != end) return std::nullopt;
  }
  const std::chrono::year_month_day day{std::chrono::year(numbers[0]), std::chrono::month(static_cast<unsigned>(numbers[1])),
                                        std::chrono::day(static_cast<unsigned>(numbers[2]))};
  if (!day.ok()) return std::nullopt;
  return std::chrono::sys_days(day) + std::chrono::days(1);  // good for the whole day that is named
}

// Why the words are no key; empty: they are, and `out` is it.
std::string read_key(const std::vector<std::string>& words, Key& out) {
  if (words.size() != 5) return "five words are wanted: NAME SHA256 SCOPES COLLECTIONS EXPIRES";
  out.name = words[0];
  const auto hash = hash_of(words[1]);
  if (!hash) return "the second word must be the 64 hexadecimal digits of a SHA-256";
  out.hash = *hash;
  const auto scopes = scopes_of(words[2]);
  if (!scopes) return "scopes are read, write, admin and metrics, joined by commas";
  out.scopes = *scopes;
  if (words[3] != "*") out.collections = parts_of(words[3], ',');
  if (words[4] == "never") return {};
  out.expires = day_of(words[4]);
  return out.expires ? std::string() : "the last word must be a day such as 2027-01-31, or never";
}

}  // namespace

bool Key::may(Scope scope) const {
  return scope == Scope::none || (scopes & (static_cast<unsigned>(scope) | static_cast<unsigned>(Scope::admin))) != 0;
}

bool Key::may_use(std::string_view collection) const {
  return collections.empty() || std::find(collections.begin(), collections.end(), collection) != collections.end();
}

Keys::Keys(std::string_view text, const std::string& name) {
  std::istringstream lines{std::string(text)};
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream parts(line.substr(0, line.find('#')));
    std::vector<std::string> words;
    for (std::string word; parts >> word;) words.push_back(word);
    if (words.empty()) continue;
    Key key;
    const std::string wrong = read_key(words, key);
    if (!wrong.empty()) throw Error(ErrorCode::format, fmt::format("{}:{}: {}", name, number, wrong));
    keys_.push_back(std::move(key));
  }
}

Keys Keys::read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw Error(ErrorCode::io, path + ": the file of keys cannot be read; make a key with leitong serve --new-key");
  return {text.str(), path};
}

const Key* Keys::find(std::string_view key, std::chrono::system_clock::time_point now) const {
  const Hash hash = sha256(key);
  const Key* found = nullptr;
  for (const Key& one : keys_)
    if (::CRYPTO_memcmp(one.hash.data(), hash.data(), hash.size()) == 0) found = &one;
  return found != nullptr && (!found->expires || now < *found->expires) ? found : nullptr;
}

}  // namespace leitong::server

namespace leitong {

ServerKey new_server_key(std::string_view name, std::string_view scopes, std::string_view collections, std::string_view expires) {
  std::array<unsigned char, 32> random{};
  if (::RAND_bytes(random.data(), static_cast<int>(random.size())) != 1) throw Error(ErrorCode::io, "OpenSSL gives no random bytes");
  ServerKey key{"lt_" + server::hex_of(random), {}};
  key.line = fmt::format("{} {} {} {} {}", name, server::hex_of(server::sha256(key.key)), scopes, collections, expires);
  try {
    const server::Keys read(key.line, "key");
    if (read.empty()) throw Error(ErrorCode::format, "the name of a key may not begin with #");
  } catch (const Error& error) {
    throw Error(ErrorCode::usage, error.what());
  }
  return key;
}

}  // namespace leitong
