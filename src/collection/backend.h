// CollectionBackend: the storage behind a Collection, with one implementation for each kind of place (directory, server, memory). The
// functions are documented in leitong/collection.h.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "leitong/access.h"
#include "leitong/collection.h"
#include "leitong/error.h"

namespace leitong::collection {

// The position at which a scan continues, as text that only the backend that made it can read. Empty: the beginning.
using ScanPlace = std::string;

class CollectionBackend {
 public:
  CollectionBackend() = default;
  virtual ~CollectionBackend() = default;
  CollectionBackend(const CollectionBackend&) = delete;
  CollectionBackend& operator=(const CollectionBackend&) = delete;

  [[nodiscard]] virtual const CollectionOptions& options() const = 0;
  [[nodiscard]] virtual const std::string& profile_id() const = 0;

  virtual std::uint64_t add(std::span<const CollectionDocument> documents, Acknowledge acknowledge) = 0;
  virtual std::uint64_t add(std::span<const CollectionFingerprint> fingerprints, Acknowledge acknowledge) = 0;
  class Load {
   public:
    Load() = default;
    virtual ~Load() = default;
    Load(const Load&) = delete;
    Load& operator=(const Load&) = delete;
    virtual void add(std::span<const CollectionDocument> documents) = 0;
    virtual void add(std::span<const CollectionFingerprint> fingerprints) = 0;
    virtual std::uint64_t commit() = 0;
  };
  virtual std::unique_ptr<Load> load() = 0;
  virtual std::vector<CollectionOutcome> add_unique(std::span<const CollectionDocument> documents, const CollectionQuery& query,
                                                    Acknowledge acknowledge) = 0;
  virtual std::uint64_t erase(std::span<const std::string_view> ids, Acknowledge acknowledge) = 0;

  [[nodiscard]] virtual std::vector<CollectionAnswer> query(std::span<const std::string_view> texts, const CollectionQuery& query) = 0;
  [[nodiscard]] virtual std::vector<CollectionAnswer> query(std::span<const Fingerprint> fingerprints, const CollectionQuery& query) = 0;
  [[nodiscard]] virtual std::optional<CollectionAnswer> query_id(std::string_view id, const CollectionQuery& query) = 0;
  [[nodiscard]] virtual std::vector<std::optional<CollectionEntry>> get(std::span<const std::string_view> ids) = 0;
  // Continues from a position that an earlier scan passed to `reached`; everything before it has been visited.
  virtual void scan(const ScanPlace& from, const std::function<void(const CollectionEntry&)>& visit,
                    const std::function<void(const ScanPlace&)>& reached) = 0;
  [[nodiscard]] virtual CollectionStats stats() = 0;
  [[nodiscard]] virtual std::uint64_t left_out() { return 0; }

  virtual CollectionClusterState update_clusters(const CollectionClusterOptions& options,
                                                 const std::function<void(const CollectionClusterChange&)>& tell) = 0;
  virtual CollectionClusterState clusters(const std::function<void(const CollectionCluster&)>& visit) = 0;

  virtual void sync() = 0;
  virtual void compact() = 0;
  virtual void refresh() = 0;
  virtual void close() = 0;
  virtual void check() = 0;
  virtual void backup(const std::string& directory) = 0;
};

// Throws Error(usage) unless fingerprints of the profile can be searched within k bits.
void require_k(unsigned k, const Profile& profile);
void require_bits(const Fingerprint& fingerprint, const Profile& profile);
// Orders matches: the most similar first, then the least distance, then the oldest document.
[[nodiscard]] bool is_better(const CollectionMatch& a, const CollectionMatch& b);

// A collection in a directory.
void create_in_directory(const std::string& directory, const CollectionOptions& options);
[[nodiscard]] std::unique_ptr<CollectionBackend> open_directory(const std::string& directory, Access access, const CollectionOpen& open);

}  // namespace leitong::collection
