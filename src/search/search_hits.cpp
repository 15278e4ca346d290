#include "search/search_hits.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <thread>

#include "net/printable.h"

namespace leitong::search {
namespace {

using simdjson::dom::element;

constexpr unsigned most_shards = 1'024;  // of an index; the server's own limit

// The parts of each hit that the server should return.
std::string wanted_of(const SearchLayout& layout) {
  if (layout.doc_values && layout.own_ids())
    return fmt::format(R"("_source":false,"docvalue_fields":[{}])", json_text(layout.read_field()));
  std::string fields = json_text(layout.block_field) + "," + json_text(layout.fingerprint_field);
  if (!layout.own_ids()) fields += "," + json_text(layout.id_field);
  return fmt::format(R"("_source":[{}])", fields);
}

element first_of(element value) {
  simdjson::dom::array values;
  if (value.get(values) == simdjson::SUCCESS && values.size() > 0) return *values.begin();
  return value;
}

std::optional<std::uint64_t> fingerprint_in(const SearchLayout& layout, element value) {
  value = first_of(value);
  if (std::string_view text; value.get(text) == simdjson::SUCCESS) return read_fingerprint(layout, text);
  std::string digits;
  if (std::int64_t number = 0; value.get(number) == simdjson::SUCCESS) {
    if (!layout.written) return static_cast<std::uint64_t>(number);
    digits = std::to_string(number);
  } else if (std::uint64_t wide = 0; value.get(wide) == simdjson::SUCCESS) {
    if (!layout.written) return wide;
    digits = std::to_string(wide);
  }
  return digits.empty() ? std::nullopt : read_fingerprint(layout, digits);
}

// The reason why a search is incomplete; empty if it is complete.
std::optional<SearchError> missing_in(element response) {
  const auto status = static_cast<unsigned>(number_at(response, "status").value_or(200));
  if (const auto error = value_at(response, "error")) return search_error_in(*error, status);
  const auto total = number_at(response, "_shards.total"), good = number_at(response, "_shards.successful");
  bool timed_out = false;
  if (const auto said = value_at(response, "timed_out")) timed_out = said->get(timed_out) == simdjson::SUCCESS && timed_out;
  if (!timed_out && total && total == good) return std::nullopt;
  simdjson::dom::array failures;
  if (const auto all = value_at(response, "_shards.failures"); all && all->get(failures) == simdjson::SUCCESS && failures.size() > 0) {
    if (const auto reason = value_at(*failures.begin(), "reason")) return search_error_in(*reason, 503);
  }
  return SearchError{503, "", timed_out ? "the search timed out" : "not all shards answered"};
}

}  // namespace

std::optional<element> field_at(element document, std::string_view path) {
  element value;
  if (document[path].get(value) == simdjson::SUCCESS) return value;
  return value_at(document, path);
}

SearchHits::SearchHits(SearchClient& client, const SearchLayout& layout, std::string index, std::size_t page)
    : client_(client), layout_(layout), index_(std::move(index)), wanted_(wanted_of(layout)), page_(page) {}

SearchHit SearchHits::read(element hit) const {
  SearchHit out{.document = text_at(hit, "_id").value_or(""), .id = {}, .fingerprint = std::nullopt, .raw = hit};
  const auto source = value_at(hit, "_source");
  const auto fields = value_at(hit, "fields");
  if (layout_.own_ids()) {
    out.id = out.document;
  } else if (source) {
    const auto id = field_at(*source, layout_.id_field);
    if (std::string_view text; id && first_of(*id).get(text) == simdjson::SUCCESS) out.id = text;
  }
  element value;
  if (fields && (*fields)[layout_.read_field()].get(value) == simdjson::SUCCESS) {
    out.fingerprint = fingerprint_in(layout_, value);
  } else if (source) {
    if (const auto written = field_at(*source, layout_.fingerprint_field)) out.fingerprint = fingerprint_in(layout_, *written);
  }
  return out;
}

// Repeats the request until every search is complete. `responses`: the path of the searches in the answer; empty: the answer is the only
// one.
element SearchHits::whole(const net::HttpRequest& request, std::string_view responses) {
  const net::HttpRetry& retry = client_.settings().retry;
  const auto deadline = net::Clock::now() + retry.total;
  auto pause = retry.first_pause;
  for (;;) {
    const element answer = client_.ask(request);
    std::optional<SearchError> missing;
    if (responses.empty()) {
      missing = missing_in(answer);
    } else {
      simdjson::dom::array all;
      if (answer[responses].get(all) != simdjson::SUCCESS) client_.fail(request, "the answer holds no responses");
      for (const element one : all) {
        if (!missing) missing = missing_in(one);
      }
    }
    if (!missing) return answer;
    if (known_search_error(*missing).kind != SearchErrorKind::later || net::Clock::now() + pause >= deadline)
      client_.fail(request, "", *missing);
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, retry.longest_pause);
  }
}

