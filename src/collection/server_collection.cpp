#include "collection/server_collection.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <iterator>
#include <mutex>
#include <thread>
#include <type_traits>
#include <unordered_map>

#include "collection/collection_about.h"
#include "collection/collection_row.h"
#include "collection/connect.h"
#include "collection/memory_store.h"
#include "collection/unique_slice.h"
#include "hamming/threads.h"
#include "job/pool.h"
#include "records/json_object.h"
#include "remote/store_url.h"

namespace leitong {

constexpr std::size_t sample_size = 1'000;  // keys or documents that are read to guess a layout

StoreInspection inspect_store(const std::string& url) {
  const auto server = collection::connect(remote::parse_store_url(url));
  if (const auto record = server->record()) {
    CollectionOpen stored;
    stored.only_stored = true;
    const collection::AboutCollection about = collection::read_server_record(*record, server->name(), stored);
    return {about.options.layout,
            {fmt::format("a collection of Leitong, of profile {}, with a record of its layout", about.options.profile.name)},
            {}};
  }
  remote::Inspection found = server->inspect(sample_size);
  return {std::move(found.layout), std::move(found.evidence), std::move(found.doubts)};
}

namespace collection {
namespace {

using remote::FoundRow;

constexpr unsigned bit_count = 64;
constexpr const char* default_layout = "compact";

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorCode::usage, message); }

class ServerCollection : public CollectionBackend {
 public:
  ServerCollection(std::string where, AboutCollection about, std::unique_ptr<remote::FingerprintStore> store, Access access,
                   const CollectionOpen& open)
      : where_(std::move(where)),
        about_(std::move(about)),
        store_(std::move(store)),
        fingerprinters_([this] { return std::make_unique<Fingerprinter>(about_.options.profile); }),
        writes_(access == Access::write),
        only_stored_(open.only_stored),
        threads_(open.threads != 0 ? open.threads : std::max(1U, std::thread::hardware_concurrency())) {}
  ~ServerCollection() override {
    try {
      close();
    } catch (const std::exception&) {
      // The server has acknowledged everything; other clients see it a little later.
    }
  }

  [[nodiscard]] const CollectionOptions& options() const override { return about_.options; }
  [[nodiscard]] const std::string& profile_id() const override { return about_.profile_id; }

  std::uint64_t add(std::span<const CollectionDocument> documents, Acknowledge) override;
  std::uint64_t add(std::span<const CollectionFingerprint> fingerprints, Acknowledge) override;
  std::unique_ptr<Load> load() override { refuse(where_ + ": what is added to a server is there at once, batch by batch: use add"); }
  std::vector<CollectionOutcome> add_unique(std::span<const CollectionDocument> documents, const CollectionQuery& query,
                                            Acknowledge) override;
  std::uint64_t erase(std::span<const std::string_view> ids, Acknowledge) override;
  [[nodiscard]] std::vector<CollectionAnswer> query(std::span<const std::string_view> texts, const CollectionQuery& query) override;
  [[nodiscard]] std::vector<CollectionAnswer> query(std::span<const Fingerprint> fingerprints, const CollectionQuery& query) override;
  [[nodiscard]] std::optional<CollectionAnswer> query_id(std::string_view id, const CollectionQuery& query) override;
  [[nodiscard]] std::vector<std::optional<CollectionEntry>> get(std::span<const std::string_view> ids) override;
  void scan(const ScanPlace& from, const std::function<void(const CollectionEntry&)>& visit,
            const std::function<void(const ScanPlace&)>& reached) override;
  [[nodiscard]] CollectionStats stats() override;
  [[nodiscard]] std::uint64_t left_out() override {
    const std::lock_guard lock(mutex_);
    return left_out_;
  }

  CollectionClusterState update_clusters(const CollectionClusterOptions&,
                                         const std::function<void(const CollectionClusterChange&)>&) override {
    refuse_what_needs_directory("clusters are of collections in directories");
  }
  CollectionClusterState clusters(const std::function<void(const CollectionCluster&)>&) override {
    refuse_what_needs_directory("clusters are of collections in directories");
  }
  void backup(const std::string&) override { refuse_what_needs_directory("only a directory can be backed up"); }

  void sync() override {}  // put() has already waited for the server
  void compact() override {
    require_writer();
    with_fresh_store([](auto& store) { store.compact(); });
  }
  void refresh() override {
    with_store([](auto& store) { store.refresh(); });
  }
  void close() override {
    const std::lock_guard lock(mutex_);
    if (has_put_ && stale_) refresh_what_may_be();  // so that other clients find the documents too
  }
  void check() override {
    with_fresh_store([](auto& store) { store.check(); });
  }

