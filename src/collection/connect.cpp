#include "collection/connect.h"

#include "redis/redis_store_server.h"
#include "search/search_store.h"

namespace leitong::collection {

std::unique_ptr<remote::StoreServer> connect(const remote::StoreUrl& url) {
  if (url.kind == remote::StoreKind::search) return search::connect_search(url);
  return std::make_unique<redis::RedisStoreServer>(url);
}

}  // namespace leitong::collection