simdjson::dom::array SearchHits::multi_search(std::span<const std::string> bodies, std::string_view filter) {
  std::string lines;
  for (const std::string& body : bodies) {
    lines += "{}\n";
    lines += body;
    lines += '\n';
  }
  const net::HttpRequest request{
      .method = "POST",
      .path = fmt::format("/{}/_msearch?filter_path=responses.error,responses.status,responses.timed_out,responses._shards,{}",
                          net::percent_encoded(index_), filter),
      .body = lines,
      .type = "application/x-ndjson"};
  simdjson::dom::array responses = whole(request, "responses")["responses"];
  if (responses.size() != bodies.size()) client_.fail(request, "the answer has another number of responses than there are searches");
  return responses;
}

std::size_t SearchHits::all(std::span<const std::string> queries, const std::function<void(std::size_t, const SearchHit&)>& visit) {
  if (queries.empty()) return 0;
  std::vector<std::string> bodies;
  for (const std::string& query : queries)
    bodies.push_back(fmt::format(R"({{"size":{},"track_total_hits":false,{},"query":{}}})", page_, wanted_, query));
  std::vector<std::size_t> longer;
  std::size_t most = 0, number = 0;
  for (const element response : multi_search(bodies, "responses.hits.hits._id,responses.hits.hits.fields,responses.hits.hits._source")) {
    const std::size_t i = number++;
    simdjson::dom::array hits;
    const auto found = value_at(response, "hits.hits");
    if (!found || found->get(hits) != simdjson::SUCCESS) continue;  // filter_path omits empty ones
    most = std::max(most, hits.size());
    if (hits.size() >= page_) {
      longer.push_back(i);
      continue;
    }
    for (const element hit : hits) visit(i, read(hit));
  }
  for (const std::size_t i : longer) {
    for (const SearchShard& shard : shards()) {
      std::optional<std::int64_t> after = -1;
      while (after) after = page(shard, *after, queries[i], [&](const SearchHit& hit) { visit(i, hit); });
    }
  }
  return most;
}

std::vector<std::uint64_t> SearchHits::count(std::span<const std::string> queries) {
  std::vector<std::string> bodies;
  for (const std::string& query : queries) bodies.push_back(fmt::format(R"({{"size":0,"track_total_hits":true,"query":{}}})", query));
  std::vector<std::uint64_t> counts;
  for (const element response : multi_search(bodies, "responses.hits.total"))
    counts.push_back(number_at(response, "hits.total.value").value_or(0));
  return counts;
}

std::optional<std::int64_t> SearchHits::page(const SearchShard& shard, std::int64_t after, std::string_view query, const Visit& visit) {
  const std::string body =
      fmt::format(R"({{"size":{},"track_total_hits":false,{},"sort":[{{"_seq_no":"asc"}}],"search_after":[{}],"query":{}}})", page_,
                  wanted_, after, query);
  const net::HttpRequest request{
      .method = "POST",
      .path = fmt::format("/{}/_search?preference=_shards:{}&filter_path=error,status,timed_out,_shards,hits.hits._id,"
                          "hits.hits.fields,hits.hits._source,hits.hits.sort",
                          net::percent_encoded(shard.index), shard.number),
      .body = body};
  const element answer = whole(request, "");
  simdjson::dom::array hits;
  const auto found = value_at(answer, "hits.hits");
  if (!found || found->get(hits) != simdjson::SUCCESS) return std::nullopt;
  for (const element hit : hits) {
    std::int64_t number = -1;
    if (const auto sort = value_at(hit, "sort"); !sort || first_of(*sort).get(number) != simdjson::SUCCESS || number <= after) {
      client_.fail(request, "the answer is not in the order of sequence numbers");
    }
    after = number;
    visit(read(hit));
  }
  return hits.size() < page_ ? std::nullopt : std::optional(after);
}

const std::vector<SearchShard>& SearchHits::shards() {
  if (!shards_.empty()) return shards_;
  const net::HttpRequest request{
      .path = fmt::format("/{}/_settings?filter_path=*.settings.index.number_of_shards", net::percent_encoded(index_))};
  std::vector<SearchShard> all;
  simdjson::dom::object indices;
  if (client_.ask(request).get(indices) != simdjson::SUCCESS) client_.fail(request, "the answer names no index");
  for (const auto index : indices) {
    const auto text = text_at(index.value, "settings.index.number_of_shards");
    unsigned count = 0;
    if (text) (void)std::from_chars(text->data(), text->data() + text->size(), count);
    if (count == 0 || count > most_shards) {
      client_.fail(request, fmt::format("the answer gives index \"{}\" \"{}\" shards: there are 1 to {}; is this the server itself?",
                                        net::printable(index.key, 100), net::printable(text.value_or(""), 20), most_shards));
    }
    for (unsigned i = 0; i < count; ++i) all.push_back({std::string(index.key), i});
  }
  if (all.empty()) client_.fail(request, "the answer names no index: may the account see its settings (view_index_metadata)?");
  std::sort(all.begin(), all.end(),
            [](const SearchShard& a, const SearchShard& b) { return a.index != b.index ? a.index < b.index : a.number < b.number; });
  shards_ = std::move(all);
  return shards_;
}

}  // namespace leitong::search