 private:
  template <typename Use>
  std::invoke_result_t<Use, remote::FingerprintStore&> with_store(const Use& use) {
    const std::lock_guard lock(mutex_);
    return use(*store_);
  }
  // Searches through this object find what it has put and what was there when it was opened, although a search server shows new documents
  // only after a refresh.
  template <typename Use>
  std::invoke_result_t<Use, remote::FingerprintStore&> with_fresh_store(const Use& use) {
    const std::lock_guard lock(mutex_);
    if (stale_) refresh_what_may_be();
    return use(*store_);
  }
  void refresh_what_may_be() {
    try {
      store_->refresh();
    } catch (const net::Refusal&) {
      if (has_put_) throw;  // a reader without the right to refresh takes what the server shows
    }
    stale_ = false;
  }
  [[noreturn]] void refuse_what_needs_directory(const char* what) const {
    refuse(fmt::format("{}: {}; leitong copy {} DIR makes one", where_, what, where_));
  }

  template <typename Text>
  std::vector<std::optional<std::uint64_t>> fingerprints_of(std::size_t count, const Text& text);
  void put_or_erase(std::span<const remote::FingerprintRow> rows, std::span<const std::string_view> without);
  [[nodiscard]] unsigned k_of(const CollectionQuery& query) const;
  std::vector<CollectionAnswer> answers(std::span<const std::optional<std::uint64_t>> asked, const CollectionQuery& query);
  std::vector<CollectionOutcome> add_unique_slice(std::span<const CollectionDocument> documents, const CollectionQuery& query);
  void check_id(std::string_view id) const;
  void require_writer() const {
    if (!writes_) refuse(where_ + ": the collection was opened for reading (Access::read)");
  }

  std::string where_;
  AboutCollection about_;
  std::mutex mutex_;
  std::unique_ptr<remote::FingerprintStore> store_;
  job::Pool<Fingerprinter> fingerprinters_;
  bool writes_, only_stored_;
  unsigned threads_;
  std::uint64_t left_out_ = 0;
  bool has_put_ = false, stale_ = true;
  std::mutex adding_unique_;  // only one slice at a time may hold reservations
};

void shorten(CollectionAnswer& answer, const CollectionQuery& query) {
  if (query.most && answer.matches.size() > *query.most) answer.matches.resize(static_cast<std::size_t>(*query.most));
}

// Computes fingerprints in parallel; an entry is empty if the text has no features.
template <typename Text>
std::vector<std::optional<std::uint64_t>> ServerCollection::fingerprints_of(std::size_t count, const Text& text) {
  if (only_stored_) refuse("the collection was opened for what is stored only (CollectionOpen::only_stored)");
  std::vector<std::optional<std::uint64_t>> out(count);
  const auto threads = static_cast<unsigned>(std::clamp<std::size_t>(count / 16, 1, threads_));
  hamming::in_shares(threads, count, [&](unsigned, std::size_t begin, std::size_t end) {
    fingerprinters_.with_one([&](Fingerprinter& fingerprinter) {
      for (std::size_t i = begin; i < end; ++i)
        if (const auto result = fingerprinter(text(i)); result.fingerprint) out[i] = result.fingerprint->words[0];
    });
  });
  return out;
}

void ServerCollection::check_id(std::string_view id) const { (void)collection::stored_id(about_.options.ids, id); }

// A document that is now blank has no fingerprint, so its old fingerprint is erased.
void ServerCollection::put_or_erase(std::span<const remote::FingerprintRow> rows, std::span<const std::string_view> without) {
  require_writer();
  with_store([&](auto& store) {
    has_put_ = stale_ = true;
    if (!rows.empty()) store.put(rows);
    if (!without.empty() && store.knows_ids()) store.erase(without);
    left_out_ += without.size();
  });
}

std::uint64_t ServerCollection::add(std::span<const CollectionDocument> documents, Acknowledge) {
  const auto fingerprints = fingerprints_of(documents.size(), [&](std::size_t i) { return documents[i].text; });
  std::unordered_map<std::string_view, std::size_t> last;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    check_id(documents[i].id);
    last[documents[i].id] = i;
  }
  std::vector<remote::FingerprintRow> rows;
  std::vector<std::string_view> without;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const std::string_view id = documents[i].id;
    if (last[id] != i) continue;
    if (fingerprints[i]) {
      rows.push_back({id, *fingerprints[i]});
    } else {
      without.push_back(id);
    }
  }
  put_or_erase(rows, without);
  return 0;
}

