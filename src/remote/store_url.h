// Addresses of stores on servers.
//
//   redis://[user[:password]@]host[:port][/db][?prefix=P]        rediss:// with TLS
//   redis+cluster://host[:port][,host[:port]...][?prefix=P]      rediss+cluster://
//   es+http://[user[:password]@]host[:port]/index                es+https://
//
// Further settings stand behind "?", as name=value joined by "&": ca, cert, key (files), server-name, insecure, timeout (seconds),
// password-file, and what only one kind has: prefix; api-key-file, refresh, filter. Bytes may be written as %XX. A password is also taken
// from LEITONG_STORE_PASSWORD, so that it need not stand on the command line.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "net/tcp_stream.h"
#include "remote/fingerprint_store.h"

namespace leitong::remote {

enum class StoreKind { redis, redis_cluster, search };

struct StoreUrl {
  StoreKind kind = StoreKind::redis;
  bool tls = false;
  std::vector<net::Endpoint> servers;
  std::string user, password;
  std::string path;  // Redis: the database's number; search: the index
  net::TlsSettings tls_settings;
  std::chrono::milliseconds timeout{10'000};
  std::map<std::string, std::string> settings;  // those of one kind only
};

// "redis://", "es+http://" and the like begin it; anything else is a directory.
[[nodiscard]] bool is_store_url(std::string_view text);
// Error(usage) that names the part that is wrong, never a password.
[[nodiscard]] StoreUrl parse_store_url(std::string_view text);
[[nodiscard]] std::string without_secrets(const StoreUrl& url);

}  // namespace leitong::remote
