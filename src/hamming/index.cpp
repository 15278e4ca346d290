// The public index: parts and a log behind one pointer that readers take and the writer replaces.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "hamming/hamming.h"
#include "hamming/index_file.h"
#include "hamming/index_nearest.h"
#include "hamming/index_parts.h"
#include "hamming/published.h"
#include "hamming/threads.h"
#include "leitong/error.h"
#include "leitong/hamming_index.h"

namespace leitong {
namespace {

using namespace hamming;

constexpr std::size_t chunk_size = 1024;        // queries that are looked up and put in order at once,
constexpr std::size_t first_chunk = 128;        // and so many before it is known what they bring
constexpr std::size_t most_matches = 1U << 20;  // that a chunk should bring at most

[[noreturn]] void misuse(const std::string& what) { throw Error(ErrorCode::usage, "Hamming index: " + what); }

void check_options(const HammingIndexOptions& options) {
  if (options.words != 1 && options.words != 2 && options.words != 4)
    misuse(fmt::format("words is {}; fingerprints have 1, 2 or 4 words of 64 bits", options.words));
  if (options.k > 64 * options.words) misuse(fmt::format("k is {}; it must be 0 to {}", options.k, 64 * options.words));
  if (options.threads == 0) misuse("threads is 0; use 1 or more");
}

// Whether anything of what the parts hold is hidden.
bool hides_any(const IndexSnapshot& snapshot, const IndexLog::View& view) {
  return view.erased != 0 ||
         std::any_of(snapshot.parts.begin(), snapshot.parts.end(), [](const IndexPart& p) { return p.erased != nullptr; });
}

// Whether later parts or the log erased the rows that a part has under an id.
bool is_hidden(const IndexSnapshot& snapshot, std::size_t part, const IndexLog::View& view, std::uint64_t id) {
  for (std::size_t p = part + 1; p < snapshot.parts.size(); ++p) {
    if (snapshot.parts[p].erased && snapshot.parts[p].erased->contains(id)) return true;
  }
  return snapshot.log->hides_older(view, id);
}

// One reader's room, kept from call to call: making it anew would cost more than a look-up.
struct Scratch {
  std::vector<Found> found, ordered;
  std::array<std::size_t, chunk_size + 1> ends;
  void give_back() {  // what one large answer took
    if (std::max(found.capacity(), ordered.capacity()) <= 4 * most_matches) return;
    std::vector<Found>().swap(found);
    std::vector<Found>().swap(ordered);
  }
};
Scratch& scratch() {
  thread_local Scratch kept;
  return kept;
}

void find_all(const IndexSnapshot& snapshot, const IndexLog::View& view, std::span<const std::uint64_t> queries, unsigned k,
              std::vector<Found>& found) {
  struct Room {  // one reader's, kept from call to call
    std::vector<const Run*> runs;
    std::vector<std::size_t> parts;  // of the runs
    std::vector<std::vector<Found>> found;
    std::vector<std::vector<Found>*> into;
  };
  thread_local Room room;
  found.clear();
  room.runs.clear();
  room.parts.clear();
  room.into.clear();
  room.found.resize(std::max(room.found.size(), snapshot.parts.size()));
  for (std::size_t p = 0; p < snapshot.parts.size(); ++p) {
    if (!snapshot.parts[p].run) continue;
    room.runs.push_back(snapshot.parts[p].run.get());
    room.parts.push_back(p);
    // What the first finds needs no copy.
    room.into.push_back(room.into.empty() ? &found : &room.found[p]);
    room.into.back()->clear();
  }
  find_in_runs(room.runs, queries, k, room.into);
  const bool hides = hides_any(snapshot, view);
  for (std::size_t i = 0; i < room.runs.size(); ++i) {
    std::vector<Found>& from = *room.into[i];
    const auto hidden = [&](const Found& f) { return is_hidden(snapshot, room.parts[i], view, f.id); };
    if (hides) std::erase_if(from, hidden);
    if (i == 0) continue;
    found.insert(found.end(), from.begin(), from.end());
    give_back(from);
  }
  snapshot.log->find(view, queries, k, found);
}

// At most chunk_size queries: their matches to the end of `out`.
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
    if (ends[q] - first > 1) std::sort(room.ordered.data() + first, room.ordered.data() + ends[q], is_nearer);
    for (; first < ends[q]; ++first) out.matches.push_back({room.ordered[first].id, room.ordered[first].distance});
    out.ends.push_back(out.matches.size());
  }
  room.give_back();
}

