// A collection in a directory: documents, texts and profiles on top of the store of rows.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <random>
#include <thread>
#include <unordered_set>

#include "collection/backend.h"
#include "collection/cluster_changes.h"
#include "collection/collection_about.h"
#include "collection/collection_clusters.h"
#include "collection/collection_keys.h"
#include "collection/collection_row.h"
#include "hamming/bits.h"
#include "hamming/threads.h"
#include "job/job.h"
#include "job/pool.h"
#include "leitong/error.h"
#include "similarity/measures.h"
#include "similarity/near_check.h"
#include "similarity/thresholds.h"
#include "stages/candidate_plan.h"
#include "store/manifest.h"
#include "store/store.h"

namespace leitong::collection {
namespace {

constexpr std::uint64_t bytes_to_merge_row = 100, bytes_to_merge_key = 20;
constexpr std::size_t most_candidates = 10'000;  // of one query

// The same tokens in the same order. A blank text equals no other.
bool is_equal(const fingerprint::Sketch& a, const SketchView& b) { return a.content == b.content && (a.content[0] | a.content[1]) != 0; }

std::uint64_t first_of(const ScanPlace& place) {
  std::uint64_t first = 0;
  std::from_chars(place.data(), place.data() + place.size(), first);
  return first;
}

// Files are not verified when they are read. A damaged file may give impossible clusters; they must end in an error.
void require_possible(const SavedClusters& clusters, const std::string& directory) {
  if (impossible_row(clusters))
    throw Error(ErrorCode::format,
                fmt::format("{0}: sequence numbers make no sense, so a file is damaged; run leitong collection check {0}", directory));
}

std::uint64_t random_key() {
  std::random_device random;
  const std::uint64_t key = std::uint64_t{random()} << 32U | random();
  return key | 1U;  // 0 means none
}

class DirectoryCollection : public CollectionBackend {
 public:
  DirectoryCollection(const std::string& directory, Access access, const CollectionOpen& open)
      : about_(about_of(directory, open)),
        store_(storage::posix_vfs(), directory, access, limits_of(open, about_.bands), keys_of_documents(about_.bands)),
        sketchers_([this] { return std::make_unique<fingerprint::Sketcher>(about_.options.profile); }),
        directory_(directory),
        only_stored_(open.only_stored),
        threads_(threads_of(open)) {}

  [[nodiscard]] const CollectionOptions& options() const override { return about_.options; }
  [[nodiscard]] const std::string& profile_id() const override { return about_.profile_id; }

  std::uint64_t add(std::span<const CollectionDocument> documents, Acknowledge acknowledge) override;
  std::uint64_t add(std::span<const CollectionFingerprint> fingerprints, Acknowledge acknowledge) override;
  std::unique_ptr<Load> load() override;
  std::vector<CollectionOutcome> add_unique(std::span<const CollectionDocument> documents, const CollectionQuery& query,
                                            Acknowledge acknowledge) override;
  std::uint64_t erase(std::span<const std::string_view> ids, Acknowledge acknowledge) override;
  [[nodiscard]] std::vector<CollectionAnswer> query(std::span<const std::string_view> texts, const CollectionQuery& query) override;
  [[nodiscard]] std::vector<CollectionAnswer> query(std::span<const Fingerprint> fingerprints, const CollectionQuery& query) override;
  [[nodiscard]] std::optional<CollectionAnswer> query_id(std::string_view id, const CollectionQuery& query) override;
  [[nodiscard]] std::vector<std::optional<CollectionEntry>> get(std::span<const std::string_view> ids) override;
  void scan(const ScanPlace& from, const std::function<void(const CollectionEntry&)>& visit,
            const std::function<void(const ScanPlace&)>& reached) override;
  [[nodiscard]] CollectionStats stats() override;
  CollectionClusterState update_clusters(const CollectionClusterOptions& options,
                                         const std::function<void(const CollectionClusterChange&)>& tell) override;
  CollectionClusterState clusters(const std::function<void(const CollectionCluster&)>& visit) override;
  void sync() override { store_.sync(); }
  void compact() override { store_.compact(); }
  void refresh() override { store_.refresh(); }
  void close() override { store_.close(); }
  void check() override;
  void backup(const std::string& directory) override;

