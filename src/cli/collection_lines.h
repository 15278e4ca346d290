// What a collection says, as JSON Lines.
#pragma once

#include <string>
#include <string_view>

#include "leitong/collection.h"

namespace leitong::cli {

// Lines from one collection: its ids are JSON strings or numbers, and what it does not keep is null.
class CollectionLines {
 public:
  explicit CollectionLines(const CollectionOptions& options) : options_(options) {}
  void append_id(std::string_view id, std::string& out) const;
  // ,"id":…,"distance":…,"similarity":… and the end of the line; the beginning names the query.
  void append_match(const CollectionMatch& match, std::string& out) const;
  void append_outcome(std::string_view id, const CollectionOutcome& outcome, std::string& out) const;
  // What --stream says besides, so that every line of the input has an answer: the end of a query's matches, a document that is in, a bad
  // record.
  static void append_query_end(std::string_view query, const CollectionAnswer& answer, std::string& out);
  void append_added(std::string_view id, std::string& out) const;
  static void append_bad(std::uint64_t line, std::string_view reason, std::string& out);
  void append_entry(const CollectionEntry& entry, std::string& out) const;

 private:
  void append_measures(const CollectionMatch& match, std::string& out) const;
  const CollectionOptions& options_;
};

[[nodiscard]] std::string inspection_for_people(const StoreInspection& found);
[[nodiscard]] std::string inspection_as_json(const StoreInspection& found);
[[nodiscard]] std::string stats_for_people(const Collection& collection);
[[nodiscard]] std::string stats_as_json(const Collection& collection);

}  // namespace leitong::cli