// Any number of queries, in chunks that are smaller where each brings many matches.
void find_in_chunks(const IndexSnapshot& snapshot, const IndexLog::View& view, std::span<const std::uint64_t> queries, unsigned words,
                    unsigned k, HammingMatches& out) {
  std::size_t chunk = first_chunk;
  for (std::size_t at = 0, all = queries.size() / words; at < all;) {
    const std::size_t count = std::min(chunk, all - at), before = out.matches.size();
    find_chunk(snapshot, view, queries.subspan(at * words, count * words), words, k, out);
    at += count;
    chunk = std::clamp<std::size_t>(count * most_matches / std::max<std::size_t>(out.matches.size() - before, 1), 1, chunk_size);
  }
}

double cost_of(const IndexSnapshot& snapshot, unsigned k) {
  double nanoseconds = 0;
  for (const IndexPart& part : snapshot.parts) nanoseconds += part.run ? part.run->cost(k) : 0;
  return nanoseconds;
}

// Looks within 3, 5, 7, … bits for as long as that is much cheaper than comparing every row. False: there were fewer than `count`.
bool find_enough(const IndexSnapshot& snapshot, const IndexLog::View& view, std::span<const std::uint64_t> query, std::size_t count,
                 std::vector<Found>& found) {
  constexpr double alone = 4;  // times what the model says of a query in a batch
  const double all = cost_of(snapshot, static_cast<unsigned>(64 * query.size()));
  for (unsigned k = 3; alone * cost_of(snapshot, k) < all; k += 2) {
    find_all(snapshot, view, query, k, found);
    if (found.size() >= count) return true;
  }
  return false;
}

// One pass over all rows.
void find_nearest(const IndexSnapshot& snapshot, const IndexLog::View& view, std::span<const std::uint64_t> query, std::size_t count,
                  std::vector<Found>& found) {
  Nearest best(count, static_cast<unsigned>(64 * query.size()));
  const bool hides = hides_any(snapshot, view);
  for (std::size_t p = 0; p < snapshot.parts.size(); ++p) {
    if (!snapshot.parts[p].run) continue;
    if (hides) best.hide([&, p](std::uint64_t id) { return is_hidden(snapshot, p, view, id); });
    snapshot.parts[p].run->nearest(query, best);
  }
  best.hide({});
  found.clear();
  snapshot.log->find(view, query, best.radius(), found);
  for (const Found& f : found) best.offer(f.distance, f.id);
  found = best.rows();
}

}  // namespace

class HammingIndex::State {
 public:
  explicit State(const HammingIndexOptions& options) : options_(options) {
    check_options(options);
    publish({});
  }
  State(const HammingIndexOptions& options, std::vector<IndexPart> parts) : options_(options) { publish(std::move(parts)); }

