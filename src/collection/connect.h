#pragma once

#include <memory>

#include "remote/fingerprint_store.h"
#include "remote/store_url.h"

namespace leitong::collection {

// The server at an address. Nothing is sent to it yet.
[[nodiscard]] std::unique_ptr<remote::StoreServer> connect(const remote::StoreUrl& url);

}  // namespace leitong::collection
