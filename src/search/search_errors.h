// What the errors of Elasticsearch and OpenSearch mean for us, and what the person at the other end can do about them: one table.
//
// Threads: any.
#pragma once

#include <string>
#include <string_view>

namespace leitong::search {

enum class SearchErrorKind {
  later,        // not now: nothing was done, or may be done again
  refuse,       // stays so until a person changes something
  scripts_off,  // as refuse, but the same search without a script may be answered
};

struct SearchError {
  unsigned status = 0;
  std::string type, reason;  // as the server says; empty: it says nothing that is known
};

struct KnownSearchError {
  std::string_view type;  // all of the error's type; empty: any
  unsigned status = 0;    // 0: any
  std::string_view says;  // part of the reason
  SearchErrorKind kind = SearchErrorKind::refuse;
  std::string_view remedy;
};

// The table's first row that fits; there is one for everything.
[[nodiscard]] const KnownSearchError& known_search_error(const SearchError& error);

// "403 cluster_block_exception: index [fp] blocked by ...: free space on the disk ...": printable, of bounded length.
[[nodiscard]] std::string explain(const SearchError& error);

}  // namespace leitong::search
