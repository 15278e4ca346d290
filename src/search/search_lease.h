// SearchLease: a reservation of a whole index, by which one writer at a time looks up and adds. It is a document in another index, which is
// only replaced if it still has the version that was read (if_seq_no); the document's primary shard decides.
//
// The clocks of writers need not agree: a writer takes the reservation from another one if it has itself seen the same version for `time`.
// If the version is still ours, nobody else has had the reservation since.
//
// The document is in an index of its own, "<index>-leitong-leases", because other programs may read the index itself.
//
// Threads, errors: as SearchClient.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "search/search_client.h"

namespace leitong::search {

class SearchLease {
 public:
  SearchLease(SearchClient& client, const std::string& index, std::chrono::milliseconds time);

  [[nodiscard]] bool take();     // false: another writer has it
  [[nodiscard]] bool keep();     // for another `time`; false: another writer had it meanwhile
  [[nodiscard]] bool release();  // false: another writer had it meanwhile

 private:
  struct Version {
    std::uint64_t number = 0, term = 0;
    friend bool operator==(const Version&, const Version&) = default;
  };
  struct Seen {
    Version version;
    std::string owner, last;  // owner: empty if it is free
    std::chrono::steady_clock::time_point since;
  };
  [[nodiscard]] std::optional<Seen> look();
  void make_index();
  [[nodiscard]] bool write(const std::string& owner, const std::optional<Version>& over);

  SearchClient& client_;
  std::string path_, own_, taking_;
  std::chrono::milliseconds time_;
  std::uint64_t takings_ = 0;
  Version held_;
  std::optional<Seen> other_;  // when this version was first seen
};

}  // namespace leitong::search