std::uint64_t ServerCollection::add(std::span<const CollectionFingerprint> fingerprints, Acknowledge) {
  std::vector<remote::FingerprintRow> rows;
  for (const CollectionFingerprint& from : fingerprints) {
    check_id(from.id);
    collection::require_bits(from.fingerprint, options().profile);
    rows.push_back({from.id, from.fingerprint.words[0]});
  }
  put_or_erase(rows, {});
  return 0;
}

std::vector<CollectionOutcome> ServerCollection::add_unique(std::span<const CollectionDocument> documents, const CollectionQuery& query,
                                                            Acknowledge) {
  constexpr std::size_t slice_size = 2'048;  // all documents within one slice are compared with each other
  require_writer();
  std::vector<CollectionOutcome> out;
  for (std::size_t at = 0; at < documents.size(); at += slice_size) {
    auto slice = add_unique_slice(documents.subspan(at, std::min(slice_size, documents.size() - at)), query);
    std::move(slice.begin(), slice.end(), std::back_inserter(out));
  }
  return out;
}

std::vector<CollectionOutcome> ServerCollection::add_unique_slice(std::span<const CollectionDocument> documents,
                                                                  const CollectionQuery& query) {
  const auto fingerprints = fingerprints_of(documents.size(), [&](std::size_t i) { return documents[i].text; });
  for (const CollectionDocument& document : documents) check_id(document.id);
  const std::lock_guard one(adding_unique_);
  UniqueSlice::Place place;
  place.use = [this](const std::function<void(remote::FingerprintStore&)>& use) { with_store(use); };
  place.put = [this](auto rows, auto without) { put_or_erase(rows, without); };
  return collection::UniqueSlice(std::move(place), documents, fingerprints, k_of(query)).run();
}

std::uint64_t ServerCollection::erase(std::span<const std::string_view> ids, Acknowledge) {
  require_writer();
  std::vector<std::string_view> distinct(ids.begin(), ids.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  for (const std::string_view id : distinct) check_id(id);
  return with_store([&](auto& store) {
    has_put_ = stale_ = true;
    return store.erase(distinct);
  });
}

unsigned ServerCollection::k_of(const CollectionQuery& query) const {
  const unsigned k = query.k.value_or(options().k), most = store_->largest_k();
  collection::require_k(k, options().profile);
  if (k > most)
    refuse(
        fmt::format("{}: its layout has {} blocks, which find what differs in at most {} bits, not {}; a store for more is made with "
                    "collection create -k {}",
                    where_, most + 1, most, k, k));
  return k;
}

std::vector<CollectionAnswer> ServerCollection::answers(std::span<const std::optional<std::uint64_t>> asked, const CollectionQuery& query) {
  const unsigned k = k_of(query);
  std::vector<std::uint64_t> fingerprints;
  for (const auto& fingerprint : asked)
    if (fingerprint) fingerprints.push_back(*fingerprint);
  std::vector<CollectionAnswer> out(asked.size());
  if (fingerprints.empty()) return out;
  const auto found = with_fresh_store([&](auto& store) { return store.find(fingerprints, k); });
  std::size_t next = 0;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (!asked[i]) continue;
    for (const FoundRow& row : found[next]) out[i].matches.push_back(collection::match_of(row));
    ++next;
    shorten(out[i], query);
  }
  return out;
}

std::vector<CollectionAnswer> ServerCollection::query(std::span<const std::string_view> texts, const CollectionQuery& query) {
  return answers(fingerprints_of(texts.size(), [&](std::size_t i) { return texts[i]; }), query);
}

std::vector<CollectionAnswer> ServerCollection::query(std::span<const Fingerprint> fingerprints, const CollectionQuery& query) {
  std::vector<std::optional<std::uint64_t>> asked;
  for (const Fingerprint& fingerprint : fingerprints) {
    collection::require_bits(fingerprint, options().profile);
    asked.emplace_back(fingerprint.words[0]);
  }
  return answers(asked, query);
}

