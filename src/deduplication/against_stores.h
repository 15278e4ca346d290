// Stores in dedup's --against: collections that keep no texts, on servers or in directories. They are asked which of their documents is
// nearest to each input, within k bits; only those come into the run, as rows and pairs that no text confirms. So memory and time grow with
// the inputs and not with what is stored.
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
  std::optional<unsigned> k;        // none: each store's own
  Profile profile;                  // of the run
  JobOptions job;
  std::string sketches;  // of the inputs, one file
  std::string met;       // sketch file, written: the documents that are nearest to some input, in order of store and id; fingerprints only
  std::string pairs;     // pair file of the two, written
};

// Error(usage), both profiles named, for one of another profile, and for one that cannot look so far; Error(io) for one out of reach.
[[nodiscard]] std::vector<Collection> open_stores(const StoresOptions& options);

// Both files are whole and came from these inputs, stores and k. What has changed in the stores since does not count.
[[nodiscard]] bool stores_were_asked(const StoresOptions& options);
// The first file can be read and says that it came from others.
[[nodiscard]] bool other_stores_were_asked(const StoresOptions& options);
// A round trip to each server for every 4,096 inputs. Of equally near documents that of the first store stands, in it the oldest, on a
// server the one with the least id.
void ask_stores(const StoresOptions& options, std::span<const Collection> stores);

// The edges that verify wrote, and the pairs of ask_stores(), as one file of edges. Equal texts act as one: a pair of one is that of the
// first of them.
struct StoredEdgesOptions {
  std::string verified, pairs, output;
  JobOptions job;
};
void add_stored_edges(const StoredEdgesOptions& options);
[[nodiscard]] std::string made_from_stored_edges(const StoredEdgesOptions& options);

}  // namespace leitong::deduplication
