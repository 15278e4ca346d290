// The public collection: texts and profiles on top of the store of rows.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <random>
#include <thread>
#include <unordered_set>

#include "corpus/candidate_plan.h"
#include "corpus/cluster_changes.h"
#include "corpus/collection_about.h"
#include "corpus/collection_clusters.h"
#include "corpus/collection_keys.h"
#include "corpus/collection_row.h"
#include "corpus/job.h"
#include "fingerprint/thresholds.h"
#include "hamming/bits.h"
#include "hamming/threads.h"
#include "leitong/error.h"
#include "similarity/measures.h"
#include "similarity/near_check.h"
#include "store/manifest.h"
#include "store/store.h"

namespace leitong {
namespace {

using namespace corpus;

constexpr std::uint64_t kBytesToMergeRow = 100, kBytesToMergeKey = 12;
constexpr std::size_t kMostCandidates = 10'000;  // of a query by keys

// One a thread; made when first needed, for a profile may load a dictionary.
class Sketchers {
 public:
  explicit Sketchers(const Profile& profile) : profile_(profile) {}
  template <typename Use>
  void with_one(const Use& use) {
    std::unique_ptr<fingerprint::Sketcher> one;
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        one = std::move(free_.back());
        free_.pop_back();
      }
    }
    if (!one) one = std::make_unique<fingerprint::Sketcher>(profile_);
    use(*one);
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(one));
  }

 private:
  const Profile& profile_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<fingerprint::Sketcher>> free_;
};

void require_k(unsigned k, const Profile& profile) {
  if (k > profile.bits)
    throw Error(ErrorCode::usage, fmt::format("k is {}; fingerprints of {} bits differ in 0 to {}", k, profile.bits, profile.bits));
}

// The same tokens in the same order. Blank texts equal nothing.
bool is_equal(const fingerprint::Sketch& a, const fingerprint::Sketch& b) {
  return a.content == b.content && (a.content[0] | a.content[1]) != 0;
}

// Files are not verified when they are read, but what is computed of them is never worse than an error.
void require_possible(const SavedClusters& clusters, const std::string& directory) {
  if (impossible_row(clusters))
    throw Error(ErrorCode::format,
                fmt::format("{0}: sequence numbers make no sense, so a file is damaged; run leitong index check {0}", directory));
}

std::uint64_t random_key() {
  std::random_device random;
  const std::uint64_t key = std::uint64_t{random()} << 32U | random();
  return key | 1U;  // none is 0
}

// The most similar first, then the nearest, then the oldest.
bool is_better(const CorpusMatch& a, const CorpusMatch& b) {
  const double sa = a.similarity.value_or(-1), sb = b.similarity.value_or(-1);
  if (sa != sb) return sa > sb;
  if (a.distance != b.distance) return a.distance.value_or(~0U) < b.distance.value_or(~0U);
  return a.sequence < b.sequence;
}

}  // namespace

class Corpus::State {
 public:
  State(const std::string& directory, Access access, const CorpusOpen& open)
      : about_(about_of(directory, open)),
        store_(storage::posix_vfs(), directory, access, limits_of(open, about_.bands), keys_of_documents(about_.bands)),
        sketchers_(about_.options.profile),
        directory_(directory),
        only_stored_(open.only_stored),
        threads_(threads_of(open)) {}

  [[nodiscard]] const AboutCollection& about() const { return about_; }
  [[nodiscard]] const std::string& directory() const { return directory_; }
  [[nodiscard]] std::mutex& adding_unique() { return adding_unique_; }
  [[nodiscard]] std::mutex& updating_clusters() { return updating_clusters_; }
  [[nodiscard]] store::Store& store() { return store_; }
  [[nodiscard]] const store::Store& store() const { return store_; }
  [[nodiscard]] const CorpusOptions& options() const { return about_.options; }