 private:
  class LoadOfRows;

  // A document in the form in which it is stored, and its sketch.
  struct Prepared {
    StoredDocument stored;
    fingerprint::Sketch sketch;
  };
  std::vector<Prepared> prepare(std::span<const CollectionDocument> documents) {
    require_profile();
    std::vector<Prepared> out(documents.size());
    const auto threads = static_cast<unsigned>(std::clamp<std::size_t>(documents.size() / 16, 1, threads_));
    hamming::in_shares(threads, documents.size(), [&](unsigned, std::size_t begin, std::size_t end) {
      sketchers_.with_one([&](fingerprint::Sketcher& sketcher) {
        for (std::size_t i = begin; i < end; ++i) prepare(documents[i], sketcher, out[i]);
      });
    });
    return out;
  }
  [[nodiscard]] std::vector<StoredDocument> prepare(std::span<const CollectionFingerprint> fingerprints) const {
    std::vector<StoredDocument> out(fingerprints.size());
    for (std::size_t i = 0; i < fingerprints.size(); ++i) {
      const CollectionFingerprint& from = fingerprints[i];
      if (from.fingerprint.bits != options().profile.bits)
        throw Error(ErrorCode::usage, fmt::format("the fingerprint of {} has {} bits; those of this collection have {}", from.id,
                                                  from.fingerprint.bits, options().profile.bits));
      StoredDocument& stored = out[i];
      stored.id = stored_id(options().ids, from.id);
      stored.fingerprint = from.fingerprint;
      stored.flags = store::flags::fingerprint | store::flags::unverified;
      if (options().metadata) stored.metadata = from.metadata;
    }
    return out;
  }
  fingerprint::Sketch sketch_of(std::string_view text) {
    require_profile();
    fingerprint::Sketch sketch;
    sketchers_.with_one([&](fingerprint::Sketcher& sketcher) { sketcher(text, sketch); });
    return sketch;
  }

  // What a query looks for. Without `whole` only the fingerprint is known. If there is a text, it is compared with the stored texts.
  struct Asked {
    const fingerprint::Sketch& sketch;
    bool whole = true;
    const std::string_view* text = nullptr;
    std::uint64_t itself = 0;  // its sequence number, if it is a document of this collection
  };

  // With `enough`, the search ends at the first match that `enough` accepts, and later ones are not returned. Candidates are tried from the
  // most to the least similar by their sketches, but a document with the id `own` is tried first.
  using Enough = std::function<bool(const CollectionMatch&)>;
  CollectionAnswer find(const Asked& asked, const CollectionQuery& query, const Enough& enough = {}, std::string_view own = {}) const {
    return find(store_.snapshot(), asked, query, enough, own);
  }
  CollectionAnswer find(const store::Snapshot& snapshot, const Asked& asked, const CollectionQuery& query, const Enough& enough = {},
                        std::string_view own = {}) const {
    require_k(query.k.value_or(0), options().profile);
    const fingerprint::Sketch& sketch = asked.sketch;
    CollectionAnswer out;
    std::vector<store::Match> keyed, near;
    std::vector<Candidate> candidates;
    std::unordered_set<std::uint64_t> seen;  // sequence numbers
    const bool by_keys = asked.whole && !query.k && store_.shape().keys;
    const auto weigh_all = [&](const std::vector<store::Match>& matches) {
      for (const store::Match& match : matches) {
        if (match.row.sequence == asked.itself || !seen.insert(match.row.sequence).second) continue;
        if (seen.size() > most_candidates) {
          out.truncated = true;
          break;
        }
        weigh(match, asked, by_keys, query, candidates);
      }
    };
    if (sketch.has_fingerprint)  // a document that was imported as a fingerprint has no keys
      snapshot.find(std::span(sketch.fingerprint.words.data(), store_.shape().words), query.k.value_or(options().k), asked.whole, near);
    if (by_keys) find_by_keys(snapshot, asked, query, keyed, out.truncated);
    weigh_all(keyed);
    weigh_all(near);
    if (enough) {
      std::sort(candidates.begin(), candidates.end(), [&](const Candidate& a, const Candidate& b) {
        const bool own_a = a.match.id == own, own_b = b.match.id == own;
        return own_a != own_b ? own_a : is_better(a.match, b.match);
      });
    }
    std::optional<similarity::NearCheck> check;
    for (Candidate& candidate : candidates) {
      CollectionMatch& match = candidate.match;
      if (candidate.has_text) {
        if (!check) check.emplace(options().profile, query.rule).set(*asked.text);
        const similarity::NearCheck::Answer answer = check->ask(unpacked_text(candidate.text, match.id));
        match.similarity = answer.jaccard;
        match.verified = answer.near;
        if (query.verify && !match.verified) continue;
      }
      out.matches.push_back(std::move(match));
      if (enough && enough(out.matches.back())) break;
    }
    std::sort(out.matches.begin(), out.matches.end(), is_better);
    if (query.most && out.matches.size() > *query.most) out.matches.resize(static_cast<std::size_t>(*query.most));
    return out;
  }

