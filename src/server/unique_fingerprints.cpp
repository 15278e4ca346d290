#include "server/unique_fingerprints.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace leitong::server {
namespace {

using Documents = std::span<const Document* const>;

// The better of two matches as queries order them; one of the own id before all.
bool is_better(const CollectionMatch& a, const CollectionMatch& b, std::string_view own) {
  const auto rank = [own](const CollectionMatch& match) { return std::pair(match.id != own, match.distance.value_or(~0U)); };
  return rank(a) < rank(b);
}

class Addition {
 public:
  Addition(Collection& collection, Documents documents, const CollectionQuery& query) : collection_(collection), documents_(documents) {
    query_.k = query.k.value_or(collection.options().k);
    query_.verify = query.verify;
  }

  std::vector<CollectionOutcome> run() {
    std::vector<Fingerprint> fingerprints;
    std::vector<std::string_view> ids;
    for (const Document* one : documents_) {
      fingerprints.push_back(*one->fingerprint);
      ids.push_back(one->id);
    }
    const std::vector<CollectionAnswer> answers = collection_.query_all(fingerprints, query_);
    const auto stored = collection_.get_all(ids);
    std::vector<CollectionOutcome> out(documents_.size());
    for (std::size_t i = 0; i < documents_.size(); ++i) {
      out[i].match = match_of(i, answers[i]);
      out[i].truncated = answers[i].truncated;
      out[i].present = out[i].match && out[i].match->id == documents_[i]->id;
      if (out[i].match) continue;
      out[i].added = true;
      out[i].replaced = stored[i].has_value() || added_.contains(documents_[i]->id);
      added_[documents_[i]->id] = i;
    }
    add();
    return out;
  }

 private:
  // What is stored, unless this call has replaced it, and what this call has added.
  [[nodiscard]] std::optional<CollectionMatch> match_of(std::size_t row, const CollectionAnswer& answer) const {
    std::optional<CollectionMatch> best;
    const std::string_view own = documents_[row]->id;
    const auto take = [&](const CollectionMatch& match) {
      if (!best || is_better(match, *best, own)) best = match;
    };
    for (const CollectionMatch& match : answer.matches)
      if (!added_.contains(match.id)) take(match);
    for (const auto& [id, added] : added_) {
      const unsigned bits = distance(*documents_[added]->fingerprint, *documents_[row]->fingerprint);
      if (bits > *query_.k) continue;
      CollectionMatch match;
      match.id = id;
      match.distance = bits;
      match.imported = true;
      take(match);
    }
    return best;
  }
  void add() {
    std::vector<std::size_t> rows;
    for (const auto& [id, row] : added_) rows.push_back(row);
    std::sort(rows.begin(), rows.end());
    std::vector<CollectionFingerprint> out;
    for (const std::size_t row : rows) out.push_back({documents_[row]->id, *documents_[row]->fingerprint, documents_[row]->metadata});
    if (!out.empty()) collection_.add_fingerprints(out, Acknowledge::buffered);
  }

  Collection& collection_;
  Documents documents_;
  CollectionQuery query_;
  std::unordered_map<std::string_view, std::size_t> added_;  // id to row; the last of an id
};

}  // namespace

std::vector<CollectionOutcome> add_unique_fingerprints(Collection& collection, Documents documents, const CollectionQuery& query) {
  return Addition(collection, documents, query).run();
}

}  // namespace leitong::server
