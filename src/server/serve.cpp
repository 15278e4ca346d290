// serve: the parts of the server put together.
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <thread>

#include "leitong/error.h"
#include "leitong/server.h"
#include "server/api.h"
#include "server/http_server.h"
#include "server/sample.h"
#include "server/service.h"

namespace leitong {
namespace {

using namespace server;

// Tells systemd (sd_notify) how far the service is. Without systemd nothing happens.
void tell_systemd(std::string_view state) {
  const char* path = std::getenv("NOTIFY_SOCKET");
  if (path == nullptr || (*path != '/' && *path != '@')) return;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::size_t length = std::min(std::strlen(path), sizeof address.sun_path - 1);
  std::memcpy(address.sun_path, path, length);
  if (*path == '@') address.sun_path[0] = '\0';
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return;
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length);
  static_cast<void>(::sendto(socket, state.data(), state.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address), size));
  ::close(socket);
}

ServerOptions checked(const ServerOptions& options) {
  ServerOptions out = options;
  if (out.where.empty())
    throw Error(ErrorCode::usage, "serve needs a directory of collections, which may be empty, or the address of a store");
  if (out.certificate.empty() != out.certificate_key.empty())
    throw Error(ErrorCode::usage, "--tls-cert and --tls-key belong together: give both");
  if (out.threads == 0) out.threads = std::max(1U, std::thread::hardware_concurrency());
  return out;
}

void require_safe(const ServerOptions& options, const HttpServer& http) {
  if (http.is_local() || options.insecure || (!options.keys.empty() && !options.certificate.empty())) return;
  throw Error(
      ErrorCode::usage,
      fmt::format("{}: whoever reaches this address could read and change everything; give --keys and --tls-cert with --tls-key, or "
                  "say --insecure",
                  options.listen));
}

}  // namespace

void serve(const ServerOptions& given) {
  const ServerOptions options = checked(given);
  if (options.sample) add_sample(options);
  Metrics metrics;
  Engine engine{options, metrics};
  Collections collections(engine);
  Api api(engine, collections);
  ApiService service(api);
  HttpServer http(options, service);
  require_safe(options, http);
  if (options.note)
    options.note(fmt::format("listening on {}://{}:{}", options.certificate.empty() ? "http" : "https",
                             options.listen.substr(0, options.listen.rfind(':')), http.port()));
  if (options.listening) options.listening(http.port());
  std::thread opening([&] {
    collections.open_all();
    tell_systemd("READY=1");
  });
  http.run();
  opening.join();
  tell_systemd("STOPPING=1");
  api.jobs.stop_all();
  engine.workers.end();  // what they answer goes to the sockets' thread, which must still be there
  engine.writers.end();
  collections.close_all();
}

}  // namespace leitong