  // Most candidates by keys are unlike what is asked for and need not be read whole.
  void find_by_keys(const store::Snapshot& snapshot, const Asked& asked, const CollectionQuery& query, std::vector<store::Match>& out,
                    bool& truncated) const {
    const KeysOfText keys = wanted_keys(asked.sketch, options().profile, query.rule, about_.bands);
    const std::size_t alike = asked.sketch.short_features.size() - keys.features.size();  // features whose keys coincide
    snapshot.find_keys(keys.wanted(), most_candidates, out, truncated, [&](const store::Row& row, const store::MetKeys& met) {
      return is_worth_comparing(row, met, alike, asked, query.rule);
    });
  }

  // Whether weigh() would take what was found by keys.
  [[nodiscard]] bool is_worth_comparing(const store::Row& row, const store::MetKeys& met, std::size_t alike, const Asked& asked,
                                        const Rule& rule) const {
    if ((row.flags & store::flags::unverified) != 0) return true;
    const std::optional<SketchView> other = possible_sketch(row.sketch);
    std::optional<double> similarity;
    const std::size_t most_shared = other ? met.most(size_class(other->short_count())) + alike : 0;
    if (other && !is_equal(asked.sketch, *other) && cannot_reach(asked.sketch, *other, most_shared, rule)) return false;
    return !other || is_equal(asked.sketch, *other) || estimate(asked.sketch, *other, true, rule, similarity);  // none: weigh() says so
  }

  [[nodiscard]] CollectionEntry entry_of(const store::Row& row) const {
    CollectionEntry entry;
    entry.id = shown_id(options().ids, row.id);
    entry.sequence = row.sequence;
    if (row.has_fingerprint()) entry.fingerprint = fingerprint_of(row);
    entry.text = unpacked_text(row.text, entry.id);
    entry.metadata = row.metadata;
    entry.unverified = (row.flags & store::flags::unverified) != 0;
    return entry;
  }

  [[nodiscard]] Fingerprint fingerprint_of(const store::Row& row) const {
    Fingerprint fingerprint;
    fingerprint.bits = options().profile.bits;
    std::copy_n(row.words, store_.shape().words, fingerprint.words.begin());
    return fingerprint;
  }

  void require_profile() const {
    if (only_stored_) throw Error(ErrorCode::usage, "the collection was opened for what is stored only (CollectionOpen::only_stored)");
  }
  static unsigned threads_of(const CollectionOpen& open) {
    return open.threads != 0 ? open.threads : std::max(1U, std::thread::hardware_concurrency());
  }
  static AboutCollection about_of(const std::string& directory, const CollectionOpen& open) {
    const store::Manifest manifest = store::read_manifest(storage::posix_vfs(), directory);
    return read_about(manifest.about, manifest.shape, directory, open);
  }
  static store::Limits limits_of(const CollectionOpen& open, const candidates::BandPlan& bands) {
    const JobOptions options{.threads = open.threads, .memory = open.memory, .progress = {}, .note = {}, .stop = nullptr};
    const job::Job job(options, "collection");
    const std::uint64_t memory = job.memory();
    store::Limits limits;
    limits.threads = job.threads();
    limits.table_bytes = std::clamp<std::uint64_t>(memory / 8, 32U << 20U, limits.table_bytes);
    limits.run_rows = std::max<std::uint64_t>(memory / (bytes_to_merge_row + bytes_to_merge_key * bands.bands), 1U << 16U);
    return limits;
  }

