// SearchBulk: writes many documents in _bulk requests of bounded size, until the server has acknowledged each of them.
//
// Documents or whole requests that the server rejects for the moment (full queues, a full heap, a shard that is moving to another node) are
// sent again, after growing pauses and in smaller requests. If the server rejects a document permanently, an error names that document.
//
// Threads: an object may be used by one thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "search/search_client.h"

namespace leitong::search {

// Actions in the order of the calls. Actions on the same id must be in different batches, because a rejected one is sent again later.
class BulkActions {
 public:
  void index(std::string_view id, std::string_view document);
  void merge(std::string_view id, std::string_view document);  // keeps other fields of the document
  void remove(std::string_view id);                            // no error if it does not exist

  [[nodiscard]] std::size_t size() const { return actions_.size(); }
  [[nodiscard]] std::string_view lines(std::size_t i) const;
  [[nodiscard]] std::string_view id(std::size_t i) const { return actions_[i].id; }

 private:
  void add(std::string_view name, std::string_view id, std::string_view document, std::string_view more = {});
  struct Action {
    std::size_t begin;
    std::string_view id;
  };
  std::string lines_;
  std::vector<Action> actions_;
};

class SearchBulk {
 public:
  // `path`: "/index/_bulk?refresh=false"; a filter_path is added to it.
  SearchBulk(SearchClient& client, std::string path, std::size_t bytes);
  std::uint64_t send(const BulkActions& actions);  // returns how many documents were removed

 private:
  struct Outcome {
    std::uint64_t removed = 0;
    std::vector<std::size_t> again;
    SearchError why;  // the reason of the last one in `again`
  };
  Outcome send_some(const BulkActions& actions, std::vector<std::size_t>::const_iterator from, std::vector<std::size_t>::const_iterator to);
  SearchClient& client_;
  std::string path_;
  std::size_t most_, bytes_;  // bytes_: size of the next request; shrinks when the server is full, and grows again up to most_
};

}  // namespace leitong::search
