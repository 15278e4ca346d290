// SearchHits: reads all documents that queries find.
//
// Many queries are sent in one request (_msearch). A search is only accepted if every shard has answered. A search that finds more than a
// page is read shard by shard in the order of sequence numbers, so nothing is lost and the server need not keep a context open. A document
// that is written between two pages may be returned twice; the later version counts.
//
// Threads: an object may be used by one thread at a time. Errors: as SearchClient.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "search/search_client.h"
#include "search/search_layout.h"

namespace leitong::search {

// Valid until the next request.
struct SearchHit {
  std::string_view document;                 // _id
  std::string_view id;                       // the layout's: of _id or of a field; empty: it has none
  std::optional<std::uint64_t> fingerprint;  // none: no such field, or not of the layout's form
  records::JsonValue raw;
};

struct SearchShard {
  std::string index;
  unsigned number = 0;
};

class SearchHits {
 public:
  // `index` may be an alias.
  SearchHits(SearchClient& client, const SearchLayout& layout, std::string index, std::size_t page);

  using Visit = std::function<void(const SearchHit&)>;
  // Calls visit(i, hit) for each hit of queries[i] (JSON). Returns the largest number of hits of one query, at most a page.
  std::size_t all(std::span<const std::string> queries, const std::function<void(std::size_t, const SearchHit&)>& visit);
  // The number of documents that each query finds.
  std::vector<std::uint64_t> count(std::span<const std::string> queries);
  // Reads the next page of a shard after a sequence number (-1: from the beginning). Empty: it was the last page.
  std::optional<std::int64_t> page(const SearchShard& shard, std::int64_t after, std::string_view query, const Visit& visit);
  const std::vector<SearchShard>& shards();  // of all indices behind the name, in a fixed order; at least one

 private:
  records::JsonElements multi_search(std::span<const std::string> bodies, std::string_view filter);
  records::JsonValue whole(const net::HttpRequest& request, std::string_view responses);
  [[nodiscard]] SearchHit read(records::JsonValue hit) const;
  SearchClient& client_;
  const SearchLayout& layout_;
  std::string index_, wanted_;
  std::size_t page_;
  std::vector<SearchShard> shards_;
};

// The elements of a document at a dotted path, which may be written as nested objects or as one name. Empty if there are none.
[[nodiscard]] records::JsonValue field_at(records::JsonValue document, std::string_view path);

}  // namespace leitong::search