  void prepare(const CollectionDocument& document, fingerprint::Sketcher& sketcher, Prepared& out) const {
    sketcher(document.text, out.sketch);
    StoredDocument& stored = out.stored;
    stored.id = stored_id(options().ids, document.id);
    if (out.sketch.has_fingerprint) {
      stored.flags = store::flags::fingerprint;
      stored.fingerprint = out.sketch.fingerprint;
    }
    if (!options().fingerprints_only) stored.sketch = packed_sketch(out.sketch);
    if (options().metadata) stored.metadata = document.metadata;
    if (options().texts) stored.text = packed_text(document.text);
  }

  struct Candidate {
    CollectionMatch match;  // as the sketches estimate it
    bool has_text = false;  // whether the texts must be compared
    std::string_view text;  // as it is stored
  };
  void weigh(const store::Match& from, const Asked& asked, bool by_keys, const CollectionQuery& query, std::vector<Candidate>& out) const {
    const fingerprint::Sketch& sketch = asked.sketch;
    Candidate candidate;
    CollectionMatch& match = candidate.match;
    match.id = shown_id(options().ids, from.row.id);
    match.sequence = from.row.sequence;
    if (from.row.has_fingerprint()) match.fingerprint = fingerprint_of(from.row);
    if (match.fingerprint && sketch.has_fingerprint) match.distance = distance(sketch.fingerprint, *match.fingerprint);
    match.imported = (from.row.flags & store::flags::unverified) != 0;
    if (asked.whole && !match.imported && !options().fingerprints_only) {
      const SketchView other = sketch_view(from.row.sketch, match.id);
      if (is_equal(sketch, other)) {  // equal texts need no further comparison
        match.similarity = 1;
        match.verified = true;
      } else if (!estimate(sketch, other, by_keys, query.rule, match.similarity) && (by_keys || query.verify)) {
        return;
      }
    }
    if (asked.text != nullptr && !match.imported && options().texts && !match.verified) {
      candidate.has_text = true;
      candidate.text = from.row.text;
    }
    out.push_back(std::move(candidate));
  }

  template <typename Asked, typename Answer>
  std::vector<CollectionAnswer> answers_to(std::span<const Asked> asked, const Answer& answer) const {
    constexpr std::size_t at_least_each = 4;  // look-ups for each thread, at least
    std::vector<CollectionAnswer> out(asked.size());
    const auto threads = static_cast<unsigned>(std::clamp<std::size_t>(asked.size() / at_least_each, 1, threads_));
    hamming::in_shares(threads, asked.size(), [&](unsigned, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) out[i] = answer(asked[i]);
    });
    return out;
  }

  // Whether two short texts that share at most so many features are surely less similar than the rule asks.
  static bool cannot_reach(const fingerprint::Sketch& a, const SketchView& b, std::size_t most_shared, const Rule& rule) {
    const std::size_t n = a.short_features.size(), m = b.short_count();
    if (n == 0 || m == 0) return false;
    const std::size_t shared = std::min({n, m, most_shared});
    return static_cast<double>(shared) / static_cast<double>(n + m - shared) < similarity::threshold_of(rule, std::min(a.tokens, b.tokens));
  }

