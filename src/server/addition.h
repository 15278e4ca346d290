// What the ways to add documents share: one as JSON, many as lines, a Parquet file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/api.h"
#include "server/writer.h"

namespace leitong::server {

// How documents of one request are added.
struct Addition {
  CollectionPtr collection;
  CollectionOptions options;  // without the profile's tables: a copy, so that lines are read without the collection
  bool unique = false;
  CollectionQuery query;
  Acknowledge acknowledge = Acknowledge::durable;
};
// Of a request's parameters. Throws Problem.
[[nodiscard]] Addition addition_of(const Api& api, const Call& call);
[[nodiscard]] Acknowledge acknowledge_of(const Call& call);

[[nodiscard]] Write write_of(const Addition& to, std::vector<Document> documents, Trace trace);
[[nodiscard]] std::uint64_t bytes_of(const std::vector<Document>& documents);  // that they take from the budget
[[nodiscard]] Problem queue_full(const Api& api);

// What became of documents, as answers and as the members of the last line.
class AdditionTally {
 public:
  explicit AdditionTally(bool unique) : unique_(unique) {}
  // One without a line end; `outcomes` are empty unless the addition was unique.
  [[nodiscard]] std::string answer(const std::vector<Document>& documents, const std::vector<CollectionOutcome>& outcomes, std::size_t row);
  [[nodiscard]] std::string summary() const;

 private:
  bool unique_;
  std::uint64_t added_ = 0, refused_ = 0;
};

// Reads a Parquet file as rows of the columns `id` and `text`, and adds them. Answers as lines are answered. Throws Problem.
[[nodiscard]] Response add_parquet(Api& api, const CallPtr& call, Addition to);
[[nodiscard]] bool is_parquet(const Request& request);

}  // namespace leitong::server
