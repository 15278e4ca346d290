// A table of the errors of Elasticsearch and OpenSearch: how to react to each, and what the user can do about it.
//
// Threads: any.
#pragma once

#include <string>
#include <string_view>

namespace leitong::search {

enum class SearchErrorKind {
  later,        // temporary: nothing was done, or it may safely be repeated
  refuse,       // permanent until a person changes something
  scripts_off,  // as refuse, but the same search without a script may succeed
};

struct SearchError {
  unsigned status = 0;
  std::string type, reason;  // as the server says; empty: unknown
};

struct KnownSearchError {
  std::string_view type;  // the error's whole type; empty: any
  unsigned status = 0;    // 0: any
  std::string_view says;  // part of the reason
  SearchErrorKind kind = SearchErrorKind::refuse;
  std::string_view remedy;
};

// The first row of the table that matches; the last one matches every error.
[[nodiscard]] const KnownSearchError& known_search_error(const SearchError& error);

// For example "403 cluster_block_exception: index [fp] blocked by ...: free space on the disk ...". Printable, of bounded length.
[[nodiscard]] std::string explain(const SearchError& error);

}  // namespace leitong::search
