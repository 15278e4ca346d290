#include "search/search_lease.h"

#include <fmt/core.h>

#include <random>

#include "records/json_object.h"

namespace leitong::search {
namespace {

std::string random_name() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

}  // namespace

SearchLease::SearchLease(SearchClient& client, const std::string& index, std::chrono::milliseconds time)
    : client_(client), path_("/" + net::percent_encoded(index + "-leitong-leases")), own_(random_name()), time_(time) {}

std::optional<SearchLease::Seen> SearchLease::look() {
  const records::JsonValue there = client_.ask_for({.path = path_ + "/_doc/unique"});
  if (!there) return std::nullopt;
  const auto number = number_at(there, "_seq_no"), term = number_at(there, "_primary_term");
  if (!number || !term) return std::nullopt;
  return Seen{{*number, *term},
              std::string(text_at(there, "_source.owner").value_or("")),
              std::string(text_at(there, "_source.last").value_or("")),
              std::chrono::steady_clock::now()};
}

// Another writer may have created the index; the status is then 400.
void SearchLease::make_index() {
  (void)client_.ask_for({.method = "PUT", .path = path_, .body = R"({"settings":{"number_of_shards":1,"auto_expand_replicas":"0-1"}})"},
                        400);
}

// over: the version that was read and will be replaced; empty: there was none. Status 409: the version has changed since.
bool SearchLease::write(const std::string& owner, const std::optional<Version>& over) {
  const std::string body = records::JsonObject().text("owner", owner).text("last", taking_).str();
  const std::string path =
      over ? fmt::format("{}/_doc/unique?if_seq_no={}&if_primary_term={}", path_, over->number, over->term) : path_ + "/_create/unique";
  const records::JsonValue written = client_.ask_for({.method = "PUT", .path = path, .body = body}, 409);
  if (!written) {
    const auto there = look();  // it may be our own: an answer was lost, and the request was sent again
    if (!there || there->owner != owner || there->last != taking_) return false;
    held_ = there->version;
    return true;
  }
  held_ = {number_at(written, "_seq_no").value_or(0), number_at(written, "_primary_term").value_or(0)};
  return true;
}

bool SearchLease::take() {
  taking_ = fmt::format("{}.{}", own_, ++takings_);
  auto there = look();
  if (!there) {
    make_index();
    return write(taking_, std::nullopt);
  }
  if (there->owner.empty()) return write(taking_, there->version);
  if (!other_ || other_->version != there->version) other_ = there;
  return there->since - other_->since > time_ && write(taking_, there->version);
}

bool SearchLease::keep() { return write(taking_, held_); }

bool SearchLease::release() { return write("", held_); }

}  // namespace leitong::search
