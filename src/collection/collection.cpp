// The public class Collection: chooses the backend by the address and forwards every call to it.
#include "leitong/collection.h"

#include <fmt/format.h>

#include <algorithm>

#include "collection/backend.h"
#include "collection/server_collection.h"
#include "leitong/access.h"

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

bool is_better(const CollectionMatch& a, const CollectionMatch& b) {
  const double sa = a.similarity.value_or(-1), sb = b.similarity.value_or(-1);
  if (sa != sb) return sa > sb;
  if (a.distance != b.distance) return a.distance.value_or(~0U) < b.distance.value_or(~0U);
  return a.sequence != b.sequence ? a.sequence < b.sequence : a.id < b.id;
}

namespace {

// A directory is hardly ever called "http://host/x" or "redis:/host"; such a name is more likely a mistyped address.
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

void Collection::create(const std::string& where, const CollectionOptions& options) {
  collection::require_k(options.k, options.profile);
  collection::refuse_unknown_scheme(where);
  if (is_store_url(where)) return collection::create_on_server(where, options);
  if (!options.layout.empty()) throw Error(ErrorCode::usage, where + ": is a directory, and only stores on servers have a layout");
  collection::create_in_directory(where, options);
}
StoreInspection Collection::adopt(const std::string& url, const CollectionOptions& options, std::span<const CollectionDocument> sample) {
  collection::require_k(options.k, options.profile);
  if (!is_store_url(url)) throw Error(ErrorCode::usage, url + ": is no address of a server; only stores on servers can be adopted");
  return collection::adopt_on_server(url, options, sample);
}
Collection Collection::in_memory(const CollectionOptions& options, const CollectionOpen& open) {
  collection::require_k(options.k, options.profile);
  return Collection(collection::open_memory(options, open));
}

Collection::Collection(const std::string& where, Access access, const CollectionOpen& open)
    : backend_((collection::refuse_unknown_scheme(where), is_store_url(where)) ? collection::open_server(where, access, open)
                                                                               : collection::open_directory(where, access, open)) {}
Collection::Collection(std::unique_ptr<collection::CollectionBackend> backend) : backend_(std::move(backend)) {}
Collection::~Collection() = default;
Collection::Collection(Collection&&) noexcept = default;

const CollectionOptions& Collection::options() const { return backend_->options(); }
const std::string& Collection::profile_id() const { return backend_->profile_id(); }

std::uint64_t Collection::add(std::span<const CollectionDocument> documents, Acknowledge acknowledge) {
  return backend_->add(documents, acknowledge);
}
std::uint64_t Collection::add_fingerprints(std::span<const CollectionFingerprint> fingerprints, Acknowledge acknowledge) {
  return backend_->add(fingerprints, acknowledge);
}

struct Collection::Load::Parts {
  std::unique_ptr<collection::CollectionBackend::Load> load;
};
Collection::Load::Load(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Collection::Load::Load(Load&&) noexcept = default;
Collection::Load::~Load() = default;
void Collection::Load::add(std::span<const CollectionDocument> documents) { parts_->load->add(documents); }
void Collection::Load::add(std::span<const CollectionFingerprint> fingerprints) { parts_->load->add(fingerprints); }
std::uint64_t Collection::Load::commit() { return parts_->load->commit(); }
Collection::Load Collection::load() { return Load(std::make_unique<Load::Parts>(Load::Parts{backend_->load()})); }

std::vector<CollectionOutcome> Collection::add_unique(std::span<const CollectionDocument> documents, const CollectionQuery& query,
                                                      Acknowledge acknowledge) {
  return backend_->add_unique(documents, query, acknowledge);
}
std::uint64_t Collection::erase(std::span<const std::string_view> ids, Acknowledge acknowledge) {
  return backend_->erase(ids, acknowledge);
}

CollectionAnswer Collection::query(std::string_view text, const CollectionQuery& query) const {
  return std::move(backend_->query(std::span(&text, 1), query)[0]);
}
CollectionAnswer Collection::query(const Fingerprint& fingerprint, const CollectionQuery& query) const {
  return std::move(backend_->query(std::span(&fingerprint, 1), query)[0]);
}
std::vector<CollectionAnswer> Collection::query_all(std::span<const std::string_view> texts, const CollectionQuery& query) const {
  return backend_->query(texts, query);
}
std::vector<CollectionAnswer> Collection::query_all(std::span<const Fingerprint> fingerprints, const CollectionQuery& query) const {
  return backend_->query(fingerprints, query);
}
std::optional<CollectionAnswer> Collection::query_id(std::string_view id, const CollectionQuery& query) const {
  return backend_->query_id(id, query);
}
std::optional<CollectionEntry> Collection::get(std::string_view id) const { return std::move(backend_->get(std::span(&id, 1))[0]); }
std::vector<std::optional<CollectionEntry>> Collection::get_all(std::span<const std::string_view> ids) const { return backend_->get(ids); }
void Collection::scan(const std::function<void(const CollectionEntry&)>& visit) const { backend_->scan({}, visit, {}); }
void Collection::scan_from(const std::string& place, const std::function<void(const CollectionEntry&)>& visit,
                           const std::function<void(const std::string&)>& reached) const {
  backend_->scan(place, visit, reached);
}
CollectionStats Collection::stats() const { return backend_->stats(); }
std::uint64_t Collection::left_out() const { return backend_->left_out(); }

CollectionClusterState Collection::update_clusters(const CollectionClusterOptions& options,
                                                   const std::function<void(const CollectionClusterChange&)>& tell) {
  return backend_->update_clusters(options, tell);
}
CollectionClusterState Collection::clusters(const std::function<void(const CollectionCluster&)>& visit) const {
  return backend_->clusters(visit);
}

void Collection::sync() { backend_->sync(); }
void Collection::compact() { backend_->compact(); }
void Collection::refresh() { backend_->refresh(); }
void Collection::close() { backend_->close(); }
void Collection::check() const { backend_->check(); }
void Collection::backup(const std::string& directory) const { backend_->backup(directory); }

}  // namespace leitong
