// The public index: parts and a log behind one pointer that readers take and the writer replaces.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <tuple>

#include "hamming/hamming.h"
#include "hamming/index_file.h"
#include "hamming/index_parts.h"
#include "hamming/threads.h"
#include "leitong/error.h"
#include "leitong/hamming_index.h"

namespace leitong {
namespace {

using namespace hamming;

constexpr std::size_t kChunk = 1024;  // queries that are looked up and put in order at once

[[noreturn]] void misuse(const std::string& what) { throw Error(ErrorCode::usage, "Hamming index: " + what); }

void check_options(const HammingIndexOptions& options) {
  if (options.words != 1 && options.words != 2 && options.words != 4)
    misuse(fmt::format("words is {}; fingerprints have 1, 2 or 4 words of 64 bits", options.words));
  if (options.k > 64 * options.words) misuse(fmt::format("k is {}; it must be 0 to {}", options.k, 64 * options.words));
  if (options.threads == 0) misuse("threads is 0; use 1 or more");
}

bool in_order(const Found& a, const Found& b) { return std::tie(a.distance, a.id) < std::tie(b.distance, b.id); }

// Drops what later parts or the log erased from found[from …].
void drop_hidden(const IndexSnapshot& snapshot, std::size_t part, const IndexLog::View& view, std::vector<Found>& found, std::size_t from) {
  const auto hidden = [&](const Found& f) {
    for (std::size_t p = part + 1; p < snapshot.parts.size(); ++p) {
      if (snapshot.parts[p].erased && snapshot.parts[p].erased->contains(f.id)) return true;
    }
    return snapshot.log->hides_older(view, f.id);
  };
  const bool any =
      view.erased != 0 || std::any_of(snapshot.parts.begin(), snapshot.parts.end(), [](const IndexPart& p) { return p.erased != nullptr; });
  if (any) found.erase(std::remove_if(found.begin() + static_cast<std::ptrdiff_t>(from), found.end(), hidden), found.end());
}

// One reader's room, kept from call to call: making it anew would cost more than a look-up.
struct Scratch {
  std::vector<Found> found, ordered;
  std::array<std::uint32_t, kChunk + 1> ends;
};
Scratch& scratch() {
  thread_local Scratch kept;
  return kept;
}

void find_all(const IndexSnapshot& snapshot, const IndexLog::View& view, std::span<const std::uint64_t> queries, unsigned k,
              std::vector<Found>& found) {
  found.clear();
  for (std::size_t p = 0; p < snapshot.parts.size(); ++p) {
    const std::size_t from = found.size();
    if (snapshot.parts[p].run) snapshot.parts[p].run->find(queries, k, found);
    drop_hidden(snapshot, p, view, found, from);
  }
  snapshot.log->find(view, queries, k, found);
}

// At most kChunk queries: their matches to the end of `out`.
void find_chunk(const IndexSnapshot& snapshot, const IndexLog::View& view, std::span<const std::uint64_t> queries, unsigned words,
                unsigned k, HammingMatches& out) {
  Scratch& room = scratch();
  find_all(snapshot, view, queries, k, room.found);
  const std::size_t count = queries.size() / words;
  auto& ends = room.ends;
  std::fill_n(ends.begin(), count + 1, 0);
  for (const Found& f : room.found) ++ends[f.query + 1];
  for (std::size_t q = 0; q < count; ++q) ends[q + 1] += ends[q];
  room.ordered.resize(room.found.size());
  for (const Found& f : room.found) room.ordered[ends[f.query]++] = f;  // ends[q] is the end of q's now
  std::size_t first = 0;
  for (std::size_t q = 0; q < count; ++q) {
    if (ends[q] - first > 1) std::sort(room.ordered.begin() + static_cast<std::ptrdiff_t>(first), room.ordered.begin() + ends[q], in_order);
    for (; first < ends[q]; ++first) out.matches.push_back({room.ordered[first].id, room.ordered[first].distance});
    out.ends.push_back(out.matches.size());
  }
}

}  // namespace

class HammingIndex::State {
 public:
  explicit State(const HammingIndexOptions& options) : options_(options) {
    check_options(options);
    publish({});
  }
  State(const HammingIndexOptions& options, std::vector<IndexPart> parts) : options_(options) { publish(std::move(parts)); }

  [[nodiscard]] std::shared_ptr<const IndexSnapshot> snapshot() const { return snapshot_.load(std::memory_order_acquire); }
  [[nodiscard]] RunShape shape() const { return {options_.words, options_.k, options_.threads}; }
  [[nodiscard]] const HammingIndexOptions& options() const { return options_; }

