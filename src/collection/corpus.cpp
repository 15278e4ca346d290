// The public collection: which kind of place an address is, and everything else handed on.
#include "leitong/corpus.h"

#include <fmt/format.h>

#include <algorithm>

#include "collection/corpus_backend.h"
#include "collection/server_corpus.h"

namespace leitong {
namespace collection {

void require_k(unsigned k, const Profile& profile) {
  if (k > profile.bits)
    throw Error(ErrorCode::usage, fmt::format("k is {}; fingerprints of {} bits differ in 0 to {}", k, profile.bits, profile.bits));
}

void require_bits(const Fingerprint& fingerprint, const Profile& profile) {
  if (fingerprint.bits != profile.bits)
    throw Error(ErrorCode::usage,
                fmt::format("a fingerprint of {} bits; those of this collection have {}", fingerprint.bits, profile.bits));
}

bool is_better(const CorpusMatch& a, const CorpusMatch& b) {
  const double sa = a.similarity.value_or(-1), sb = b.similarity.value_or(-1);
  if (sa != sb) return sa > sb;
  if (a.distance != b.distance) return a.distance.value_or(~0U) < b.distance.value_or(~0U);
  return a.sequence != b.sequence ? a.sequence < b.sequence : a.id < b.id;
}

namespace {

// "http://host/x" or "redis:/host" would be a strange name of a directory; a mistyped address is more likely.
void refuse_unknown_scheme(const std::string& where) {
  const std::size_t colon = where.find(":/");
  const bool scheme =
      colon != std::string::npos && colon > 0 && std::all_of(where.begin(), where.begin() + static_cast<std::ptrdiff_t>(colon), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
      });
  if (scheme && !is_store_url(where))
    throw Error(ErrorCode::usage, fmt::format("{}...: is no address of a store; those begin with redis://, rediss://, redis+cluster://, "
                                              "rediss+cluster://, es+http:// or es+https://, and a directory of this name is ./{}",
                                              where.substr(0, colon + 2), where.substr(0, colon + 2)));
}

}  // namespace
}  // namespace collection

void Corpus::create(const std::string& where, const CorpusOptions& options) {
  collection::require_k(options.k, options.profile);
  collection::refuse_unknown_scheme(where);
  if (is_store_url(where)) return collection::create_on_server(where, options);
  if (!options.layout.empty()) throw Error(ErrorCode::usage, where + ": is a directory, and only stores on servers have a layout");
  collection::create_in_directory(where, options);
}
StoreInspection Corpus::adopt(const std::string& url, const CorpusOptions& options, std::span<const CorpusDocument> sample) {
  collection::require_k(options.k, options.profile);
  if (!is_store_url(url)) throw Error(ErrorCode::usage, url + ": is no address of a server; only stores on servers can be adopted");
  return collection::adopt_on_server(url, options, sample);
}
Corpus Corpus::in_memory(const CorpusOptions& options, const CorpusOpen& open) {
  collection::require_k(options.k, options.profile);
  return Corpus(collection::open_memory(options, open));
}

Corpus::Corpus(const std::string& where, Access access, const CorpusOpen& open)
    : backend_((collection::refuse_unknown_scheme(where), is_store_url(where)) ? collection::open_server(where, access, open)
                                                                               : collection::open_directory(where, access, open)) {}
Corpus::Corpus(std::unique_ptr<collection::CorpusBackend> backend) : backend_(std::move(backend)) {}
Corpus::~Corpus() = default;
Corpus::Corpus(Corpus&&) noexcept = default;

const CorpusOptions& Corpus::options() const { return backend_->options(); }
const std::string& Corpus::profile_id() const { return backend_->profile_id(); }

std::uint64_t Corpus::add(std::span<const CorpusDocument> documents, Acknowledge acknowledge) {
  return backend_->add(documents, acknowledge);
}
std::uint64_t Corpus::add_fingerprints(std::span<const CorpusFingerprint> fingerprints, Acknowledge acknowledge) {
  return backend_->add(fingerprints, acknowledge);
}

struct Corpus::Load::Parts {
  std::unique_ptr<collection::CorpusBackend::Load> load;
};
Corpus::Load::Load(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Corpus::Load::Load(Load&&) noexcept = default;
Corpus::Load::~Load() = default;
void Corpus::Load::add(std::span<const CorpusDocument> documents) { parts_->load->add(documents); }
void Corpus::Load::add(std::span<const CorpusFingerprint> fingerprints) { parts_->load->add(fingerprints); }
std::uint64_t Corpus::Load::commit() { return parts_->load->commit(); }
Corpus::Load Corpus::load() { return Load(std::make_unique<Load::Parts>(Load::Parts{backend_->load()})); }

std::vector<CorpusOutcome> Corpus::add_unique(std::span<const CorpusDocument> documents, const CorpusQuery& query,
                                              Acknowledge acknowledge) {
  return backend_->add_unique(documents, query, acknowledge);
}
std::uint64_t Corpus::erase(std::span<const std::string_view> ids, Acknowledge acknowledge) { return backend_->erase(ids, acknowledge); }

CorpusAnswer Corpus::query(std::string_view text, const CorpusQuery& query) const {
  return std::move(backend_->query(std::span(&text, 1), query)[0]);
}
CorpusAnswer Corpus::query(const Fingerprint& fingerprint, const CorpusQuery& query) const {
  return std::move(backend_->query(std::span(&fingerprint, 1), query)[0]);
}
std::vector<CorpusAnswer> Corpus::query_all(std::span<const std::string_view> texts, const CorpusQuery& query) const {
  return backend_->query(texts, query);
}
std::vector<CorpusAnswer> Corpus::query_all(std::span<const Fingerprint> fingerprints, const CorpusQuery& query) const {
  return backend_->query(fingerprints, query);
}
std::optional<CorpusAnswer> Corpus::query_id(std::string_view id, const CorpusQuery& query) const { return backend_->query_id(id, query); }
std::optional<CorpusEntry> Corpus::get(std::string_view id) const { return std::move(backend_->get(std::span(&id, 1))[0]); }
std::vector<std::optional<CorpusEntry>> Corpus::get_all(std::span<const std::string_view> ids) const { return backend_->get(ids); }
void Corpus::scan(const std::function<void(const CorpusEntry&)>& visit) const { backend_->scan({}, visit, {}); }
void Corpus::scan_from(const std::string& place, const std::function<void(const CorpusEntry&)>& visit,
                       const std::function<void(const std::string&)>& reached) const {
  backend_->scan(place, visit, reached);
}
CorpusStats Corpus::stats() const { return backend_->stats(); }
std::uint64_t Corpus::left_out() const { return backend_->left_out(); }

CorpusClusterState Corpus::update_clusters(const CorpusClusterOptions& options,
                                           const std::function<void(const CorpusClusterChange&)>& tell) {
  return backend_->update_clusters(options, tell);
}
CorpusClusterState Corpus::clusters(const std::function<void(const CorpusCluster&)>& visit) const { return backend_->clusters(visit); }

void Corpus::sync() { backend_->sync(); }
void Corpus::compact() { backend_->compact(); }
void Corpus::refresh() { backend_->refresh(); }
void Corpus::close() { backend_->close(); }
void Corpus::check() const { backend_->check(); }
void Corpus::backup(const std::string& directory) const { backend_->backup(directory); }

}  // namespace leitong
