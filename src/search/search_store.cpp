#include "search/search_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <thread>
#include <unordered_map>

#include "net/printable.h"
#include "records/json_object.h"
#include "records/utf8.h"

namespace leitong::search {
namespace {

constexpr std::size_t longest_id = 512;
constexpr std::size_t ids_a_search = 1'000;
constexpr std::size_t checks_a_request = 250;
// Queries in one search. The server compares each candidate with all of them, so more are not always faster.
constexpr std::size_t first_together = 4, most_together = 64;
constexpr std::chrono::hours merge_time{24};
constexpr std::uint64_t worth_waiting = 50'000;  // rows; with fewer, a merge that frees 40 bytes of each is not worth the wait

// Whether a query of params.q is within params.k bits of the document's fingerprint, which is a number, or a text of digits to the base r.
constexpr std::string_view script =
    "if (doc[params.f].size() == 0) return false; "
    "long f; if (params.r == 0) { f = doc[params.f].value; } "
    "else { String s = doc[params.f].value; f = params.signed ? Long.parseLong(s) : Long.parseUnsignedLong(s, params.r); } "
    "if (params.reverse) { f = Long.reverse(f); } "
    "for (long q : params.q) { if (Long.bitCount(f ^ q) <= params.k) return true; } return false;";

struct ScriptForm {
  WrittenForm form;
  unsigned base;
  bool is_signed, reverse;
};
constexpr std::array script_forms = {
    ScriptForm{WrittenForm::bits_most_first, 2, false, false},
    ScriptForm{WrittenForm::bits_least_first, 2, false, true},
    ScriptForm{WrittenForm::hex, 16, false, false},
    ScriptForm{WrittenForm::reversed_hex, 16, false, true},
    ScriptForm{WrittenForm::decimal, 10, false, false},
    ScriptForm{WrittenForm::reversed_decimal, 10, false, true},
    ScriptForm{WrittenForm::signed_decimal, 10, true, false},
    ScriptForm{WrittenForm::reversed_signed_decimal, 10, true, true},
};

std::string script_query(const SearchLayout& layout, std::string_view numbers, unsigned k) {
  ScriptForm form{WrittenForm::signed_decimal, 0, false, false};
  for (const ScriptForm& one : script_forms) {
    if (layout.written == one.form) form = one;
  }
  records::JsonObject params, inner;
  params.text("f", layout.read_field()).number("r", form.base).boolean("signed", form.is_signed).boolean("reverse", form.reverse);
  params.number("k", k).raw("q", fmt::format("[{}]", numbers));
  inner.text("lang", "painless").text("source", script).raw("params", params.str());
  return records::JsonObject().raw("script", records::JsonObject().raw("script", inner.str()).str()).str();
}

void check_id(std::string_view id) {
  if (id.empty() || id.size() > longest_id) {
    throw Error(ErrorCode::usage, fmt::format("the id \"{}\" has {} bytes: a search server takes ids of 1 to {}", net::printable(id, 60),
                                              id.size(), longest_id));
  }
  if (!records::valid_utf8(id)) {
    throw Error(ErrorCode::usage, fmt::format("the id \"{}\" is not UTF-8: a search server takes no other", net::printable(id, 60)));
  }
}

std::string terms_query(std::string_view field, const std::vector<std::string>& values) {
  return records::JsonObject().raw("terms", records::JsonObject().texts(field, values).str()).str();
}

std::string filters(const std::vector<std::string>& queries) {
  return fmt::format(R"({{"bool":{{"filter":[{}]}}}})", fmt::join(queries, ","));
}

// A query for all documents that share a block with one of the queries; with `filter`, only those within k bits of one.
std::string near_query(const SearchLayout& layout, std::span<const std::uint64_t> queries, unsigned k, bool filter) {
  std::vector<std::string> terms;
  std::string numbers;
  for (const std::uint64_t query : queries) {
    for (std::string& term : terms_of(layout, query)) terms.push_back(std::move(term));
    fmt::format_to(std::back_inserter(numbers), "{}{}", numbers.empty() ? "" : ",", static_cast<std::int64_t>(query));
  }
  std::sort(terms.begin(), terms.end());
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  std::vector<std::string> all{terms_query(layout.asked_field(), terms)};
  if (filter) all.push_back(script_query(layout, numbers, k));
  return filters(all);
}

// The rows that a search found within k bits of one of its queries. If an id comes twice, it was written meanwhile, and its later
// fingerprint counts.
class NearRows {
 public:
  NearRows(std::span<const std::uint64_t> queries, unsigned k) : queries_(queries), k_(k) {}
  void see(std::string_view id, std::uint64_t fingerprint) {
    const bool near =
        std::any_of(queries_.begin(), queries_.end(), [&](std::uint64_t query) { return distance(query, fingerprint) <= k_; });
    if (!near && rows_.empty()) return;
    std::string name(id);
    if (near || rows_.count(name) > 0) rows_[std::move(name)] = fingerprint;
  }
  // Appends the rows near queries[i] to found[i].
  void give(std::span<std::vector<remote::FoundRow>> found) const {
    for (const auto& [id, fingerprint] : rows_) {
      for (std::size_t i = 0; i < queries_.size(); ++i) {
        if (const unsigned bits = distance(queries_[i], fingerprint); bits <= k_) found[i].push_back({id, fingerprint, bits});
      }
    }
  }

