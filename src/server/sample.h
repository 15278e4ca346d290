// The sample: a small collection in Chinese and English, for who looks at the server for the first time.
#pragma once

#include "leitong/server.h"

namespace leitong::server {

// Makes the collection `sample` of the texts that are built in (examples/sample.jsonl), with its groups of near-duplicates, in the one
// directory of ServerOptions::where, if that holds nothing yet; otherwise notes that it is left as it is. Called before anything is served.
// It is there whole or not at all. Throws Error(usage) for anything but one directory, Error(io).
void add_sample(const ServerOptions& options);

}  // namespace leitong::server
