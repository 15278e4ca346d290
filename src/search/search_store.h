// SearchStore: fingerprints in an index of Elasticsearch (7 to 9) or OpenSearch (1 to 3). docs/remote-search.md describes what is stored.
//
// put() sends bulk requests by _id; documents that a full queue rejects are sent again, with pauses, in smaller requests. find() searches
// for the documents that share a block with one of many queries at once. If the fingerprint has doc_values, a script (Painless) on the
// server leaves out documents that are too far away; otherwise, and if the server runs no scripts, this side does. scan() reads each shard
// by sequence number.
//
// Threads, errors: as FingerprintStore. Ids: 1 to 512 bytes of UTF-8 (the server's limit), otherwise Error(usage).
// The server may still execute a put() that was given up after a time-out, and so overwrite what was put under the same id soon afterwards.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "remote/fingerprint_store.h"
#include "remote/store_url.h"
#include "search/search_bulk.h"
#include "search/search_client.h"
#include "search/search_hits.h"
#include "search/search_layout.h"
#include "search/search_lease.h"

namespace leitong::search {

enum class SearchFilter : std::uint8_t { automatic, server, client };

struct SearchStoreSettings {
  net::HttpSettings http;
  std::string index;    // index or alias
  std::string refresh;  // parameter of _bulk: true, wait_for, false; empty: false
  SearchFilter filter = SearchFilter::automatic;
  std::size_t bulk_bytes = std::size_t{5} << 20;  // of one request
  std::size_t page = 2'000;                       // hits of one search; more are read shard by shard, by sequence number
  std::size_t searches_a_request = 8;
  std::chrono::seconds lease_wait{65};  // for compact(): the server frees retained operations every 30 s
};

class SearchStore final : public remote::FingerprintStore {
 public:
  SearchStore(SearchStoreSettings settings, SearchLayout layout);

  [[nodiscard]] unsigned largest_k() const override { return layout_.form.blocks - 1; }
  void put(std::span<const remote::FingerprintRow> rows) override;
  std::uint64_t erase(std::span<const std::string_view> ids) override;
  [[nodiscard]] std::vector<std::optional<std::uint64_t>> get(std::span<const std::string_view> ids) override;
  [[nodiscard]] std::vector<std::vector<remote::FoundRow>> find(std::span<const std::uint64_t> queries, unsigned k) override;
  // One reservation covers all fingerprints.
  [[nodiscard]] std::vector<bool> reserve(std::span<const std::uint64_t> fingerprints) override {
    return std::vector<bool>(fingerprints.size(), lease_.take());
  }
  [[nodiscard]] std::vector<bool> keep(std::span<const std::uint64_t> fingerprints) override {
    return std::vector<bool>(fingerprints.size(), lease_.keep());
  }
  [[nodiscard]] std::vector<bool> release(std::span<const std::uint64_t> fingerprints) override {
    return std::vector<bool>(fingerprints.size(), lease_.release());
  }
  remote::ScanPlace scan(const remote::ScanPlace& place, const std::function<void(const remote::FingerprintRow&)>& visit) override;
  [[nodiscard]] remote::StoreSize size() override;
  void refresh() override;
  void compact() override;
  void check() override;

 private:
  void put_own_ids(std::span<const remote::FingerprintRow* const> rows);
  void put_by_field(std::span<const remote::FingerprintRow* const> rows);
  void find_batch(std::span<const std::uint64_t> queries, unsigned k, std::span<std::vector<remote::FoundRow>> found);
  // Visits the documents that have one of the ids, with the index of the id in `ids`.
  void documents_of(std::span<const std::string_view> ids, const std::function<void(std::size_t, const SearchHit&)>& visit);
  void check_terms(const std::vector<std::pair<std::string, std::uint64_t>>& rows);
  void wait_for_leases();
  [[nodiscard]] bool server_filters() const { return scripts_ && layout_.doc_values; }
  [[nodiscard]] std::string path(std::string_view rest) const;

  SearchStoreSettings settings_;
  SearchLayout layout_;
  SearchClient client_;
  SearchHits hits_;
  SearchBulk bulk_;
  SearchLease lease_;
  bool scripts_;
  std::size_t together_;  // number of queries in one search
};

// The settings in an address. Throws Error(usage) for unknown ones.
[[nodiscard]] SearchStoreSettings search_settings(const remote::StoreUrl& url);

[[nodiscard]] std::unique_ptr<remote::StoreServer> connect_search(const remote::StoreUrl& url);

}  // namespace leitong::search