 private:
  static unsigned distance(std::uint64_t a, std::uint64_t b) { return static_cast<unsigned>(std::popcount(a ^ b)); }
  std::span<const std::uint64_t> queries_;
  unsigned k_;
  std::unordered_map<std::string, std::uint64_t> rows_;
};

// The position of a scan: "shard:sequence number:index".
struct Place {
  SearchShard shard;
  std::int64_t after = -1;
};

std::string text_of(const Place& place) { return fmt::format("{}:{}:{}", place.shard.number, place.after, place.shard.index); }

Place read_place(std::string_view text) {
  Place place;
  const char* end = text.data() + text.size();
  const auto shard = std::from_chars(text.data(), end, place.shard.number);
  const auto after = shard.ptr == end ? shard : std::from_chars(shard.ptr + 1, end, place.after);
  if (shard.ec != std::errc() || after.ec != std::errc() || after.ptr == end || *after.ptr != ':' || *shard.ptr != ':') {
    throw Error(ErrorCode::usage, fmt::format("\"{}\" is no place of a scan of a search server", net::printable(text, 60)));
  }
  place.shard.index = std::string(after.ptr + 1, end);
  return place;
}

}  // namespace

SearchStore::SearchStore(SearchStoreSettings settings, SearchLayout layout)
    : settings_(std::move(settings)),
      layout_(std::move(layout)),
      client_(settings_.http),
      hits_(client_, layout_, settings_.index, settings_.page),
      bulk_(client_, path("_bulk") + (settings_.refresh.empty() ? "" : "?refresh=" + settings_.refresh), settings_.bulk_bytes),
      lease_(client_, settings_.index, remote::reservation_time),
      scripts_(settings_.filter != SearchFilter::client),
      together_(first_together) {
  if (settings_.filter == SearchFilter::server && !layout_.doc_values) {
    throw Error(ErrorCode::usage, "filter=server: the server can compute distances only of fingerprints with doc_values");
  }
}

std::string SearchStore::path(std::string_view rest) const { return fmt::format("/{}/{}", net::percent_encoded(settings_.index), rest); }

void SearchStore::put(std::span<const remote::FingerprintRow> rows) {
  (void)hits_.shards();  // otherwise the server would create a missing index, with a mapping of its own
  std::unordered_map<std::string_view, std::size_t> place;
  std::vector<const remote::FingerprintRow*> last;
  for (const remote::FingerprintRow& row : rows) {
    check_id(row.id);
    const auto [found, fresh] = place.try_emplace(row.id, last.size());
    if (fresh) {
      last.push_back(&row);
    } else {
      last[found->second] = &row;
    }
  }
  if (layout_.own_ids()) {
    put_own_ids(last);
  } else {
    put_by_field(last);
  }
}

void SearchStore::put_own_ids(std::span<const remote::FingerprintRow* const> rows) {
  BulkActions actions;
  std::string document;
  for (const remote::FingerprintRow* row : rows) {
    document.clear();
    append_document(layout_, row->id, row->fingerprint, document);
    if (layout_.other_fields) {
      actions.merge(row->id, document);
    } else {
      actions.index(row->id, document);
    }
  }
  (void)bulk_.send(actions);
}

// The first document that has the id is changed and the others are removed, so that one remains.
void SearchStore::put_by_field(std::span<const remote::FingerprintRow* const> rows) {
  refresh();
  std::vector<std::string_view> ids;
  for (const remote::FingerprintRow* row : rows) ids.push_back(row->id);
  std::vector<std::vector<std::string>> documents(rows.size());
  documents_of(ids, [&](std::size_t i, const SearchHit& hit) { documents[i].emplace_back(hit.document); });
  BulkActions actions;
  std::string document;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<std::string>& there = documents[i];
    std::sort(there.begin(), there.end());
    there.erase(std::unique(there.begin(), there.end()), there.end());  // a document returned twice is not a duplicate of itself
    if (there.empty()) there.emplace_back(rows[i]->id);
    document.clear();
    append_document(layout_, rows[i]->id, rows[i]->fingerprint, document);
    if (layout_.other_fields) {
      actions.merge(there.front(), document);
    } else {
      actions.index(there.front(), document);
    }
    for (std::size_t more = 1; more < there.size(); ++more) actions.remove(there[more]);
  }
  (void)bulk_.send(actions);
}