  // A document as it is to be stored, and its sketch.
  struct Prepared {
    StoredDocument stored;
    fingerprint::Sketch sketch;
  };
  std::vector<Prepared> prepare(std::span<const CorpusDocument> documents) {
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
  [[nodiscard]] std::vector<StoredDocument> prepare(std::span<const CorpusFingerprint> fingerprints) const {
    std::vector<StoredDocument> out(fingerprints.size());
    for (std::size_t i = 0; i < fingerprints.size(); ++i) {
      const CorpusFingerprint& from = fingerprints[i];
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

  // What is looked for. Without `whole` only the fingerprint is known; a text is there to be compared with those that are kept.
  struct Asked {
    const fingerprint::Sketch& sketch;
    bool whole = true;
    const std::string_view* text = nullptr;
    std::uint64_t itself = 0;  // its sequence number, if it is a document of the collection
  };

  // With `enough`: the first match that is enough ends the search, those that seem most similar first, but a document of the id `own`
  // before all others; and no more than that is known.
  using Enough = std::function<bool(const CorpusMatch&)>;
  CorpusAnswer find(const Asked& asked, const CorpusQuery& query, const Enough& enough = {}, std::string_view own = {}) const {
    return find(store_.snapshot(), asked, query, enough, own);
  }
  CorpusAnswer find(const store::Snapshot& snapshot, const Asked& asked, const CorpusQuery& query, const Enough& enough = {},
                    std::string_view own = {}) const {
    require_k(query.k.value_or(0), options().profile);
    const fingerprint::Sketch& sketch = asked.sketch;
    CorpusAnswer out;
    std::vector<store::Match> matches;
    std::vector<Candidate> candidates;
    std::unordered_set<std::uint64_t> seen;  // sequence numbers
    const bool by_keys = asked.whole && !query.k && store_.shape().keys;
    const auto weigh_all = [&] {
      for (const store::Match& match : matches) {
        if (match.row.sequence == asked.itself || !seen.insert(match.row.sequence).second) continue;
        if (seen.size() > kMostCandidates) {
          out.truncated = true;
          break;
        }
        weigh(match, asked, by_keys, query, candidates);
      }
    };
    if (by_keys) {
      const WantedKeys wanted = wanted_keys(sketch, options().profile, about_.bands);
      snapshot.find_keys(wanted.bands, wanted.features, wanted.needed, kMostCandidates, matches, out.truncated);
      weigh_all();
    }
    if (sketch.has_fingerprint) {  // what came as a fingerprint has no keys
      snapshot.find(std::span(sketch.fingerprint.words.data(), store_.shape().words), query.k.value_or(options().k), asked.whole, matches);
      weigh_all();
    }
    if (enough) {
      std::sort(candidates.begin(), candidates.end(), [&](const Candidate& a, const Candidate& b) {
        const bool own_a = a.match.id == own, own_b = b.match.id == own;
        return own_a != own_b ? own_a : is_better(a.match, b.match);
      });
    }
    std::optional<similarity::NearCheck> check;
    for (Candidate& candidate : candidates) {
      CorpusMatch& match = candidate.match;
      if (candidate.has_text) {
        if (!check) check.emplace(options().profile).set(*asked.text);
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

  [[nodiscard]] CorpusEntry entry_of(const store::Row& row) const {
    CorpusEntry entry;
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

 private:
  void require_profile() const {
    if (only_stored_) throw Error(ErrorCode::usage, "the collection was opened for what is stored only (CorpusOpen::only_stored)");
  }
  static unsigned threads_of(const CorpusOpen& open) {
    return open.threads != 0 ? open.threads : std::max(1U, std::thread::hardware_concurrency());
  }
  static AboutCollection about_of(const std::string& directory, const CorpusOpen& open) {
    const store::Manifest manifest = store::read_manifest(storage::posix_vfs(), directory);
    return read_about(manifest.about, manifest.shape, directory, open);
  }
  static store::Limits limits_of(const CorpusOpen& open, const candidates::BandPlan& bands) {
    const JobOptions options{.threads = open.threads, .memory = open.memory, .progress = {}, .note = {}, .stop = nullptr};
    const Job job(options, "index");
    const std::uint64_t memory = job.memory();
    store::Limits limits;
    limits.threads = job.threads();
    limits.table_bytes = std::clamp<std::uint64_t>(memory / 8, 32U << 20U, limits.table_bytes);
    limits.run_rows = std::max<std::uint64_t>(memory / (kBytesToMergeRow + kBytesToMergeKey * bands.bands), 1U << 16U);
    return limits;
  }

  void prepare(const CorpusDocument& document, fingerprint::Sketcher& sketcher, Prepared& out) const {
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
    CorpusMatch match;      // by what the sketches say
    bool has_text = false;  // to be compared
    std::string_view text;  // as it is stored
  };
  void weigh(const store::Match& from, const Asked& asked, bool by_keys, const CorpusQuery& query, std::vector<Candidate>& out) const {
    const fingerprint::Sketch& sketch = asked.sketch;
    Candidate candidate;
    CorpusMatch& match = candidate.match;
    match.id = shown_id(options().ids, from.row.id);
    match.sequence = from.row.sequence;
    if (from.row.has_fingerprint() && sketch.has_fingerprint) match.distance = distance(sketch.fingerprint, fingerprint_of(from.row));
    match.imported = (from.row.flags & store::flags::unverified) != 0;
    if (asked.whole && !match.imported && !options().fingerprints_only) {
      const fingerprint::Sketch other = unpacked_sketch(from.row.sketch, match.id);
      if (is_equal(sketch, other)) {  // nothing is to be compared any more
        match.similarity = 1;
        match.verified = true;
      } else if (!estimate(sketch, other, by_keys, match.similarity) && (by_keys || query.verify)) {
        return;
      }
    }
    if (asked.text != nullptr && !match.imported && options().texts && !match.verified) {
      candidate.has_text = true;
      candidate.text = from.row.text;
    }
    out.push_back(std::move(candidate));
  }

  // From second sketches. False: the two are not worth comparing, or, where no text will be compared, no near-duplicates.
  bool estimate(const fingerprint::Sketch& a, const fingerprint::Sketch& b, bool by_keys, std::optional<double>& similarity) const {
    const double threshold = fingerprint::threshold_of(options().profile, std::min(a.tokens, b.tokens));
    if (!a.short_features.empty() && !b.short_features.empty()) {
      similarity = similarity::overlap(std::span(a.short_features), std::span(b.short_features)).jaccard();
      return *similarity >= threshold;
    }
    if (!a.has_slots || !b.has_slots) return !by_keys;
    const auto bits_a = fingerprint::slot_bits(a.slots), bits_b = fingerprint::slot_bits(b.slots);
    const unsigned differing = hamming::distance(bits_a.data(), bits_b.data(), static_cast<unsigned>(bits_a.size()));
    similarity = fingerprint::similarity_of_distance(differing);
    return options().texts ? differing <= sketch_shape.max_distance : *similarity >= threshold;
  }

  AboutCollection about_;
  store::Store store_;
  Sketchers sketchers_;
  std::string directory_;
  bool only_stored_;
  unsigned threads_;
  std::mutex adding_unique_;  // between looking and adding
  std::mutex updating_clusters_;
};

void Corpus::create(const std::string& directory, const CorpusOptions& options) {
  require_k(options.k, options.profile);
  if (options.texts && options.fingerprints_only)
    throw Error(ErrorCode::usage, "a collection that keeps texts keeps more than fingerprints");
  store::Store::create(storage::posix_vfs(), directory, shape_of(options), about_collection(options));
}

Corpus::Corpus(const std::string& directory, Access access, const CorpusOpen& open)
    : state_(std::make_unique<State>(directory, access, open)) {}
Corpus::~Corpus() = default;
Corpus::Corpus(Corpus&&) noexcept = default;

const CorpusOptions& Corpus::options() const { return state_->options(); }
const std::string& Corpus::profile_id() const { return state_->about().profile_id; }

namespace {

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

}  // namespace

std::uint64_t Corpus::add(std::span<const CorpusDocument> documents, Acknowledge acknowledge) {
  const auto prepared = state_->prepare(documents);
  return state_->store().add(rows_of(prepared), acknowledge);
}

std::uint64_t Corpus::add_fingerprints(std::span<const CorpusFingerprint> fingerprints, Acknowledge acknowledge) {
  const auto prepared = state_->prepare(fingerprints);
  return state_->store().add(rows_of(prepared), acknowledge);
}

struct Corpus::Load::Parts {
  State* state;
  store::Store::Load load;
};
Corpus::Load::Load(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Corpus::Load::Load(Load&&) noexcept = default;
Corpus::Load::~Load() = default;
void Corpus::Load::add(std::span<const CorpusDocument> documents) {
  const auto prepared = parts_->state->prepare(documents);
  parts_->load.add(rows_of(prepared));
}
void Corpus::Load::add(std::span<const CorpusFingerprint> fingerprints) {
  const auto prepared = parts_->state->prepare(fingerprints);
  parts_->load.add(rows_of(prepared));
}
std::uint64_t Corpus::Load::commit() { return parts_->load.commit(); }
Corpus::Load Corpus::load() { return Load(std::make_unique<Load::Parts>(Load::Parts{state_.get(), state_->store().load()})); }

std::vector<CorpusOutcome> Corpus::add_unique(std::span<const CorpusDocument> documents, const CorpusQuery& query,
                                              Acknowledge acknowledge) {
  const auto prepared = state_->prepare(documents);
  const std::lock_guard one(state_->adding_unique());
  std::vector<CorpusOutcome> out(documents.size());
  for (std::size_t i = 0; i < documents.size(); ++i) {
    CorpusQuery all = query;
    all.most.reset();  // one that does not count must not hide others
    const auto counts = [&](const CorpusMatch& m) { return query.allow_unverified || !(m.imported || (options().texts && !m.verified)); };
    const std::string own = shown_id(options().ids, prepared[i].stored.id);
    CorpusAnswer answer = state_->find({prepared[i].sketch, true, &documents[i].text}, all, counts, own);
    out[i].truncated = answer.truncated;
    const auto best = std::find_if(answer.matches.begin(), answer.matches.end(), counts);
    out[i].present = best != answer.matches.end() && best->id == own;
    if (best != answer.matches.end()) {
      out[i].match = std::move(*best);
      continue;
    }
    out[i].replaced = state_->store().snapshot().get(prepared[i].stored.id).has_value();
    const store::Row row = prepared[i].stored.row();
    out[i].sequence = state_->store().add(std::span(&row, 1), Acknowledge::buffered);
    out[i].added = true;
  }
  if (acknowledge == Acknowledge::durable) state_->store().sync();
  return out;
}

std::uint64_t Corpus::erase(std::span<const std::string_view> ids, Acknowledge acknowledge) {
  const store::Snapshot snapshot = state_->store().snapshot();
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
  if (!rows.empty()) state_->store().add(rows, acknowledge);
  return rows.size();
}

CorpusAnswer Corpus::query(std::string_view text, const CorpusQuery& query) const {
  return state_->find({state_->sketch_of(text), true, &text}, query);
}

CorpusAnswer Corpus::query(const Fingerprint& fingerprint, const CorpusQuery& query) const {
  if (fingerprint.bits != options().profile.bits)
    throw Error(ErrorCode::usage,
                fmt::format("a fingerprint of {} bits; those of this collection have {}", fingerprint.bits, options().profile.bits));
  fingerprint::Sketch sketch;
  sketch.has_fingerprint = true;
  sketch.fingerprint = fingerprint;
  return state_->find({sketch, false}, query);
}

std::optional<CorpusAnswer> Corpus::query_id(std::string_view id, const CorpusQuery& query) const {
  const store::Snapshot snapshot = state_->store().snapshot();
  const auto row = snapshot.get(stored_id(options().ids, id));
  if (!row) return std::nullopt;
  fingerprint::Sketch sketch;
  const bool whole = (row->flags & store::flags::unverified) == 0 && !options().fingerprints_only;
  if (whole) sketch = unpacked_sketch(row->sketch, id);
  sketch.has_fingerprint = row->has_fingerprint();
  if (sketch.has_fingerprint) sketch.fingerprint = state_->fingerprint_of(*row);
  const std::string text = whole && options().texts ? unpacked_text(row->text, id) : std::string();
  const std::string_view view = text;
  return state_->find(snapshot, {sketch, whole, whole && options().texts ? &view : nullptr, row->sequence}, query);
}

std::optional<CorpusEntry> Corpus::get(std::string_view id) const {
  const store::Snapshot snapshot = state_->store().snapshot();
  const auto row = snapshot.get(stored_id(options().ids, id));
  if (!row) return std::nullopt;
  return state_->entry_of(*row);
}

void Corpus::scan(const std::function<void(const CorpusEntry&)>& visit) const {
  state_->store().snapshot().visit_in_sequence([&](const store::Row& row) { visit(state_->entry_of(row)); });
}

CorpusStats Corpus::stats() const {
  const store::StoreStats from = state_->store().stats();
  CorpusStats stats;
  const auto rows = state_->store().snapshot().scan();
  for (store::Row row; rows->next(row);) ++stats.documents;
  stats.next_sequence = from.next_sequence;
  stats.runs = from.runs;
  stats.rows = from.run_rows;
  stats.memory_rows = from.memory_rows;
  stats.bytes = from.run_bytes;
  stats.log_bytes = from.log_bytes;
  return stats;
}

CorpusClusterState Corpus::update_clusters(const CorpusClusterOptions& options,
                                           const std::function<void(const CorpusClusterChange&)>& tell) {
  const std::lock_guard one(state_->updating_clusters());
  store::Store& store = state_->store();
  const store::Snapshot snapshot = store.snapshot();
  store.sync();  // what is saved is never newer than what survives
  const std::string& directory = state_->directory();
  std::optional<SavedClusters> saved = usable_clusters(storage::posix_vfs(), directory);
  if (!saved && storage::posix_vfs().exists(clusters_path(directory)) && options.job.note)
    options.job.note(clusters_path(directory) + " was damaged and is made anew; who follows the changes is told all clusters");
  SavedClusters before = std::move(saved).value_or(SavedClusters());
  SavedClusters now;
  now.sequence = snapshot.view().active->first_sequence() + snapshot.visible();
  if (before.sequence > now.sequence) before = {{before.mark.state, 0}, 1, {}};  // the collection was put back to an earlier day
  now.members = compute_clusters(snapshot, store.shape(), state_->about(), directory, options);
  require_possible(now, directory);
  now.mark = before.mark;
  const CorpusClusterMark since = options.since.value_or(before.mark);
  const bool anew = before.mark.key == 0 || since != before.mark;
  const auto tell_one = [&](CorpusClusterChange& change) {
    // Who knows the clusters of a mark can follow what comes next, so each time that something is told there is another.
    if (now.mark == before.mark) now.mark = {std::max(before.mark.state, since.state) + 1, random_key()};
    change.state = now.mark.state;
    change.sequence = now.sequence;
    if (tell) tell(change);
  };
  CorpusClusterChange reset;
  if (anew) tell_one(reset);
  cluster_changes(anew ? std::span<const ClusterMember>() : before.members, now.members, this->options().ids, tell_one);
  write_clusters(storage::posix_vfs(), directory, now);
  return now.summary();
}

CorpusClusterState Corpus::clusters(const std::function<void(const CorpusCluster&)>& visit) const {
  const SavedClusters saved = read_clusters(storage::posix_vfs(), state_->directory()).value_or(SavedClusters());
  CorpusCluster cluster;
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

void Corpus::sync() { state_->store().sync(); }
void Corpus::compact() { state_->store().compact(); }
void Corpus::refresh() { state_->store().refresh(); }
void Corpus::close() { state_->store().close(); }

void Corpus::check() const {
  state_->store().check();
  (void)read_clusters(storage::posix_vfs(), state_->directory());
}
void Corpus::backup(const std::string& directory) const {
  const auto canonical = [](const std::string& path) { return std::filesystem::weakly_canonical(path + "/x").string(); };
  const std::string own = canonical(state_->directory()), to = canonical(directory);
  if (to.starts_with(own.substr(0, own.size() - 1)))
    throw Error(ErrorCode::usage, directory + ": lies in the collection itself; give a directory elsewhere");
  const auto clusters = usable_clusters(storage::posix_vfs(), state_->directory());
  const std::uint64_t next = state_->store().stats().next_sequence;
  state_->store().backup(directory);
  // Clusters of documents that came after the copy was begun are not its own. They can be made again.
  if (clusters && clusters->sequence <= next) write_clusters(storage::posix_vfs(), directory, *clusters);
}

}  // namespace leitong