std::optional<CollectionAnswer> ServerCollection::query_id(std::string_view id, const CollectionQuery& query) {
  check_id(id);
  const auto fingerprint = with_fresh_store([&](auto& store) { return store.get(std::span(&id, 1)); });
  if (!fingerprint[0]) return std::nullopt;
  CollectionQuery all = query;
  all.most.reset();
  CollectionAnswer answer = std::move(answers(fingerprint, all)[0]);
  std::erase_if(answer.matches, [&](const CollectionMatch& match) { return match.id == id; });
  shorten(answer, query);
  return answer;
}

CollectionEntry entry_of(std::string_view id, std::uint64_t value) {
  CollectionEntry entry;
  entry.id = id;
  entry.fingerprint = Fingerprint{{value}, bit_count};
  entry.unverified = true;
  return entry;
}

std::vector<std::optional<CollectionEntry>> ServerCollection::get(std::span<const std::string_view> ids) {
  for (const std::string_view id : ids) check_id(id);
  const auto found = with_fresh_store([&](auto& store) { return store.get(ids); });
  std::vector<std::optional<CollectionEntry>> out(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (found[i]) out[i] = entry_of(ids[i], *found[i]);
  return out;
}

void ServerCollection::scan(const ScanPlace& from, const std::function<void(const CollectionEntry&)>& visit,
                            const std::function<void(const ScanPlace&)>& reached) {
  ScanPlace place = from;
  do {
    std::vector<CollectionEntry> step;  // visited without the lock, so that `visit` may call the collection
    place = with_fresh_store([&](auto& store) {
      return store.scan(place, [&](const remote::FingerprintRow& row) { step.push_back(entry_of(row.id, row.fingerprint)); });
    });
    for (const CollectionEntry& entry : step) visit(entry);
    if (reached && !place.empty()) reached(place);
  } while (!place.empty());
}

CollectionStats ServerCollection::stats() {
  remote::StoreSize size = with_fresh_store([](auto& store) { return store.size(); });
  CollectionStats stats;
  if (size.rows) {
    stats.documents = *size.rows;
  } else {
    scan({}, [&](const CollectionEntry&) { ++stats.documents; }, {});
  }
  stats.bytes = size.bytes;
  stats.server = std::move(size.server);
  return stats;
}

}  // namespace

void require_fingerprints_only(const std::string& where, const CollectionOptions& options) {
  if (options.profile.bits != bit_count)
    refuse(fmt::format("{}: profile {} has {} bits; stores on servers and in memory take profiles of 64 bits", where, options.profile.name,
                       options.profile.bits));
  if (options.texts || options.metadata)
    refuse(where + ": keeps fingerprints only; texts and metadata are kept by collections in directories");
}

// Article programs that write the least significant bit first also cut their blocks in this direction, so presets get the profile's bit
// order.
std::string layout_in_order_of(const Profile& profile, const std::string& layout) {
  if (!layout.starts_with("article-") || !writes_least_bit_first(profile.program)) return layout;
  return records::JsonObject().text("preset", layout).text("bits", "least-first").str();
}

void create_on_server(const std::string& url, const CollectionOptions& options) {
  const auto server = collection::connect(remote::parse_store_url(url));
  require_fingerprints_only(server->name(), options);
  const std::string layout =
      server->layout_of(options.layout.empty() ? default_layout : layout_in_order_of(options.profile, options.layout), options.k);
  server->make(collection::server_record(options, layout), layout);
}

std::unique_ptr<CollectionBackend> open_server(const std::string& url, Access access, const CollectionOpen& open) {
  const auto server = collection::connect(remote::parse_store_url(url));
  const std::optional<std::string> record = server->record();
  if (!record)
    refuse(fmt::format(
        "{0}: there is no record of Leitong; leitong collection create makes a new collection there, leitong collection inspect looks at "
        "what another program has stored, and leitong collection adopt takes it over",
        server->name()));
  collection::AboutCollection about = read_server_record(*record, server->name(), open);
  auto store = server->open(about.options.layout, about.options.ids == CollectionIds::number);
  return std::make_unique<ServerCollection>(server->name(), std::move(about), std::move(store), access, open);
}

std::unique_ptr<CollectionBackend> open_memory(const CollectionOptions& options, const CollectionOpen& open) {
  require_fingerprints_only("memory", options);
  collection::AboutCollection about;
  about.options = options;
  about.options.fingerprints_only = true;
  about.profile_id = leitong::profile_id(options.profile);
  return std::make_unique<ServerCollection>("memory", std::move(about), collection::make_memory_store(options.k), Access::write, open);
}

}  // namespace collection
}  // namespace leitong
