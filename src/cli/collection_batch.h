// Documents on their way into a collection, and ids out of it: in batches, so that memory is bounded and one wait for the disk serves many.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/access.h"
#include "leitong/collection.h"

namespace leitong::cli {

// Why the collection cannot take `id`, with what to do; empty: it can.
[[nodiscard]] std::string refused_id(const CollectionOptions& options, std::string_view id);

// Strings behind each other in one, and back: how a worker hands a record to who adds it.
void append_part(std::string& out, std::string_view part);
[[nodiscard]] std::string_view take_part(std::string_view& parts);

class CollectionBatch {
 public:
  using Answer = std::function<void(std::string_view id, const CollectionOutcome&)>;

  CollectionBatch(Collection& collection, Acknowledge acknowledge) : collection_(collection), acknowledge_(acknowledge) {}
  // From now on nothing is in before commit(). Not on servers.
  void all_or_nothing() { load_.emplace(collection_.load()); }
  void commit();
  // From now on only what resembles nothing is added; each is answered, in order.
  void only_unique(const CollectionQuery& query, Answer answer);

  void add(std::string_view id, std::string_view text, std::string_view metadata);
  void add(std::string_view id, const Fingerprint& fingerprint, std::string_view metadata);
  [[nodiscard]] bool full() const { return waiting_.size() >= most_documents || bytes_.size() >= most_bytes; }
  // Puts in what waits.
  void flush();

  [[nodiscard]] std::uint64_t added() const { return added_; }  // documents, fingerprints not among them
  [[nodiscard]] std::uint64_t fingerprints() const { return fingerprints_; }
  [[nodiscard]] std::uint64_t duplicates() const { return duplicates_; }

 private:
  static constexpr std::size_t most_documents = 1000, most_bytes = std::size_t{8} << 20;
  struct Waiting {
    std::size_t id, text, metadata;  // bytes of each, behind each other in bytes_
    std::optional<Fingerprint> fingerprint;
  };
  void wait(std::string_view id, std::string_view text, std::string_view metadata, const std::optional<Fingerprint>& fingerprint);
  void put(std::span<const CollectionDocument> documents);

  Collection& collection_;
  Acknowledge acknowledge_;
  std::optional<Collection::Load> load_;
  std::optional<CollectionQuery> unique_;
  Answer answer_;
  std::string bytes_;
  std::vector<Waiting> waiting_;
  std::uint64_t added_ = 0, fingerprints_ = 0, duplicates_ = 0;
};

// Calls `use` with the ids that operands mean: themselves, or for a single "-" the lines of standard input, a thousand at a time.
void for_ids(std::span<const std::string> operands, const std::function<void(std::span<const std::string_view>)>& use);

}  // namespace leitong::cli
