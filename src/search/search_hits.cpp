#include "search/search_hits.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <thread>

#include "net/printable.h"

namespace leitong::search {
namespace {

using records::JsonElements;
using records::JsonValue;

constexpr unsigned most_shards = 1'024;  // of an index; the server's own limit

// The parts of each hit that the server should return.
std::string wanted_of(const SearchLayout& layout) {
  if (layout.doc_values && layout.own_ids())
    return fmt::format(R"("_source":false,"docvalue_fields":[{}])", json_text(layout.read_field()));
  std::string fields = json_text(layout.block_field) + "," + json_text(layout.fingerprint_field);
  if (!layout.own_ids()) fields += "," + json_text(layout.id_field);
  return fmt::format(R"("_source":[{}])", fields);
}

JsonValue first_of(JsonValue value) {
  JsonElements values;
  return value.get(values) && !values.empty() ? values.front() : value;
}

std::optional<std::uint64_t> fingerprint_in(const SearchLayout& layout, JsonValue value) {
  value = first_of(value);
  if (std::string_view text; value.get(text)) return read_fingerprint(layout, text);
  std::string digits;
  if (std::int64_t number = 0; value.get(number)) {
    if (!layout.written) return static_cast<std::uint64_t>(number);
    digits = std::to_string(number);
  } else if (std::uint64_t wide = 0; value.get(wide)) {
    if (!layout.written) return wide;
    digits = std::to_string(wide);
  }
  return digits.empty() ? std::nullopt : read_fingerprint(layout, digits);
}

// The reason why a search is incomplete; empty if it is complete.
std::optional<SearchError> missing_in(JsonValue response) {
  const auto status = static_cast<unsigned>(number_at(response, "status").value_or(200));
  if (const JsonValue error = response["error"]) return search_error_in(error, status);
  const auto total = number_at(response, "_shards.total"), good = number_at(response, "_shards.successful");
  bool timed_out = false;
  (void)response["timed_out"].get(timed_out);
  if (!timed_out && total && total == good) return std::nullopt;
  JsonElements failures;
  if (value_at(response, "_shards.failures").get(failures) && !failures.empty()) {
    if (const JsonValue reason = failures.front()["reason"]) return search_error_in(reason, 503);
  }
  return SearchError{503, "", timed_out ? "the search timed out" : "not all shards answered"};
}

}  // namespace

JsonValue field_at(JsonValue document, std::string_view path) {
  const JsonValue value = document[path];
  return value ? value : value_at(document, path);
}

SearchHits::SearchHits(SearchClient& client, const SearchLayout& layout, std::string index, std::size_t page)
    : client_(client), layout_(layout), index_(std::move(index)), wanted_(wanted_of(layout)), page_(page) {}

SearchHit SearchHits::read(JsonValue hit) const {
  SearchHit out{.document = text_at(hit, "_id").value_or(""), .id = {}, .fingerprint = std::nullopt, .raw = hit};
  const JsonValue source = hit["_source"];
  if (layout_.own_ids()) {
    out.id = out.document;
  } else {
    (void)first_of(field_at(source, layout_.id_field)).get(out.id);
  }
  const JsonValue value = hit["fields"][layout_.read_field()];
  out.fingerprint = fingerprint_in(layout_, value ? value : field_at(source, layout_.fingerprint_field));
  return out;
}

// Repeats the request until every search is complete. `responses`: the path of the searches in the answer; empty: the answer is the only
// one.
JsonValue SearchHits::whole(const net::HttpRequest& request, std::string_view responses) {
  const net::HttpRetry& retry = client_.settings().retry;
  const auto deadline = net::Clock::now() + retry.total;
  auto pause = retry.first_pause;
  for (;;) {
    const JsonValue answer = client_.ask(request);
    std::optional<SearchError> missing;
    if (responses.empty()) {
      missing = missing_in(answer);
    } else {
      JsonElements all;
      if (!answer[responses].get(all)) client_.fail(request, "the answer holds no responses");
      for (const JsonValue one : all) {
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

JsonElements SearchHits::multi_search(std::span<const std::string> bodies, std::string_view filter) {
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
  JsonElements responses;
  if (!whole(request, "responses")["responses"].get(responses) || responses.size() != bodies.size())
    client_.fail(request, "the answer has another number of responses than there are searches");
  return responses;
}

std::size_t SearchHits::all(std::span<const std::string> queries, const std::function<void(std::size_t, const SearchHit&)>& visit) {
  if (queries.empty()) return 0;
  std::vector<std::string> bodies;
  for (const std::string& query : queries)
    bodies.push_back(fmt::format(R"({{"size":{},"track_total_hits":false,{},"query":{}}})", page_, wanted_, query));
  std::vector<std::size_t> longer;
  std::size_t most = 0, number = 0;
  for (const JsonValue response : multi_search(bodies, "responses.hits.hits._id,responses.hits.hits.fields,responses.hits.hits._source")) {
    const std::size_t i = number++;
    JsonElements hits;
    if (!value_at(response, "hits.hits").get(hits)) continue;  // filter_path leaves empty ones away
    most = std::max(most, hits.size());
    if (hits.size() >= page_) {
      longer.push_back(i);
      continue;
    }
    for (const JsonValue hit : hits) visit(i, read(hit));
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
  for (const JsonValue response : multi_search(bodies, "responses.hits.total"))
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
  const JsonValue answer = whole(request, "");
  JsonElements hits;
  if (!value_at(answer, "hits.hits").get(hits)) return std::nullopt;
  for (const JsonValue hit : hits) {
    std::int64_t number = -1;
    if (!first_of(hit["sort"]).get(number) || number <= after) {
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
  records::JsonMembers indices;
  if (!client_.ask(request).get(indices)) client_.fail(request, "the answer names no index");
  for (const records::JsonMember& index : indices) {
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
