#include <memory>

#include "remote/redis_store_server.h"
#include "remote/search_store.h"
#include "remote/store_url.h"

namespace leitong::remote {

std::unique_ptr<StoreServer> connect(const StoreUrl& url) {
  if (url.kind == StoreKind::search) return connect_search(url);
  return std::make_unique<RedisStoreServer>(url);
}

}  // namespace leitong::remote
