// The host in an address.
#pragma once

#include <string>
#include <string_view>

namespace leitong::text {

// "www.example.com" of "https://user@WWW.Example.com:80/path": in lower case, without user and port; empty: it is no such address.
[[nodiscard]] std::string host_of(std::string_view url);

}  // namespace leitong::text