  // Estimates the similarity from the second sketches. Returns false if the two are not worth comparing or, where no texts will be
  // compared, if they are not near-duplicates.
  bool estimate(const fingerprint::Sketch& a, const SketchView& b, bool by_keys, const Rule& rule,
                std::optional<double>& similarity) const {
    const double threshold = similarity::threshold_of(rule, std::min(a.tokens, b.tokens));
    if (!a.short_features.empty() && !b.short_features.empty()) {
      thread_local std::vector<std::uint32_t> features;
      features.resize(b.short_count());
      std::memcpy(features.data(), b.short_features.data(), b.short_features.size());
      similarity = similarity::overlap(std::span(a.short_features), std::span<const std::uint32_t>(features)).jaccard();
      return *similarity >= threshold;
    }
    if (!a.has_slots || b.slots.empty()) return !by_keys;
    fingerprint::Slots slots_b;
    std::memcpy(slots_b.data(), b.slots.data(), slots_b.size());
    const auto bits_a = fingerprint::slot_bits(a.slots), bits_b = fingerprint::slot_bits(slots_b);
    const unsigned differing = hamming::distance(bits_a.data(), bits_b.data(), static_cast<unsigned>(bits_a.size()));
    similarity = fingerprint::similarity_of_distance(differing);
    return options().texts ? differing <= stages::sketch_shape.max_distance : *similarity >= threshold;
  }

  AboutCollection about_;
  store::Store store_;
  job::Pool<fingerprint::Sketcher> sketchers_;
  std::string directory_;
  bool only_stored_;
  unsigned threads_;
  std::mutex adding_unique_;  // held from the look-up until the document is added
  std::mutex updating_clusters_;
};

const StoredDocument& stored_in(const StoredDocument& one) { return one; }
template <typename Prepared>
const StoredDocument& stored_in(const Prepared& one) {
  return one.stored;
}
template <typename Prepared>
std::vector<store::Row> rows_of(const std::vector<Prepared>& prepared) {
  std::vector<store::Row> rows;
  rows.reserve(prepared.size());
  for (const Prepared& one : prepared) rows.push_back(stored_in(one).row());
  return rows;
}

std::uint64_t DirectoryCollection::add(std::span<const CollectionDocument> documents, Acknowledge acknowledge) {
  const auto prepared = prepare(documents);
  return store_.add(rows_of(prepared), acknowledge);
}

std::uint64_t DirectoryCollection::add(std::span<const CollectionFingerprint> fingerprints, Acknowledge acknowledge) {
  const auto prepared = prepare(fingerprints);
  return store_.add(rows_of(prepared), acknowledge);
}

class DirectoryCollection::LoadOfRows : public Load {
 public:
  explicit LoadOfRows(DirectoryCollection& collection) : collection_(collection), load_(collection.store_.load()) {}
  void add(std::span<const CollectionDocument> documents) override {
    const auto prepared = collection_.prepare(documents);
    load_.add(rows_of(prepared));
  }
  void add(std::span<const CollectionFingerprint> fingerprints) override {
    const auto prepared = collection_.prepare(fingerprints);
    load_.add(rows_of(prepared));
  }
  std::uint64_t commit() override { return load_.commit(); }

 private:
  DirectoryCollection& collection_;
  store::Store::Load load_;
};
std::unique_ptr<CollectionBackend::Load> DirectoryCollection::load() { return std::make_unique<LoadOfRows>(*this); }

std::vector<CollectionOutcome> DirectoryCollection::add_unique(std::span<const CollectionDocument> documents, const CollectionQuery& query,
                                                               Acknowledge acknowledge) {
  const auto prepared = prepare(documents);
  const std::lock_guard one(adding_unique_);
  std::vector<CollectionOutcome> out(documents.size());
  for (std::size_t i = 0; i < documents.size(); ++i) {
    CollectionQuery all = query;
    all.most.reset();  // matches that do not count must not crowd out others
    const auto counts = [&](const CollectionMatch& m) {
      return query.allow_unverified || !(m.imported || (options().texts && !m.verified));
    };
    const std::string own = shown_id(options().ids, prepared[i].stored.id);
    CollectionAnswer answer = find({prepared[i].sketch, true, &documents[i].text}, all, counts, own);
    out[i].truncated = answer.truncated;
    const auto best = std::find_if(answer.matches.begin(), answer.matches.end(), counts);
    out[i].present = best != answer.matches.end() && best->id == own;
    if (best != answer.matches.end()) {
      out[i].match = std::move(*best);
      continue;
    }
    out[i].replaced = store_.snapshot().get(prepared[i].stored.id).has_value();
    const store::Row row = prepared[i].stored.row();
    out[i].sequence = store_.add(std::span(&row, 1), Acknowledge::buffered);
    out[i].added = true;
  }
  if (acknowledge == Acknowledge::durable) store_.sync();
  return out;
}

std::uint64_t DirectoryCollection::erase(std::span<const std::string_view> ids, Acknowledge acknowledge) {
  const store::Snapshot snapshot = store_.snapshot();
  std::vector<std::string> stored;
  for (const std::string_view id : ids) {
    std::string bytes = stored_id(options().ids, id);
    if (snapshot.get(bytes)) stored.push_back(std::move(bytes));
  }
  std::sort(stored.begin(), stored.end());
  stored.erase(std::unique(stored.begin(), stored.end()), stored.end());
  std::vector<store::Row> rows(stored.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].id = stored[i];
    rows[i].flags = store::flags::erased;
  }
  if (!rows.empty()) store_.add(rows, acknowledge);
  return rows.size();
}

