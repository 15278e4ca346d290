#include "collection/connect.h"
#include "leitong/error.h"

namespace leitong::collection {

std::unique_ptr<remote::StoreServer> connect(const remote::StoreUrl& url) {
  throw Error(ErrorCode::unsupported, remote::without_secrets(url) +
                                          ": this Leitong is built without servers (LEITONG_REMOTE); keep the "
                                          "collection in a directory, or use a whole one");
}

}  // namespace leitong::collection