  [[nodiscard]] std::shared_ptr<const IndexSnapshot> snapshot() const { return snapshot_.get(); }
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
    if (writing_->log->view().rows == writing_->log->room()) publish(flushed());
    writing_->log->add(id, value);
  }
  void erase(std::uint64_t id) {
    if (writing_->log->is_erased(id)) return;
    if (writing_->log->view().erased == IndexLog::small_log_rows) publish(flushed());
    writing_->log->erase(id);
  }
  void compact() {
    publish(compacted());
    snapshot_.leave_to_readers();  // this may be the last change for long
  }

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
    // What is added to few rows is compared with them soon enough, and takes little memory.
    std::uint64_t rows = 0;
    for (const IndexPart& part : next->parts) rows += part.rows();
    const bool chained = options_.words == 1 && options_.k <= IndexLog::chained_most_k && rows >= IndexLog::large;
    next->log = std::make_shared<IndexLog>(options_.words, chained ? IndexLog::Form::chained : IndexLog::Form::small);
    writing_ = next;
    snapshot_.set(std::move(next));
  }

  HammingIndexOptions options_;
  std::shared_ptr<const IndexSnapshot> writing_;  // the writer's own hold of the newest
  Published<IndexSnapshot> snapshot_;
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
  out.matches.clear();
  out.ends.clear();
  const auto threads = static_cast<unsigned>(std::min<std::size_t>(state_->options().threads, (count + chunk_size - 1) / chunk_size));
  if (threads <= 1) return find_in_chunks(*snapshot, view, queries, words, k, out);
  std::vector<HammingMatches> shares(threads);
  in_shares(threads, count, [&](unsigned thread, std::size_t begin, std::size_t end) {
    find_in_chunks(*snapshot, view, queries.subspan(begin * words, (end - begin) * words), words, k, shares[thread]);
  });
  for (const HammingMatches& share : shares) {
    const std::size_t base = out.matches.size();
    out.matches.insert(out.matches.end(), share.matches.begin(), share.matches.end());
    for (const std::size_t end : share.ends) out.ends.push_back(base + end);
  }
}

std::vector<HammingMatch> HammingIndex::nearest(std::span<const std::uint64_t> query, std::size_t count) const {
  state_->check_row(query.size());
  if (count == 0) return {};
  const auto snapshot = state_->snapshot();
  const IndexLog::View view = snapshot->log->view();
  std::vector<Found>& found = scratch().found;
  if (!find_enough(*snapshot, view, query, count, found)) find_nearest(*snapshot, view, query, count, found);
  const auto end = found.begin() + static_cast<std::ptrdiff_t>(std::min(count, found.size()));
  std::partial_sort(found.begin(), end, found.end(), is_nearer);
  std::vector<HammingMatch> out;
  for (auto f = found.begin(); f != end; ++f) out.push_back({f->id, f->distance});
  scratch().give_back();
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
  if (ids.size() > IndexLog::small_log_rows) return state_->add_rows(values, ids);
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
  const double compared = snapshot->log->compared(view, k);
  double nanoseconds = compared_word * compared * state_->options().words;
  std::string words;
  std::uint64_t largest = 0, runs = 0, rows = view.rows;
  for (const IndexPart& part : snapshot->parts) {
    if (!part.run) continue;
    nanoseconds += part.run->cost(k);
    rows += part.rows();
    ++runs;
    if (part.rows() > largest) {
      largest = part.rows();
      words = part.run->plan(k);
    }
  }
  std::string out = fmt::format("{} rows in {} run{}", rows, runs, runs == 1 ? "" : "s");
  if (runs > 0) out += fmt::format("{}: {}", runs == 1 ? "" : ", the largest", words);
  if (view.rows > 0) out += fmt::format("; {} rows not yet in a run, some {:.0f} of them compared", view.rows, compared);
  return out + fmt::format("; about {:.0f} ns a query in batches", nanoseconds);
}

void HammingIndex::save(const std::string& path) const {
  const auto parts = state_->compacted();
  write_index(storage::posix_vfs(), path, state_->options(), parts);
}

HammingIndex HammingIndex::map(const std::string& path, unsigned threads) {
  MappedIndex mapped = map_index(storage::posix_vfs(), path);
  mapped.options.threads = threads;
  check_options(mapped.options);
  HammingIndex index;
  index.state_ = std::make_unique<State>(mapped.options, std::move(mapped.parts));
  return index;
}

void HammingIndex::check(const std::string& path) { check_index(storage::posix_vfs(), path); }

}  // namespace leitong