std::vector<CollectionAnswer> DirectoryCollection::query(std::span<const std::string_view> texts, const CollectionQuery& query) {
  return answers_to(texts, [&](std::string_view text) { return find({sketch_of(text), true, &text}, query); });
}

std::vector<CollectionAnswer> DirectoryCollection::query(std::span<const Fingerprint> fingerprints, const CollectionQuery& query) {
  for (const Fingerprint& fingerprint : fingerprints) require_bits(fingerprint, options().profile);
  return answers_to(fingerprints, [&](const Fingerprint& fingerprint) {
    fingerprint::Sketch sketch;
    sketch.has_fingerprint = true;
    sketch.fingerprint = fingerprint;
    return find({sketch, false}, query);
  });
}

std::optional<CollectionAnswer> DirectoryCollection::query_id(std::string_view id, const CollectionQuery& query) {
  const store::Snapshot snapshot = store_.snapshot();
  const auto row = snapshot.get(stored_id(options().ids, id));
  if (!row) return std::nullopt;
  fingerprint::Sketch sketch;
  const bool whole = (row->flags & store::flags::unverified) == 0 && !options().fingerprints_only;
  if (whole) sketch = unpacked_sketch(row->sketch, id);
  sketch.has_fingerprint = row->has_fingerprint();
  if (sketch.has_fingerprint) sketch.fingerprint = fingerprint_of(*row);
  const std::string text = whole && options().texts ? unpacked_text(row->text, id) : std::string();
  const std::string_view view = text;
  return find(snapshot, {sketch, whole, whole && options().texts ? &view : nullptr, row->sequence}, query);
}

std::vector<std::optional<CollectionEntry>> DirectoryCollection::get(std::span<const std::string_view> ids) {
  const store::Snapshot snapshot = store_.snapshot();
  std::vector<std::optional<CollectionEntry>> out;
  for (const std::string_view id : ids) {
    const auto row = snapshot.get(stored_id(options().ids, id));
    out.push_back(row ? std::optional(entry_of(*row)) : std::nullopt);
  }
  return out;
}

void DirectoryCollection::scan(const ScanPlace& from, const std::function<void(const CollectionEntry&)>& visit,
                               const std::function<void(const ScanPlace&)>& reached) {
  constexpr std::uint64_t rows_at_once = 10'000;
  const std::uint64_t first = first_of(from);
  std::uint64_t rows = 0;
  store_.snapshot().visit_in_sequence([&](const store::Row& row) {
    if (row.sequence < first) return;
    visit(entry_of(row));
    if (++rows % rows_at_once == 0 && reached) reached(std::to_string(row.sequence + 1));
  });
}

CollectionStats DirectoryCollection::stats() {
  const store::StoreStats from = store_.stats();
  CollectionStats stats;
  const auto rows = store_.snapshot().scan();
  for (store::Row row; rows->next(row);) ++stats.documents;
  stats.next_sequence = from.next_sequence;
  stats.runs = from.runs;
  stats.rows = from.run_rows;
  stats.memory_rows = from.memory_rows;
  stats.bytes = from.run_bytes;
  stats.log_bytes = from.log_bytes;
  return stats;
}

