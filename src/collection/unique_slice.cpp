#include "collection/unique_slice.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <exception>
#include <numeric>
#include <random>
#include <set>
#include <thread>

#include "collection/backend.h"

namespace leitong::collection {
namespace {

using remote::FingerprintRow;
using remote::FingerprintStore;
using remote::FoundRow;
using std::chrono::milliseconds;

constexpr unsigned most_doublings = 6;  // pauses grow from 1 ms, doubling at most this often

}  // namespace

unsigned bits_between(std::uint64_t a, std::uint64_t b) { return static_cast<unsigned>(std::popcount(a ^ b)); }

CollectionMatch match_of(const FoundRow& row) {
  CollectionMatch match;
  match.id = row.id;
  match.distance = row.distance;
  match.fingerprint = Fingerprint{{row.fingerprint}, 64};
  return match;
}

UniqueSlice::UniqueSlice(Place place, std::span<const CollectionDocument> documents,
                         std::span<const std::optional<std::uint64_t>> fingerprints, unsigned k)
    : place_(std::move(place)), documents_(documents), fingerprints_(fingerprints), k_(k), out_(documents.size()) {}

std::vector<CollectionOutcome> UniqueSlice::run() {
  Indices waiting(documents_.size());
  std::iota(waiting.begin(), waiting.end(), std::size_t{0});
  while (!waiting.empty()) {
    Indices rest = round(waiting);
    if (rest.size() == waiting.size()) {
      pause();
    } else {
      pauses_ = 0;
    }
    waiting = std::move(rest);
  }
  return std::move(out_);
}

// Pauses have random lengths, so that two writers do not collide again and again.
void UniqueSlice::pause() {
  thread_local std::mt19937 random(std::random_device{}());
  const unsigned most = 1U << std::min(pauses_++, most_doublings);
  std::this_thread::sleep_for(milliseconds(1 + random() % most));
}

std::vector<std::uint64_t> UniqueSlice::values_of(const Indices& documents) const {
  std::vector<std::uint64_t> values;
  for (const std::size_t i : documents) values.push_back(*fingerprints_[i]);
  return values;
}

std::vector<bool> UniqueSlice::ask_rights(std::vector<bool> (FingerprintStore::*what)(std::span<const std::uint64_t>),
                                          const Indices& documents) {
  const std::vector<std::uint64_t> values = values_of(documents);
  std::vector<bool> flags;
  place_.use([&](FingerprintStore& store) { flags = (store.*what)(values); });
  return flags;
}

// If the release fails, the reservations expire by themselves.
void UniqueSlice::give_back(const Indices& documents) noexcept {
  try {
    (void)ask_rights(&FingerprintStore::release, documents);
  } catch (const std::exception&) {
  }
}

std::vector<std::vector<FoundRow>> UniqueSlice::look_up(const Indices& documents, bool fresh) {
  const std::vector<std::uint64_t> values = values_of(documents);
  std::vector<std::vector<FoundRow>> found;
  place_.use([&](FingerprintStore& store) {
    if (fresh) store.refresh();  // to see what other writers have put
    found = store.find(values, k_);
  });
  return found;
}

// While other writers hold all reservations that this one wants, one look-up shows whether they have put something near.
bool UniqueSlice::first_is_answered(const Indices& waiting) { return !look_up({waiting.front()}, false)[0].empty(); }

UniqueSlice::Indices UniqueSlice::round(const Indices& waiting) {
  Indices asked, held;
  std::copy_if(waiting.begin(), waiting.end(), std::back_inserter(asked), [&](std::size_t i) { return fingerprints_[i].has_value(); });
  std::vector<bool> rights(documents_.size(), true);  // indexed by document
  if (!asked.empty()) {
    const std::vector<bool> ours = ask_rights(&FingerprintStore::reserve, asked);
    for (std::size_t i = 0; i < asked.size(); ++i) {
      rights[asked[i]] = ours[i];
      if (ours[i]) held.push_back(asked[i]);
    }
    if (held.empty() && asked.size() == waiting.size() && !first_is_answered(asked)) return waiting;
  }
  const auto began = std::chrono::steady_clock::now();
  try {
    Near near;
    near.found.resize(documents_.size());
    if (!asked.empty()) {
      auto found = look_up(asked, !held.empty());
      for (std::size_t i = 0; i < asked.size(); ++i) near.found[asked[i]] = std::move(found[i]);
    }
    std::vector<std::string_view> ids;
    for (const CollectionDocument& document : documents_) ids.push_back(document.id);
    place_.use([&](FingerprintStore& store) { near.before = store.knows_ids() ? store.get(ids) : decltype(near.before)(ids.size()); });
    if (!held.empty() && std::chrono::steady_clock::now() - began > remote::reservation_time / 4) {
      const std::vector<bool> still = ask_rights(&FingerprintStore::keep, held);
      for (std::size_t i = 0; i < held.size(); ++i) rights[held[i]] = still[i];
    }
    Added added;
    Indices rest = decide(waiting, near, rights, added);
    put(added);
    if (held.empty()) return rest;
    const std::vector<bool> unbroken = ask_rights(&FingerprintStore::release, held);
    for (std::size_t i = 0; i < held.size(); ++i) {
      const auto of_id = added.find(documents_[held[i]].id);
      if (!unbroken[i] && of_id != added.end() && of_id->second == held[i]) settle(held[i]);
    }
    return rest;
  } catch (...) {
    give_back(held);
    throw;
  }
}

UniqueSlice::Indices UniqueSlice::decide(const Indices& waiting, const Near& near, const std::vector<bool>& held, Added& added) {
  Indices rest;
  std::set<std::string_view> later;
  for (const std::size_t i : waiting) {
    const std::string_view own = documents_[i].id;
    if (later.contains(own)) {  // an earlier document with the same id must be decided first
      rest.push_back(i);
      continue;
    }
    if (const auto best = best_of(i, near.found[i], added)) {
      refuse(i, *best);
      continue;
    }
    if (!held[i]) {
      later.insert(own);
      rest.push_back(i);
      continue;
    }
    const auto again = added.find(own);
    out_[i].replaced = again != added.end() ? fingerprints_[again->second].has_value() : near.before[i].has_value();
    out_[i].added = true;
    added[own] = i;
  }
  return rest;
}

// Documents added earlier in the same round are not in the store yet, so they are compared here.
std::optional<CollectionMatch> UniqueSlice::best_of(std::size_t document, std::span<const FoundRow> found, const Added& added) const {
  std::vector<CollectionMatch> matches;
  for (const FoundRow& row : found)
    if (!added.contains(row.id)) matches.push_back(match_of(row));
  if (fingerprints_[document]) {
    for (const auto& [id, other] : added) {
      if (!fingerprints_[other]) continue;
      const unsigned distance = bits_between(*fingerprints_[other], *fingerprints_[document]);
      if (distance <= k_) matches.push_back(match_of({std::string(id), *fingerprints_[other], distance}));
    }
  }
  const std::string_view own = documents_[document].id;
  const auto best = std::min_element(matches.begin(), matches.end(), [&](const CollectionMatch& a, const CollectionMatch& b) {
    return (a.id == own) != (b.id == own) ? a.id == own : is_better(a, b);
  });
  return best == matches.end() ? std::nullopt : std::optional(*best);
}

void UniqueSlice::refuse(std::size_t document, const CollectionMatch& match) {
  out_[document] = {};
  out_[document].present = match.id == documents_[document].id;
  out_[document].match = match;
}

void UniqueSlice::put(const Added& added) {
  std::vector<FingerprintRow> rows;
  std::vector<std::string_view> without;
  for (const auto& [id, document] : added) {
    if (fingerprints_[document]) {
      rows.push_back({id, *fingerprints_[document]});
    } else {
      without.push_back(id);
    }
  }
  if (!added.empty()) place_.put(rows, without);
}

// Another writer may have put a similar document since the look-up. If so, this one is erased again; a store that cannot erase keeps both.
void UniqueSlice::settle(std::size_t document) {
  const Indices one = {document};
  for (;;) {
    if (!ask_rights(&FingerprintStore::reserve, one)[0]) {
      pause();
      continue;
    }
    const std::string_view own = documents_[document].id;
    const std::vector<FoundRow> found = look_up(one)[0];
    const auto other = std::find_if(found.begin(), found.end(), [&](const FoundRow& row) { return row.id != own; });
    if (other != found.end()) {
      place_.use([&](FingerprintStore& store) {
        if (!store.knows_ids()) return;
        (void)store.erase({&own, 1});
        refuse(document, match_of(*other));
      });
    }
    if (ask_rights(&FingerprintStore::release, one)[0]) return;
    if (!out_[document].added) return;
  }
}

}  // namespace leitong::collection