std::uint64_t SearchStore::erase(std::span<const std::string_view> ids) {
  std::vector<std::string_view> once(ids.begin(), ids.end());
  std::sort(once.begin(), once.end());
  once.erase(std::unique(once.begin(), once.end()), once.end());
  BulkActions actions;
  if (layout_.own_ids()) {
    for (const std::string_view id : once) {
      check_id(id);
      actions.remove(id);
    }
    return bulk_.send(actions);
  }
  refresh();
  std::vector<std::string> documents;
  std::vector<bool> there(once.size());
  documents_of(once, [&](std::size_t i, const SearchHit& hit) {
    documents.emplace_back(hit.document);
    there[i] = true;
  });
  std::sort(documents.begin(), documents.end());
  documents.erase(std::unique(documents.begin(), documents.end()), documents.end());
  for (const std::string& document : documents) actions.remove(document);
  (void)bulk_.send(actions);
  return static_cast<std::uint64_t>(std::count(there.begin(), there.end(), true));
}

void SearchStore::documents_of(std::span<const std::string_view> ids, const std::function<void(std::size_t, const SearchHit&)>& visit) {
  for (std::size_t from = 0; from < ids.size(); from += ids_a_search) {
    const auto some = ids.subspan(from, std::min(ids_a_search, ids.size() - from));
    std::unordered_multimap<std::string_view, std::size_t> places;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < some.size(); ++i) {
      check_id(some[i]);
      if (places.find(some[i]) == places.end()) names.emplace_back(some[i]);
      places.emplace(some[i], from + i);
    }
    const std::string query = layout_.own_ids() ? fmt::format(R"({{"ids":{}}})", records::JsonObject().texts("values", names).str())
                                                : terms_query(layout_.id_field, names);
    (void)hits_.all(std::span(&query, 1), [&](std::size_t, const SearchHit& hit) {
      const auto [begin, end] = places.equal_range(hit.id);
      for (auto place = begin; place != end; ++place) visit(place->second, hit);
    });
  }
}

std::vector<std::optional<std::uint64_t>> SearchStore::get(std::span<const std::string_view> ids) {
  std::vector<std::optional<std::uint64_t>> found(ids.size());
  documents_of(ids, [&](std::size_t i, const SearchHit& hit) {
    if (hit.fingerprint) found[i] = hit.fingerprint;
  });
  return found;
}

