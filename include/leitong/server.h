// serve: collections over HTTP, for any language. docs/server.md says what can be asked and what is answered.
//
//     serve({.where = {"/var/lib/leitong"}, .note = print});   // http://127.0.0.1:7700, until SIGTERM
//
// A part of the build of its own (LEITONG_SERVER): without it serve() is Error(unsupported).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace leitong {

// What one client may take. Each is named in the answer that it gives.
struct ServerLimits {
  std::uint64_t body = 64ULL << 20;     // bytes of a body that is taken whole, also after unpacking
  std::uint64_t line = 16ULL << 20;     // bytes of a line of one that is taken line by line
  std::uint64_t queue = 256ULL << 20;   // bytes that wait to be written, of all clients; beyond them 429
  std::uint64_t spool = 1ULL << 30;     // bytes of a body that is read only when it is whole, and waits in a temporary file until then
  std::uint64_t answers = 16ULL << 20;  // bytes of answers that wait for a client that sends and does not read
  std::uint32_t header = 16U << 10;     // bytes
  unsigned connections = 1000;
  unsigned json_depth = 64;
  std::uint64_t most = 1000;  // matches of a question
  std::chrono::seconds header_time{10};
  std::chrono::seconds body_time{30};  // for each 64 KiB of a whole body, for a line, for the next line, for each 64 KiB of an answer
  std::chrono::seconds idle_time{60};  // of a connection between two requests
};

struct ServerOptions {
  // A directory that holds any number of collections, or none yet; directories that are collections; addresses of stores on servers.
  std::vector<std::string> where{};
  bool sample = false;                           // fill the directory, if it holds nothing yet, with a small collection to look at
  std::string listen = "127.0.0.1:7700";         // ADDRESS:PORT; port 0: any free one
  std::string keys{};                            // file of keys; empty: whoever reaches the address may do everything
  std::string certificate{}, certificate_key{};  // PEM files; empty: no TLS
  bool insecure = false;                         // another address than this machine's own without keys, or without TLS
  std::vector<std::string> hosts{};              // names by which it may be asked, besides localhost and addresses in digits
  std::string cors_origin{};                     // the one origin whose pages may ask; empty: none
  std::string backups{};                         // directory below which backups are made; empty: none are
  unsigned threads = 0;                          // for fingerprints and questions; 0: all cores
  std::uint64_t memory = 0;                      // as CollectionOpen::memory, of all collections together
  std::chrono::seconds drain{5};                 // between SIGTERM and the end of accepting, in which /readyz says 503
  std::chrono::seconds grace{30};                // then, for what runs
  ServerLimits limits{};
  std::function<void(std::string_view)> log{};     // a line of JSON for each request, never with a text; called from one thread at a time
  std::function<void(const std::string&)> note{};  // what a person should know: the address, a collection that cannot be opened
  std::function<void(std::uint16_t)> listening{};  // called once, with the port
};

// Until SIGTERM or SIGINT, which end it well; a second one ends the process at once. SIGHUP reads keys and certificates again. While it
// runs these signals are its own. Throws Error(usage) for options that contradict each other or would be unsafe, Error(io) if it cannot
// listen.
void serve(const ServerOptions& options);

// A key for the file of ServerOptions::keys: 32 random bytes. `line` holds its hash, not itself.
struct ServerKey {
  std::string key, line;
};
// `scopes`: read, write, admin, metrics, joined by commas; `collections`: names joined by commas, or *; `expires`: 2027-01-31 or never.
// Throws Error(usage) for what the file could not hold.
[[nodiscard]] ServerKey new_server_key(std::string_view name, std::string_view scopes, std::string_view collections,
                                       std::string_view expires);

}  // namespace leitong
