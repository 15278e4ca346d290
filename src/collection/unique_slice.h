// UniqueSlice: adds a slice of documents to a store of fingerprints, each only if nothing near it is stored, even if other writers do the
// same at the same time.
//
// It works in rounds. Each round reserves the neighbourhoods of the documents' fingerprints, looks up what is near them, puts the documents
// that have nothing near, and releases the reservations. A document whose reservation another writer holds waits for the next round, and so
// do later documents with the same id. Two near documents are therefore never between look-up and put at the same time, so the later one
// finds the first.
//
// Reservations expire, because a writer may die. A writer that was delayed (a stopped machine, a slow server) learns from the release that
// another writer has had the reservation meanwhile. It then reserves again, looks up again, and erases its own document if there is another
// near one. A third document may have been refused because of the erased one.
//
// Threads: an object belongs to one thread. Errors: as FingerprintStore; reservations are released.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "leitong/collection.h"
#include "remote/fingerprint_store.h"

namespace leitong::collection {

[[nodiscard]] unsigned bits_between(std::uint64_t a, std::uint64_t b);
[[nodiscard]] CollectionMatch match_of(const remote::FoundRow& row);

class UniqueSlice {
 public:
  struct Place {
    std::function<void(const std::function<void(remote::FingerprintStore&)>&)> use;
    // Receives the rows to put, and the ids of the added documents that have no fingerprint.
    std::function<void(std::span<const remote::FingerprintRow>, std::span<const std::string_view>)> put;
  };
  // `fingerprints` has one entry for each document; an empty entry is near nothing.
  UniqueSlice(Place place, std::span<const CollectionDocument> documents, std::span<const std::optional<std::uint64_t>> fingerprints,
              unsigned k);

  [[nodiscard]] std::vector<CollectionOutcome> run();

 private:
  using Indices = std::vector<std::size_t>;  // into documents_
  using Added = std::map<std::string_view, std::size_t>;
  struct Near {
    std::vector<std::vector<remote::FoundRow>> found;
    std::vector<std::optional<std::uint64_t>> before;  // what was stored under the documents' ids
  };

  [[nodiscard]] std::vector<std::uint64_t> values_of(const Indices& documents) const;
  [[nodiscard]] Indices round(const Indices& waiting);
  [[nodiscard]] bool first_is_answered(const Indices& waiting);
  [[nodiscard]] Indices decide(const Indices& waiting, const Near& near, const std::vector<bool>& held, Added& added);
  [[nodiscard]] std::optional<CollectionMatch> best_of(std::size_t document, std::span<const remote::FoundRow> found,
                                                       const Added& added) const;
  void put(const Added& added);
  void settle(std::size_t document);
  [[nodiscard]] std::vector<std::vector<remote::FoundRow>> look_up(const Indices& documents, bool fresh = true);
  std::vector<bool> ask_rights(std::vector<bool> (remote::FingerprintStore::*what)(std::span<const std::uint64_t>),
                               const Indices& documents);
  void give_back(const Indices& documents) noexcept;
  void refuse(std::size_t document, const CollectionMatch& match);
  void pause();

  Place place_;
  std::span<const CollectionDocument> documents_;
  std::span<const std::optional<std::uint64_t>> fingerprints_;
  unsigned k_, pauses_ = 0;
  std::vector<CollectionOutcome> out_;
};

}  // namespace leitong::collection
