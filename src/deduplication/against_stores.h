// Stores in dedup's --against: collections without texts, on servers or in directories. Each is asked which of its documents is nearest to
// each input, within k bits. Only these documents become rows and pairs of the run; no text confirms the pairs. So memory and time grow
// with the inputs, not with the size of the stores.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "leitong/collection.h"
#include "leitong/job.h"

namespace leitong::deduplication {

struct StoresOptions {
  std::vector<std::string> stores;  // addresses of servers and directories
  std::optional<unsigned> k;        // empty: each store's own k
  Profile profile;                  // of the run
  JobOptions job;
  std::string sketches;  // sketch file of the inputs, a single one
  std::string met;       // sketch file to write: documents that are nearest to some input, ordered by store and id; only fingerprints
  std::string pairs;     // pair file to write: pairs of these documents and inputs
};

// Throws Error(usage) if a store has another profile (the message names both) or cannot search within k bits, and Error(io) if it cannot be
// reached.
[[nodiscard]] std::vector<Collection> open_stores(const StoresOptions& options);

// Whether both files are complete and were made from these inputs, stores and k. Changes in the stores since then are not detected.
[[nodiscard]] bool stores_were_asked(const StoresOptions& options);
// Whether the first file can be read and says that it was made from other inputs, stores or k.
[[nodiscard]] bool other_stores_were_asked(const StoresOptions& options);
// Throws Error(usage) if the inputs are web pages and a store holds texts of pages that were read otherwise.
// Needs one round trip to each server for every 4,096 inputs. Of equally near documents the one from the first store is taken, and within a
// store the oldest; on a server the one with the smallest id.
void ask_stores(const StoresOptions& options, std::span<const Collection> stores);

// Merges the edges that the verify stage wrote with the pairs of ask_stores() into one edge file. Equal texts act as one: a pair of any of
// them is written as a pair of the first.
struct StoredEdgesOptions {
  std::string verified, pairs, output;
  JobOptions job;
};
void add_stored_edges(const StoredEdgesOptions& options);
[[nodiscard]] std::string made_from_stored_edges(const StoredEdgesOptions& options);

}  // namespace leitong::deduplication
