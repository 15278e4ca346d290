// SearchBulk: writes of many documents in _bulk requests of bounded size, until the server has acknowledged each.
//
// What the server turns away for now (full queues, a full heap, a shard on its way to another node), be it a whole request, is sent again,
// after growing pauses and in smaller requests; what it turns away for good ends it with an error that names the document.
//
// Threads: an object belongs to one thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "search/search_client.h"

namespace leitong::search {

// Actions in the order of the calls. Those on one id belong into different batches: what is sent again comes later.
class BulkActions {
 public:
  void index(std::string_view id, std::string_view document);
  void merge(std::string_view id, std::string_view document);  // other fields of the document stay
  void remove(std::string_view id);                            // no error if it is not there

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
  // `path`: "/index/_bulk?refresh=false", to which a filter is added.
  SearchBulk(SearchClient& client, std::string path, std::size_t bytes);
  std::uint64_t send(const BulkActions& actions);  // how many removed something

 private:
  struct Outcome {
    std::uint64_t removed = 0;
    std::vector<std::size_t> again;
    SearchError why;  // of the last of those
  };
  Outcome send_some(const BulkActions& actions, std::vector<std::size_t>::const_iterator from, std::vector<std::size_t>::const_iterator to);
  SearchClient& client_;
  std::string path_;
  std::size_t most_, bytes_;  // bytes_ falls when the server is full, and grows again up to most_
};

}  // namespace leitong::search