std::vector<std::vector<remote::FoundRow>> SearchStore::find(std::span<const std::uint64_t> queries, unsigned k) {
  if (k > largest_k()) {
    throw Error(ErrorCode::usage,
                fmt::format("k = {}: {} blocks find all up to k = {}; take a layout with more", k, layout_.form.blocks, largest_k()));
  }
  std::vector<std::vector<remote::FoundRow>> found(queries.size());
  for (std::size_t from = 0; from < queries.size();) {
    const std::size_t some = std::min(together_ * settings_.searches_a_request, queries.size() - from);
    try {
      find_batch(queries.subspan(from, some), k, std::span(found).subspan(from, some));
    } catch (const ScriptRefusal&) {
      // If the server runs no scripts, all candidates are fetched and filtered here.
      if (settings_.filter == SearchFilter::server || !server_filters()) throw;
      scripts_ = false;
      continue;
    }
    from += some;
  }
  for (auto& rows : found) {
    std::sort(rows.begin(), rows.end(), [](const remote::FoundRow& a, const remote::FoundRow& b) {
      return a.distance != b.distance ? a.distance < b.distance : a.id < b.id;
    });
  }
  return found;
}

void SearchStore::find_batch(std::span<const std::uint64_t> queries, unsigned k, std::span<std::vector<remote::FoundRow>> found) {
  const std::size_t together = together_;
  const auto begin = net::Clock::now();
  std::vector<std::string> searches;
  std::vector<NearRows> near;
  for (std::size_t from = 0; from < queries.size(); from += together) {
    const auto some = queries.subspan(from, std::min(together, queries.size() - from));
    searches.push_back(near_query(layout_, some, k, server_filters()));
    near.emplace_back(some, k);
  }
  const std::size_t most = hits_.all(searches, [&](std::size_t search, const SearchHit& hit) {
    if (hit.fingerprint && !hit.id.empty()) near[search].see(hit.id, *hit.fingerprint);
  });
  for (std::size_t search = 0; search < near.size(); ++search) near[search].give(found.subspan(search * together));
  // As many queries in one search as the server answers in a small part of the time-out, without a second page.
  const auto took = net::Clock::now() - begin, timeout = net::Clock::duration(client_.settings().timeout);
  if (most >= settings_.page || took > timeout / 8) {
    together_ = std::max<std::size_t>(1, together / 2);
  } else if (most < settings_.page / 4 && took < timeout / 32) {
    together_ = std::min(most_together, together * 2);
  }
}

remote::ScanPlace SearchStore::scan(const remote::ScanPlace& place, const std::function<void(const remote::FingerprintRow&)>& visit) {
  const std::vector<SearchShard>& shards = hits_.shards();
  Place at{shards.front(), -1};
  if (!place.empty()) at = read_place(place);
  const auto shard = std::find_if(shards.begin(), shards.end(),
                                  [&](const SearchShard& one) { return one.index == at.shard.index && one.number == at.shard.number; });
  if (shard == shards.end()) {
    throw Error(ErrorCode::usage, fmt::format("the scan was in shard {} of index {}, which is no longer behind {}: begin again",
                                              at.shard.number, at.shard.index, settings_.index));
  }
  const auto next = hits_.page(at.shard, at.after, R"({"match_all":{}})", [&](const SearchHit& hit) {
    if (hit.fingerprint && !hit.id.empty()) visit({hit.id, *hit.fingerprint});
  });
  if (next) return text_of({at.shard, *next});
  return shard + 1 == shards.end() ? remote::ScanPlace() : text_of({shard[1], -1});
}

remote::StoreSize SearchStore::size() {
  remote::StoreSize size;
  size.server = client_.server();
  size.rows = number_at(client_.ask({.path = path("_count?filter_path=count,_shards")}), "count");
  size.bytes = number_at(client_.ask({.path = path("_stats/store?filter_path=_all.primaries.store.size_in_bytes")}),
                         "_all.primaries.store.size_in_bytes")
                   .value_or(0);
  try {
    const auto nodes = number_at(client_.ask({.path = "/_cluster/health?filter_path=number_of_nodes"}), "number_of_nodes");
    if (nodes) size.server += fmt::format(", {} node{}", *nodes, *nodes == 1 ? "" : "s");
  } catch (const net::Refusal&) {
    // Many accounts may only access their own index.
  }
  return size;
}

void SearchStore::refresh() { (void)client_.ask({.method = "POST", .path = path("_refresh")}); }