  void check_radius(unsigned k) const {
    if (k > 64 * options_.words) misuse(fmt::format("k is {}; it must be 0 to {}", k, 64 * options_.words));
  }
  void check_row(std::size_t words) const {
    if (words != options_.words) misuse(fmt::format("a fingerprint of {} words was given to an index of {}", words, options_.words));
  }
  void check_rows(std::size_t words) const {
    if (words % options_.words != 0) misuse(fmt::format("{} words are not whole fingerprints of {}", words, options_.words));
  }

  void add_rows(std::span<const std::uint64_t> values, std::span<const std::uint64_t> ids) {
    check_rows(values.size());
    const std::size_t rows = values.size() / options_.words;
    if (!ids.empty() && ids.size() != rows) misuse(fmt::format("{} ids were given for {} fingerprints", ids.size(), rows));
    if (rows == 0) return;
    std::vector<IndexPart> parts = flushed();
    push_change(parts, {{values, ids, 0}, {}}, shape());
    publish(std::move(parts));
  }
  void add_one(std::uint64_t id, const std::uint64_t* value) {
    if (writing_->log->view().rows == IndexLog::kRoom) publish(flushed());
    writing_->log->add(id, value);
  }
  void erase(std::uint64_t id) {
    if (writing_->log->view().erased == IndexLog::kRoom) publish(flushed());
    writing_->log->erase(id);
  }
  void compact() { publish(compacted()); }

  // The parts and the log in as few runs as can be.
  [[nodiscard]] std::vector<IndexPart> compacted() const {
    const auto now = snapshot();
    std::vector<IndexPart> parts = now->parts;
    std::vector<std::uint64_t> values, ids;
    merge_all(parts, collected(*now, values, ids), shape());
    return parts;
  }

 private:
  static IndexChange collected(const IndexSnapshot& from, std::vector<std::uint64_t>& values, std::vector<std::uint64_t>& ids) {
    IndexChange change;
    from.log->collect(from.log->view(), values, ids, change.erased);
    change.rows = {values, ids, 0};
    return change;
  }
  // The parts with what the log holds.
  [[nodiscard]] std::vector<IndexPart> flushed() const {
    std::vector<IndexPart> parts = writing_->parts;
    const IndexLog::View view = writing_->log->view();
    if (view.rows == 0 && view.erased == 0) return parts;
    std::vector<std::uint64_t> values, ids;
    push_change(parts, collected(*writing_, values, ids), shape());
    return parts;
  }
  void publish(std::vector<IndexPart> parts) {
    auto next = std::make_shared<IndexSnapshot>();
    next->parts = std::move(parts);
    next->log = std::make_shared<IndexLog>(options_.words);
    writing_ = next;
    snapshot_.store(std::move(next), std::memory_order_release);
  }

