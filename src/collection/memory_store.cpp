#include "collection/memory_store.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>

#include "leitong/hamming_index.h"

namespace leitong::collection {
namespace {

constexpr unsigned bit_count = 64;
constexpr std::size_t rows_at_once = 4'096;  // rows that one call of scan() visits
constexpr std::uint64_t bytes_of_node = 80;  // of the maps, approximately

class MemoryStore : public remote::FingerprintStore {
 public:
  explicit MemoryStore(unsigned k) : index_({.words = 1, .k = k, .threads = 1}) {}

  [[nodiscard]] unsigned largest_k() const override { return bit_count; }

  void put(std::span<const remote::FingerprintRow> rows) override {
    for (const remote::FingerprintRow& row : rows) {
      const auto [at, is_new] = rows_.try_emplace(std::string(row.id));
      if (!is_new) {
        if (at->second.fingerprint == row.fingerprint) continue;
        forget(at->second.number);
      }
      at->second = {next_, row.fingerprint};
      ids_.emplace(next_, &at->first);
      index_.add(next_++, row.fingerprint);
    }
  }

  std::uint64_t erase(std::span<const std::string_view> ids) override {
    std::uint64_t erased = 0;
    for (const std::string_view id : ids) {
      const auto at = rows_.find(id);
      if (at == rows_.end()) continue;
      forget(at->second.number);
      rows_.erase(at);
      ++erased;
    }
    return erased;
  }

  [[nodiscard]] std::vector<std::optional<std::uint64_t>> get(std::span<const std::string_view> ids) override {
    std::vector<std::optional<std::uint64_t>> out;
    for (const std::string_view id : ids) {
      const auto at = rows_.find(id);
      out.push_back(at == rows_.end() ? std::nullopt : std::optional(at->second.fingerprint));
    }
    return out;
  }

  [[nodiscard]] std::vector<std::vector<remote::FoundRow>> find(std::span<const std::uint64_t> queries, unsigned k) override {
    std::vector<std::vector<remote::FoundRow>> out(queries.size());
    HammingMatches matches;
    index_.find_batch(queries, k, matches);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      for (const HammingMatch& match : matches.of(i)) {
        const std::string& id = *ids_.at(match.id);
        out[i].push_back({id, rows_.find(id)->second.fingerprint, match.distance});
      }
      std::sort(out[i].begin(), out[i].end(), [](const remote::FoundRow& a, const remote::FoundRow& b) {
        return a.distance != b.distance ? a.distance < b.distance : a.id < b.id;
      });
    }
    return out;
  }

  // A position is a marker character followed by the id of the last visited row, so that no position is the empty string.
  remote::ScanPlace scan(const remote::ScanPlace& place, const std::function<void(const remote::FingerprintRow&)>& visit) override {
    auto at = place.empty() ? rows_.begin() : rows_.upper_bound(std::string_view(place).substr(1));
    for (std::size_t i = 0; i < rows_at_once && at != rows_.end(); ++i, ++at) visit({at->first, at->second.fingerprint});
    return at == rows_.end() ? "" : "=" + std::prev(at)->first;
  }

  [[nodiscard]] remote::StoreSize size() override { return {rows_.size(), index_.bytes() + rows_.size() * 2 * bytes_of_node, "memory"}; }
  void refresh() override {}
  void compact() override { index_.compact(); }
  void check() override {}

 private:
  struct Row {
    std::uint64_t number = 0, fingerprint = 0;
  };
  void forget(std::uint64_t number) {
    index_.erase(number);
    ids_.erase(number);
  }

  std::map<std::string, Row, std::less<>> rows_;
  std::unordered_map<std::uint64_t, const std::string*> ids_;
  std::uint64_t next_ = 0;
  HammingIndex index_;
};

}  // namespace

std::unique_ptr<remote::FingerprintStore> make_memory_store(unsigned k) { return std::make_unique<MemoryStore>(k); }

}  // namespace leitong::collection