// The server keeps operations in addition to the documents until the primary shard knows that every copy has them (retention leases). A
// merge before that would keep them for good.
void SearchStore::wait_for_leases() {
  const net::HttpRequest request{.path = path("_stats?level=shards&filter_path=indices.*.shards")};
  for (const auto deadline = net::Clock::now() + settings_.lease_wait; net::Clock::now() < deadline;
       std::this_thread::sleep_for(std::chrono::milliseconds(200))) {
    bool behind = false;
    records::JsonMembers indices, shards;
    records::JsonElements copies, leases;
    if (!client_.ask(request)["indices"].get(indices)) return;
    for (const records::JsonMember& index : indices) {
      if (!index.value["shards"].get(shards)) continue;
      for (const records::JsonMember& shard : shards) {
        if (!shard.value.get(copies)) continue;
        for (const records::JsonValue copy : copies) {
          std::int64_t checkpoint = -1;
          if (!value_at(copy, "seq_no.global_checkpoint").get(checkpoint)) continue;
          if (!value_at(copy, "retention_leases.leases").get(leases)) continue;
          for (const records::JsonValue lease : leases)
            behind = behind || static_cast<std::int64_t>(number_at(lease, "retaining_seq_no").value_or(0)) <= checkpoint;
        }
      }
    }
    if (!behind) return;
  }
}

// Merges each shard into one segment, which keeps only the needed parts of the documents.
void SearchStore::compact() {
  const auto flush = [&] {
    (void)client_.ask({.method = "POST", .path = path("_flush?force=true&wait_if_ongoing=true"), .timeout = merge_time});
  };
  flush();
  const auto rows = number_at(client_.ask({.path = path("_count?filter_path=count")}), "count");
  if (!layout_.source && rows.value_or(0) >= worth_waiting) wait_for_leases();
  flush();
  (void)client_.ask({.method = "POST", .path = path("_forcemerge?max_num_segments=1"), .timeout = merge_time});
  refresh();
}

void SearchStore::check() {
  refresh();
  std::vector<std::pair<std::string, std::uint64_t>> rows;
  const auto wrong = [&](std::string_view document, std::string_view what) {
    throw Error(ErrorCode::format,
                fmt::format("index {}, document \"{}\": {}; put the row again", settings_.index, net::printable(document, 100), what));
  };
  for (const SearchShard& shard : hits_.shards()) {
    std::optional<std::int64_t> after = -1;
    while (after) {
      rows.clear();
      after = hits_.page(shard, *after, R"({"match_all":{}})", [&](const SearchHit& hit) {
        if (!hit.fingerprint) return wrong(hit.document, fmt::format("its field {} holds no fingerprint", layout_.fingerprint_field));
        rows.emplace_back(hit.document, *hit.fingerprint);
      });
      check_terms(rows);
    }
  }
}

// Each document must be found by all of its terms. The inverted index is asked, because searches use it, and not _source. Additional terms
// of a document are not detected; they cost time, but cause no wrong results.
void SearchStore::check_terms(const std::vector<std::pair<std::string, std::uint64_t>>& rows) {
  for (std::size_t from = 0; from < rows.size(); from += checks_a_request) {
    std::vector<std::string> queries;
    for (std::size_t i = from; i < std::min(from + checks_a_request, rows.size()); ++i) {
      std::vector<std::string> all{fmt::format(R"({{"ids":{{"values":[{}]}}}})", json_text(rows[i].first))};
      for (const std::string& term : terms_of(layout_, rows[i].second)) {
        all.push_back(records::JsonObject().raw("term", records::JsonObject().text(layout_.asked_field(), term).str()).str());
      }
      queries.push_back(filters(all));
    }
    const std::vector<std::uint64_t> counts = hits_.count(queries);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] > 0) continue;
      const auto& [document, fingerprint] = rows[from + i];
      throw Error(ErrorCode::format,
                  fmt::format("index {}, document \"{}\": it is not found by all blocks of its fingerprint {:016x}; put the row again",
                              settings_.index, net::printable(document, 100), fingerprint));
    }
  }
}

}  // namespace leitong::search
