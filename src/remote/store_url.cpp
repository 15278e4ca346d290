#include "remote/store_url.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <span>

#include "leitong/error.h"

namespace leitong::remote {
namespace {

struct Scheme {
  std::string_view text;
  StoreKind kind;
  bool tls;
  std::uint16_t port;
};
constexpr std::array schemes = {Scheme{"redis://", StoreKind::redis, false, 6'379},
                                Scheme{"rediss://", StoreKind::redis, true, 6'379},
                                Scheme{"redis+cluster://", StoreKind::redis_cluster, false, 6'379},
                                Scheme{"rediss+cluster://", StoreKind::redis_cluster, true, 6'379},
                                Scheme{"es+http://", StoreKind::search, false, 9'200},
                                Scheme{"es+https://", StoreKind::search, true, 9'200}};

constexpr std::array<std::string_view, 7> common_settings = {"ca", "cert", "key", "server-name", "insecure", "timeout", "password-file"};
constexpr std::array<std::string_view, 1> redis_settings = {"prefix"};
constexpr std::array<std::string_view, 3> search_settings = {"api-key-file", "refresh", "filter"};
constexpr std::size_t tls_settings = 5;  // number of common settings, at the front, that need TLS
constexpr std::uint64_t longest_timeout = 86'400;

const Scheme* scheme_of(std::string_view text) {
  for (const Scheme& scheme : schemes) {
    if (text.starts_with(scheme.text)) return &scheme;
  }
  return nullptr;
}

std::span<const std::string_view> settings_of(StoreKind kind) {
  if (kind == StoreKind::search) return search_settings;
  return redis_settings;
}

// Decodes a part of the address that may contain %XX. Errors name it by `what`, since its bytes may be a password.
std::string decoded(std::string_view text, std::string_view what) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    unsigned value = 0;
    const std::string_view digits = text.substr(i + 1, 2);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (digits.size() < 2 || error != std::errc() || end != digits.data() + 2) {
      throw Error(ErrorCode::usage,
                  fmt::format("address of a store: {}: a % without two hexadecimal digits; %25 is the sign itself", what));
    }
    out += static_cast<char>(value);
    i += 2;
  }
  return out;
}

std::string encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       std::string_view("-._~:,*").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

// Parses an address. Messages show only those parts of it that cannot contain a password.
class Reading {
 public:
  Reading(std::string_view text, const Scheme& scheme) : scheme_(scheme), rest_(text.substr(scheme.text.size())) {}

  StoreUrl read() {
    url_.kind = scheme_.kind;
    url_.tls = scheme_.tls;
    const std::size_t question = rest_.find('?');
    if (question != std::string_view::npos && rest_.find('@') > question && rest_.find('@', question) != std::string_view::npos) {
      throw Error(
          ErrorCode::usage,
          fmt::format("address {}...: there is an @ behind the first ?; write %3F for a ? in a password, and %40 for an @ in a setting",
                      scheme_.text));
    }
    const std::string_view settings = question == std::string_view::npos ? "" : rest_.substr(question + 1);
    rest_ = rest_.substr(0, question);
    // A password may contain anything except an unescaped @, so the account ends at the last @; nothing after it is secret.
    if (const std::size_t at = rest_.rfind('@'); at != std::string_view::npos) {
      take_account(rest_.substr(0, at));
      rest_.remove_prefix(at + 1);
    }
    const std::size_t slash = rest_.find('/');
    take_servers(rest_.substr(0, slash));
    if (slash != std::string_view::npos) url_.path = decoded(rest_.substr(slash + 1), "the path");
    check_path();
    take_settings(settings);
    if (url_.password.empty()) take_password();
    return std::move(url_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorCode::usage, fmt::format("address {}{}: {}", scheme_.text, rest_, what));
  }

  void take_account(std::string_view text) {
    const std::size_t colon = text.find(':');
    url_.user = decoded(text.substr(0, colon), "the user");
    if (colon != std::string_view::npos) url_.password = decoded(text.substr(colon + 1), "the password");
  }

  void take_servers(std::string_view text) {
    while (true) {
      const std::size_t comma = text.find(',');
      url_.servers.push_back(endpoint(text.substr(0, comma)));
      if (comma == std::string_view::npos) break;
      text.remove_prefix(comma + 1);
    }
    if (scheme_.kind == StoreKind::redis && url_.servers.size() > 1) {
      refuse("several servers are given, which redis+cluster:// and es+http:// take");
    }
  }

  [[nodiscard]] net::Endpoint endpoint(std::string_view text) const {
    net::Endpoint endpoint{"", scheme_.port};
    std::string_view port;
    if (text.starts_with('[')) {
      const std::size_t end = text.find(']');
      if (end == std::string_view::npos) refuse("a '[' without its ']'");
      endpoint.host = text.substr(1, end - 1);
      port = text.substr(end + 1);
    } else {
      const std::size_t colon = text.find(':');
      if (colon != text.rfind(':')) refuse("it has several colons; IPv6 addresses stand in [brackets]");
      endpoint.host = text.substr(0, colon);
      port = colon == std::string_view::npos ? "" : text.substr(colon);
    }
    if (endpoint.host.empty()) refuse("it lacks a host");
    if (port.empty()) return endpoint;
    const auto [end, error] = std::from_chars(port.data() + 1, port.data() + port.size(), endpoint.port);
    if (port.front() != ':' || error != std::errc() || end != port.data() + port.size() || endpoint.port == 0) {
      refuse(fmt::format("\"{}\" is no port: a number from 1 to 65535 behind a colon", port));
    }
    return endpoint;
  }

  void check_path() {
    if (scheme_.kind == StoreKind::search) {
      if (url_.path.empty() || url_.path.find('/') != std::string::npos)
        refuse("it needs the name of one index: es+http://host:9200/index");
      return;
    }
    if (url_.path.empty()) return;
    if (scheme_.kind == StoreKind::redis_cluster) refuse("a cluster has only database 0, which is not named");
    unsigned database = 0;
    const auto [end, error] = std::from_chars(url_.path.data(), url_.path.data() + url_.path.size(), database);
    if (error != std::errc() || end != url_.path.data() + url_.path.size()) refuse("what stands behind the / is a database's number");
  }

  void take_settings(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = text.find('&');
      const std::string_view one = text.substr(0, end);
      const std::size_t equals = one.find('=');
      const std::string name = decoded(one.substr(0, equals), "a setting's name");
      const auto value = equals == std::string_view::npos ? std::nullopt : std::optional(decoded(one.substr(equals + 1), name));
      if (!seen_.emplace(name, "").second) refuse(fmt::format("the setting \"{}\" stands twice", name));
      take_setting(name, value);
      if (end == std::string_view::npos) return;
      text.remove_prefix(end + 1);
    }
  }

  void take_setting(const std::string& name, const std::optional<std::string>& value) {
    const std::span<const std::string_view> own = settings_of(scheme_.kind);
    const auto common = std::find(common_settings.begin(), common_settings.end(), name);
    const bool is_own = std::find(own.begin(), own.end(), name) != own.end();
    if (common == common_settings.end() && !is_own) {
      refuse(fmt::format("there is no setting \"{}\"; {} takes {}, {}", name, scheme_.text, fmt::join(own, ", "),
                         fmt::join(common_settings, ", ")));
    }
    if (!url_.tls && static_cast<std::size_t>(common - common_settings.begin()) < tls_settings) {
      refuse(fmt::format("the setting \"{}\" is for TLS: the address then begins by {}", name,
                         scheme_.kind == StoreKind::search ? "es+https://" : "rediss"));
    }
    if (name == "insecure") return take_insecure(value);
    if (!value) refuse(fmt::format("the setting \"{}\" lacks a value: {}=...", name, name));
    if (is_own) {
      url_.settings[name] = *value;
    } else if (name == "timeout") {
      take_timeout(*value);
    } else if (name == "password-file") {
      password_file_ = *value;
    } else {
      net::TlsSettings& tls = url_.tls_settings;
      (name == "ca" ? tls.ca_file : name == "cert" ? tls.certificate_file : name == "key" ? tls.key_file : tls.server_name) = *value;
    }
  }

  void take_insecure(const std::optional<std::string>& value) {
    if (value && *value != "true" && *value != "false") refuse("\"insecure\" is true or false");
    url_.tls_settings.insecure = !value || *value == "true";
  }

  void take_timeout(const std::string& value) {
    std::uint64_t seconds = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
    if (error != std::errc() || end != value.data() + value.size() || seconds < 1 || seconds > longest_timeout) {
      refuse(fmt::format("\"{}\" is no timeout: whole seconds, from 1 to {}", value, longest_timeout));
    }
    url_.timeout = std::chrono::seconds(seconds);
  }

  void take_password() {
    if (!password_file_.empty()) {
      std::ifstream file(password_file_);
      if (!std::getline(file, url_.password)) {
        throw Error(ErrorCode::io, fmt::format("{}: cannot read a password from its first line", password_file_));
      }
      if (url_.password.ends_with('\r')) url_.password.pop_back();
      return;
    }
    if (const char* const given = std::getenv("LEITONG_STORE_PASSWORD")) url_.password = given;
  }

  const Scheme& scheme_;
  std::string_view rest_;
  std::map<std::string, std::string> seen_;
  std::string password_file_;
  StoreUrl url_;
};

}  // namespace

bool is_store_url(std::string_view text) { return scheme_of(text) != nullptr; }

StoreUrl parse_store_url(std::string_view text) {
  const Scheme* const scheme = scheme_of(text);
  if (scheme == nullptr) {
    throw Error(ErrorCode::usage,
                "an address of a store begins by redis://, rediss://, redis+cluster://, rediss+cluster://, es+http:// or es+https://");
  }
  return Reading(text, *scheme).read();
}

std::string without_secrets(const StoreUrl& url) {
  const Scheme& scheme =
      *std::find_if(schemes.begin(), schemes.end(), [&](const Scheme& one) { return one.kind == url.kind && one.tls == url.tls; });
  std::string text(scheme.text);
  if (!url.user.empty()) text += encoded(url.user) + "@";
  for (std::size_t i = 0; i < url.servers.size(); ++i) text += (i > 0 ? "," : "") + url.servers[i].text();
  if (!url.path.empty()) text += "/" + encoded(url.path);
  char before = '?';
  for (const auto& [name, value] : url.settings) {
    text += before + name + "=" + encoded(value);
    before = '&';
  }
  return text;
}

}  // namespace leitong::remote
