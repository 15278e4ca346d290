// Addresses of stores on servers.
//
//   redis://[user[:password]@]host[:port][/db][?prefix=P]        rediss:// with TLS
//   redis+cluster://host[:port][,host[:port]...][?prefix=P]      rediss+cluster://
//   es+http://[user[:password]@]host[:port]/index                es+https://
//
// Further settings follow "?" as name=value, joined by "&": ca, cert, key (files), server-name, insecure, timeout (seconds), password-file;
// for one kind only: prefix (Redis); api-key-file, refresh, filter (search servers). Bytes may be written as %XX. The password may also be
// given in LEITONG_STORE_PASSWORD, so that it does not appear on the command line.
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
  std::map<std::string, std::string> settings;  // settings that only one kind has
};

// Whether `text` begins with "redis://", "es+http://" or the like; other names are directories.
[[nodiscard]] bool is_store_url(std::string_view text);
// Throws Error(usage) that names the wrong part, but never a password.
[[nodiscard]] StoreUrl parse_store_url(std::string_view text);
[[nodiscard]] std::string without_secrets(const StoreUrl& url);

}  // namespace leitong::remote
