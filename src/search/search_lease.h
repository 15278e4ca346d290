// SearchLease: the right to look and add, of one writer at a time for a whole index: a document beside it, changed only as the version that
// was read (if_seq_no), which the server decides on the document's primary shard.
//
// Whose clock runs how does not matter: a writer takes the right from another if it has seen the same version for `time` itself. A version
// that is still ours says that nobody else had the right since.
//
// The document is in an index of its own, "<index>-leitong-leases", as other programs may read the index itself.
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

  [[nodiscard]] bool take();     // false: another one has it
  [[nodiscard]] bool keep();     // for another `time`; false: somebody else had it
  [[nodiscard]] bool release();  // false: somebody else had it

 private:
  struct Version {
    std::uint64_t number = 0, term = 0;
    friend bool operator==(const Version&, const Version&) = default;
  };
  struct Seen {
    Version version;
    std::string owner, last;  // owner: empty, it is free
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
  std::optional<Seen> other_;  // as first seen
};

}  // namespace leitong::search
