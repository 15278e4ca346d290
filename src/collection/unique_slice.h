// UniqueSlice: a slice of documents into a store of fingerprints, each only if nothing near it is there, whoever else does the same at the
// same time.
//
// In rounds: the rights to the neighbourhoods of the fingerprints are asked for; what is near in the store is looked up under them; what
// has nothing near is put; the rights are given back. A document whose right another writer has waits for the next round, and so do later
// ones with its id. Two near documents are never between looking and putting at the same time, so the later one meets the first.
//
// Rights end by themselves, as a writer may die. One that comes late (a stopped machine, a slow server) sees when it gives back a right
// that somebody else had it: then it looks once more, under a new right, and takes its own document back if there is another one. It may
// have been the match of a third document by then, which was refused.
//
// Threads: an object belongs to one thread. Errors: as FingerprintStore; rights are given back.
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
    // Rows, and the ids of documents without a fingerprint.
    std::function<void(std::span<const remote::FingerprintRow>, std::span<const std::string_view>)> put;
  };
  // fingerprints: of the documents; none: nothing is near.
  UniqueSlice(Place place, std::span<const CollectionDocument> documents, std::span<const std::optional<std::uint64_t>> fingerprints,
              unsigned k);

  [[nodiscard]] std::vector<CollectionOutcome> run();

 private:
  using Indices = std::vector<std::size_t>;  // of documents
  using Added = std::map<std::string_view, std::size_t>;
  struct Near {
    std::vector<std::vector<remote::FoundRow>> found;
    std::vector<std::optional<std::uint64_t>> before;  // under the documents' ids
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
