// The public collection: texts and profiles on top of the store of rows.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <mutex>
#include <thread>
#include <unordered_set>

#include "corpus/candidate_plan.h"
#include "corpus/collection_about.h"
#include "corpus/collection_keys.h"
#include "corpus/collection_row.h"
#include "corpus/job.h"
#include "fingerprint/thresholds.h"
#include "hamming/threads.h"
#include "leitong/error.h"
#include "leitong/similarity.h"
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

// Of sorted, distinct features.
double jaccard_of(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::size_t common = 0;
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    common += *x == *y ? 1 : 0;
    const bool step_x = *x <= *y, step_y = *y <= *x;
    x += step_x ? 1 : 0;
    y += step_y ? 1 : 0;
  }
  return static_cast<double>(common) / static_cast<double>(a.size() + b.size() - common);
}

// The same tokens in the same order. Blank texts equal nothing.
bool is_equal(const fingerprint::Sketch& a, const fingerprint::Sketch& b) {
  return a.content == b.content && (a.content[0] | a.content[1]) != 0;
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
  fingerprint::Sketch sketch_of(std::string_view text) {
    require_profile();
    fingerprint::Sketch sketch;
    sketchers_.with_one([&](fingerprint::Sketcher& sketcher) { sketcher(text, sketch); });
    return sketch;
  }

  CorpusAnswer find(const fingerprint::Sketch& sketch, const std::string_view* text, const CorpusQuery& query) const {
    CorpusAnswer out;
    const store::Snapshot snapshot = store_.snapshot();
    std::vector<store::Match> matches;
    std::unordered_set<std::uint64_t> seen;  // sequence numbers
    const bool by_keys = text != nullptr && !query.k && store_.shape().keys;
    const auto judge_all = [&] {
      for (const store::Match& match : matches) {
        if (!seen.insert(match.row.sequence).second) continue;
        if (seen.size() > kMostCandidates) {
          out.truncated = true;
          break;
        }
        judge(match, sketch, text, by_keys, query, out.matches);
      }
    };
    if (by_keys) {
      const WantedKeys wanted = wanted_keys(sketch, options().profile, about_.bands);
      snapshot.find_keys(wanted.bands, wanted.features, wanted.needed, kMostCandidates, matches, out.truncated);
      judge_all();
    }
    if (sketch.has_fingerprint) {  // what came as a fingerprint has no keys
      snapshot.find(std::span(sketch.fingerprint.words.data(), store_.shape().words), query.k.value_or(options().k), text != nullptr,
                    matches);
      judge_all();
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

  [[nodiscard]] Fingerprint fingerprint_of(const store::Row& row) const {
    Fingerprint fingerprint;
    fingerprint.bits = options().profile.bits;
    std::copy_n(row.words, store_.shape().words, fingerprint.words.begin());
    return fingerprint;
  }

  void judge(const store::Match& match, const fingerprint::Sketch& sketch, const std::string_view* text, bool by_keys,
             const CorpusQuery& query, std::vector<CorpusMatch>& out) const {
    CorpusMatch found;
    found.id = shown_id(options().ids, match.row.id);
    found.sequence = match.row.sequence;
    if (match.row.has_fingerprint() && sketch.has_fingerprint) found.distance = distance(sketch.fingerprint, fingerprint_of(match.row));
    found.imported = (match.row.flags & store::flags::unverified) != 0;
    if (text != nullptr && !found.imported && !options().fingerprints_only) {
      const fingerprint::Sketch other = unpacked_sketch(match.row.sketch, found.id);
      if (is_equal(sketch, other)) {  // nothing is to be compared any more
        found.similarity = 1;
        found.verified = true;
        out.push_back(std::move(found));
        return;
      }
      const bool may_be = estimate(sketch, other, by_keys, found.similarity);
      if (!may_be && (by_keys || query.verify)) return;
    }
    if (text != nullptr && !found.imported && options().texts) {
      const Comparison comparison = compare(*text, unpacked_text(match.row.text, found.id), options().profile);
      found.similarity = comparison.jaccard;
      found.verified = comparison.near_duplicate;
      if (query.verify && !found.verified) return;
    }
    out.push_back(std::move(found));
  }

  // From second sketches. False: the two are not worth comparing, or, where no text will be compared, no near-duplicates.
  bool estimate(const fingerprint::Sketch& a, const fingerprint::Sketch& b, bool by_keys, std::optional<double>& similarity) const {
    const double threshold = fingerprint::threshold_of(options().profile, std::min(a.tokens, b.tokens));
    if (!a.short_features.empty() && !b.short_features.empty()) {
      similarity = jaccard_of(a.short_features, b.short_features);
      return *similarity >= threshold;
    }
    if (!a.has_slots || !b.has_slots) return !by_keys;
    const auto bits_a = fingerprint::slot_bits(a.slots), bits_b = fingerprint::slot_bits(b.slots);
    unsigned differing = 0;
    for (std::size_t w = 0; w < bits_a.size(); ++w) differing += static_cast<unsigned>(std::popcount(bits_a[w] ^ bits_b[w]));
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
};

void Corpus::create(const std::string& directory, const CorpusOptions& options) {
  if (options.k > options.profile.bits)
    throw Error(ErrorCode::usage,
                fmt::format("k is {}; fingerprints of {} bits differ in 0 to {}", options.k, options.profile.bits, options.profile.bits));
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

std::uint64_t Corpus::add(std::span<const CorpusDocument> documents, Acknowledge acknowledge) {
  const auto prepared = state_->prepare(documents);
  std::vector<store::Row> rows;
  for (const auto& one : prepared) rows.push_back(one.stored.row());
  return state_->store().add(rows, acknowledge);
}

std::uint64_t Corpus::add_fingerprints(std::span<const CorpusFingerprint> fingerprints, Acknowledge acknowledge) {
  std::vector<StoredDocument> stored(fingerprints.size());
  std::vector<store::Row> rows;
  for (std::size_t i = 0; i < fingerprints.size(); ++i) {
    const CorpusFingerprint& from = fingerprints[i];
    if (from.fingerprint.bits != options().profile.bits)
      throw Error(ErrorCode::usage, fmt::format("the fingerprint of {} has {} bits; those of this collection have {}", from.id,
                                                from.fingerprint.bits, options().profile.bits));
    stored[i].id = stored_id(options().ids, from.id);
    stored[i].fingerprint = from.fingerprint;
    stored[i].flags = store::flags::fingerprint | store::flags::unverified;
    if (options().metadata) stored[i].metadata = from.metadata;
  }
  for (const StoredDocument& one : stored) rows.push_back(one.row());
  return state_->store().add(rows, acknowledge);
}

std::vector<CorpusOutcome> Corpus::add_unique(std::span<const CorpusDocument> documents, const CorpusQuery& query,
                                              Acknowledge acknowledge) {
  const auto prepared = state_->prepare(documents);
  const std::lock_guard one(state_->adding_unique());
  std::vector<CorpusOutcome> out(documents.size());
  for (std::size_t i = 0; i < documents.size(); ++i) {
    CorpusQuery all = query;
    all.most.reset();  // one that does not count must not hide others
    CorpusAnswer answer = state_->find(prepared[i].sketch, &documents[i].text, all);
    std::vector<CorpusMatch>& matches = answer.matches;
    out[i].truncated = answer.truncated;
    const auto counts = [&](const CorpusMatch& m) { return query.allow_unverified || !(m.imported || (options().texts && !m.verified)); };
    const std::string own = shown_id(options().ids, prepared[i].stored.id);
    auto best = std::find_if(matches.begin(), matches.end(), [&](const CorpusMatch& m) { return m.id == own && counts(m); });
    out[i].present = best != matches.end();
    if (!out[i].present) best = std::find_if(matches.begin(), matches.end(), counts);
    if (best != matches.end()) {
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
  return state_->find(state_->sketch_of(text), &text, query);
}

CorpusAnswer Corpus::query(const Fingerprint& fingerprint, const CorpusQuery& query) const {
  if (fingerprint.bits != options().profile.bits)
    throw Error(ErrorCode::usage,
                fmt::format("a fingerprint of {} bits; those of this collection have {}", fingerprint.bits, options().profile.bits));
  fingerprint::Sketch sketch;
  sketch.has_fingerprint = true;
  sketch.fingerprint = fingerprint;
  return state_->find(sketch, nullptr, query);
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

void Corpus::sync() { state_->store().sync(); }
void Corpus::compact() { state_->store().compact(); }
void Corpus::refresh() { state_->store().refresh(); }
void Corpus::close() { state_->store().close(); }
void Corpus::check() const { state_->store().check(); }
void Corpus::backup(const std::string& directory) const {
  const auto canonical = [](const std::string& path) { return std::filesystem::weakly_canonical(path + "/x").string(); };
  const std::string own = canonical(state_->directory()), to = canonical(directory);
  if (to.starts_with(own.substr(0, own.size() - 1)))
    throw Error(ErrorCode::usage, directory + ": lies in the collection itself; give a directory elsewhere");
  state_->store().backup(directory);
}

}  // namespace leitong