  HammingIndexOptions options_;
  std::shared_ptr<const IndexSnapshot> writing_;  // the writer's own hold of the newest
  std::atomic<std::shared_ptr<const IndexSnapshot>> snapshot_;
};

HammingIndex::HammingIndex(const HammingIndexOptions& options) : state_(std::make_unique<State>(options)) {}
HammingIndex::HammingIndex(std::span<const std::uint64_t> values, std::span<const std::uint64_t> ids, const HammingIndexOptions& options)
    : state_(std::make_unique<State>(options)) {
  state_->add_rows(values, ids);
}
HammingIndex::~HammingIndex() = default;
HammingIndex::HammingIndex(HammingIndex&&) noexcept = default;
HammingIndex& HammingIndex::operator=(HammingIndex&&) noexcept = default;

std::vector<HammingMatch> HammingIndex::find(std::span<const std::uint64_t> query, unsigned k) const {
  state_->check_row(query.size());
  state_->check_radius(k);
  const auto snapshot = state_->snapshot();
  HammingMatches out;
  find_chunk(*snapshot, snapshot->log->view(), query, state_->options().words, k, out);
  return std::move(out.matches);
}

void HammingIndex::find_batch(std::span<const std::uint64_t> queries, unsigned k, HammingMatches& out) const {
  state_->check_rows(queries.size());
  state_->check_radius(k);
  const unsigned words = state_->options().words;
  const std::size_t count = queries.size() / words;
  const auto snapshot = state_->snapshot();
  const IndexLog::View view = snapshot->log->view();
  const auto find_share = [&](std::size_t begin, std::size_t end, HammingMatches& into) {
    for (std::size_t at = begin; at < end; at += kChunk)
      find_chunk(*snapshot, view, queries.subspan(at * words, std::min(kChunk, end - at) * words), words, k, into);
  };
  out.matches.clear();
  out.ends.clear();
  const auto threads = static_cast<unsigned>(std::min<std::size_t>(state_->options().threads, (count + kChunk - 1) / kChunk));
  if (threads <= 1) return find_share(0, count, out);
  std::vector<HammingMatches> shares(threads);
  in_shares(threads, count, [&](unsigned thread, std::size_t begin, std::size_t end) { find_share(begin, end, shares[thread]); });
  for (const HammingMatches& share : shares) {
    const std::size_t base = out.matches.size();
    out.matches.insert(out.matches.end(), share.matches.begin(), share.matches.end());
    for (const std::size_t end : share.ends) out.ends.push_back(base + end);
  }
}

std::vector<HammingMatch> HammingIndex::nearest(std::span<const std::uint64_t> query, std::size_t count) const {
  state_->check_row(query.size());
  const auto snapshot = state_->snapshot();
  const IndexLog::View view = snapshot->log->view();
  const unsigned bits = 64 * state_->options().words;
  std::uint64_t rows = view.rows;
  for (const IndexPart& part : snapshot->parts) rows += part.rows();
  std::vector<Found>& found = scratch().found;
  found.clear();
  // A radius costs several times the one before it until all is scanned; from there on, it should seldom be needed twice.
  for (unsigned k = count >= rows ? bits : 3; count > 0; k = std::min(bits, k < 12 ? k + 2 : k + 3 * state_->options().words)) {
    find_all(*snapshot, view, query, k, found);
    if (found.size() >= count || k == bits) break;
  }
  const auto end = found.begin() + static_cast<std::ptrdiff_t>(std::min(count, found.size()));
  std::partial_sort(found.begin(), end, found.end(), in_order);
  std::vector<HammingMatch> out;
  for (auto f = found.begin(); f != end; ++f) out.push_back({f->id, f->distance});
  return out;
}

void HammingIndex::add(std::uint64_t id, std::span<const std::uint64_t> value) {
  state_->check_row(value.size());
  state_->add_one(id, value.data());
}

void HammingIndex::add(std::span<const std::uint64_t> ids, std::span<const std::uint64_t> values) {
  const unsigned words = state_->options().words;
  state_->check_rows(values.size());
  if (ids.size() != values.size() / words) misuse(fmt::format("{} ids were given for {} fingerprints", ids.size(), values.size() / words));
  if (ids.size() > IndexLog::kRoom) return state_->add_rows(values, ids);
  for (std::size_t i = 0; i < ids.size(); ++i) state_->add_one(ids[i], values.data() + i * words);
}

void HammingIndex::erase(std::uint64_t id) { state_->erase(id); }
void HammingIndex::compact() { state_->compact(); }

std::uint64_t HammingIndex::rows() const {
  const auto snapshot = state_->snapshot();
  std::uint64_t rows = snapshot->log->view().rows;
  for (const IndexPart& part : snapshot->parts) rows += part.rows();
  return rows;
}

std::uint64_t HammingIndex::bytes() const {
  const auto snapshot = state_->snapshot();
  std::uint64_t bytes = snapshot->log->bytes();
  for (const IndexPart& part : snapshot->parts) bytes += (part.run ? part.run->bytes() : 0) + (part.erased ? part.erased->bytes() : 0);
  return bytes;
}

const HammingIndexOptions& HammingIndex::options() const { return state_->options(); }

std::string HammingIndex::plan(unsigned k) const {
  state_->check_radius(k);
  const auto snapshot = state_->snapshot();
  const IndexLog::View view = snapshot->log->view();
  double nanoseconds = 0;
  std::string words;
  std::uint64_t largest = 0, runs = 0;
  for (const IndexPart& part : snapshot->parts) {
    if (!part.run) continue;
    const RunPlan plan = part.run->plan(k);
    nanoseconds += plan.nanoseconds;
    ++runs;
    if (part.rows() > largest) {
      largest = part.rows();
      words = plan.words;
    }
  }
  constexpr double kScannedRow = 0.4;
  nanoseconds += kScannedRow * view.rows * state_->options().words;
  std::string out = fmt::format("{} rows in {} run{}", rows(), runs, runs == 1 ? "" : "s");
  if (runs > 0) out += fmt::format("{}: {}", runs == 1 ? "" : ", the largest", words);
  if (view.rows > 0) out += fmt::format("; {} rows not yet in a run are scanned", view.rows);
  return out + fmt::format("; about {:.0f} ns a query in batches", nanoseconds);
}

void HammingIndex::save(const std::string& path) const {
  const auto parts = state_->compacted();
  write_index(storage::posix_vfs(), path, state_->options(), parts);
}

HammingIndex HammingIndex::map(const std::string& path) {
  MappedIndex mapped = map_index(storage::posix_vfs(), path);
  HammingIndex index;
  index.state_ = std::make_unique<State>(mapped.options, std::move(mapped.parts));
  return index;
}

void HammingIndex::check(const std::string& path) { check_index(storage::posix_vfs(), path); }

}  // namespace leitong
