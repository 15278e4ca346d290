// Stands in for the whole room where the server is left out of the build.
#include "leitong/error.h"
#include "leitong/server.h"

namespace leitong {
namespace {

[[noreturn]] void refuse() {
  throw Error(ErrorCode::unsupported,
              "this program was built without the server; ./run serve builds it in, and so does cmake -DLEITONG_SERVER=ON (Debian: "
              "libboost1.81-dev)");
}

}  // namespace

void serve(const ServerOptions&) { refuse(); }
ServerKey new_server_key(std::string_view, std::string_view, std::string_view, std::string_view) { refuse(); }

}  // namespace leitong