CollectionClusterState DirectoryCollection::update_clusters(const CollectionClusterOptions& options,
                                                            const std::function<void(const CollectionClusterChange&)>& tell) {
  const std::lock_guard one(updating_clusters_);
  const store::Snapshot snapshot = store_.snapshot();
  store_.sync();  // the saved clusters must never be newer than the durable rows
  std::optional<SavedClusters> saved = usable_clusters(storage::posix_vfs(), directory_);
  if (!saved && storage::posix_vfs().exists(clusters_path(directory_)) && options.job.note)
    options.job.note(clusters_path(directory_) +
                     " was damaged and is computed again; a reader of the changes gets a reset and then all clusters");
  SavedClusters before = std::move(saved).value_or(SavedClusters());
  SavedClusters now;
  now.rule = options.rule.name, now.rule_id = rule_id(options.rule);
  now.sequence = snapshot.view().active->first_sequence() + snapshot.visible();
  if (before.sequence > now.sequence)
    before = {.mark = {before.mark.state, 0}, .rule = {}, .rule_id = {}, .members = {}};  // the collection was restored from an older copy
  now.members = compute_clusters(snapshot, store_.shape(), about_, directory_, options);
  require_possible(now, directory_);
  now.mark = before.mark;
  const CollectionClusterMark since = options.since.value_or(before.mark);
  const bool anew = before.mark.key == 0 || since != before.mark;
  const auto tell_one = [&](CollectionClusterChange& change) {
    // A reader that has the clusters of a mark must be able to tell what follows them, so every update that reports changes gets a new
    // mark.
    if (now.mark == before.mark) now.mark = {std::max(before.mark.state, since.state) + 1, random_key()};
    change.state = now.mark.state;
    change.sequence = now.sequence;
    if (tell) tell(change);
  };
  CollectionClusterChange reset;
  if (anew) tell_one(reset);
  cluster_changes(anew ? std::span<const ClusterMember>() : before.members, now.members, this->options().ids, tell_one);
  write_clusters(storage::posix_vfs(), directory_, now);
  return now.summary();
}

CollectionClusterState DirectoryCollection::clusters(const std::function<void(const CollectionCluster&)>& visit) {
  const SavedClusters saved = read_clusters(storage::posix_vfs(), directory_).value_or(SavedClusters());
  CollectionCluster cluster;
  for (std::size_t i = 0; i < saved.members.size(); ++i) {
    const ClusterMember& member = saved.members[i];
    cluster.id = member.cluster;
    cluster.documents.push_back(shown_id(options().ids, member.id));
    if (member.kept) cluster.keep = cluster.documents.back();
    if (i + 1 < saved.members.size() && saved.members[i + 1].cluster == member.cluster) continue;
    visit(cluster);
    cluster.documents.clear();
  }
  return saved.summary();
}

void DirectoryCollection::check() {
  store_.check();
  (void)read_clusters(storage::posix_vfs(), directory_);
}
void DirectoryCollection::backup(const std::string& directory) {
  const auto canonical = [](const std::string& path) { return std::filesystem::weakly_canonical(path + "/x").string(); };
  const std::string own = canonical(directory_), to = canonical(directory);
  if (to.starts_with(own.substr(0, own.size() - 1)))
    throw Error(ErrorCode::usage, directory + ": lies in the collection itself; give a directory elsewhere");
  const auto clusters = usable_clusters(storage::posix_vfs(), directory_);
  const std::uint64_t next = store_.stats().next_sequence;
  store_.backup(directory);
  // Clusters that include documents added after the backup began do not belong to it. They can be computed again.
  if (clusters && clusters->sequence <= next) write_clusters(storage::posix_vfs(), directory, *clusters);
}

}  // namespace

void create_in_directory(const std::string& directory, const CollectionOptions& options) {
  if (options.texts && options.fingerprints_only)
    throw Error(ErrorCode::usage, "a collection that keeps texts keeps more than fingerprints");
  store::Store::create(storage::posix_vfs(), directory, shape_of(options), about_collection(options));
}

std::unique_ptr<CollectionBackend> open_directory(const std::string& directory, Access access, const CollectionOpen& open) {
  return std::make_unique<DirectoryCollection>(directory, access, open);
}

}  // namespace leitong::collection
