#include "search/search_bulk.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <thread>

#include "net/printable.h"
#include "records/json.h"

namespace leitong::search {
namespace {

constexpr std::size_t least_bytes = std::size_t{16} << 10;
constexpr std::chrono::seconds write_time{60};  // of one write, longer than other requests: a merge or a flush may delay it

}  // namespace

void BulkActions::add(std::string_view name, std::string_view id, std::string_view document, std::string_view more) {
  actions_.push_back({lines_.size(), id});
  lines_ += "{\"";
  lines_ += name;
  lines_ += "\":{\"_id\":";
  records::append_json_string(lines_, id);
  lines_ += more;
  lines_ += "}}\n";
  if (document.empty()) return;
  lines_ += document;
  lines_ += '\n';
}

void BulkActions::index(std::string_view id, std::string_view document) { add("index", id, document); }
void BulkActions::merge(std::string_view id, std::string_view document) {
  add("update", id, fmt::format("{{\"doc\":{},\"doc_as_upsert\":true}}", document), ",\"retry_on_conflict\":3");
}
void BulkActions::remove(std::string_view id) { add("delete", id, {}); }

std::string_view BulkActions::lines(std::size_t i) const {
  const std::size_t end = i + 1 < actions_.size() ? actions_[i + 1].begin : lines_.size();
  return std::string_view(lines_).substr(actions_[i].begin, end - actions_[i].begin);
}

SearchBulk::SearchBulk(SearchClient& client, std::string path, std::size_t bytes)
    : client_(client), path_(std::move(path)), most_(bytes), bytes_(bytes) {
  path_ += path_.find('?') == std::string::npos ? '?' : '&';
  path_ += "filter_path=items.*.status,items.*.result,items.*.error";
}

SearchBulk::Outcome SearchBulk::send_some(const BulkActions& actions, std::vector<std::size_t>::const_iterator from,
                                          std::vector<std::size_t>::const_iterator to) {
  std::string body;
  for (auto i = from; i != to; ++i) body += actions.lines(*i);
  const net::HttpRequest request{.method = "POST",
                                 .path = path_,
                                 .body = body,
                                 .type = "application/x-ndjson",
                                 .timeout = std::max<std::chrono::milliseconds>(write_time, client_.settings().timeout)};
  Outcome outcome;
  const records::JsonValue answer = client_.ask_if_free(request, outcome.why);
  if (!answer) {
    outcome.again.assign(from, to);
    return outcome;
  }
  records::JsonElements items;
  if (!answer["items"].get(items) || items.size() != static_cast<std::size_t>(to - from)) {
    client_.fail(request, "the answer does not speak of every document that was sent");
  }
  auto one = from;
  for (const records::JsonValue item : items) {
    const std::size_t action = *one++;
    records::JsonMembers named;
    if (!item.get(named) || named.size() != 1) client_.fail(request, "the answer lacks a document's status");
    const records::JsonValue result = named.front().value;
    const auto status = static_cast<unsigned>(number_at(result, "status").value_or(0));
    outcome.removed += text_at(result, "result") == "deleted" ? 1 : 0;
    const records::JsonValue error = result["error"];
    if (!error && ((status >= 200 && status < 300) || (status == 404 && text_at(result, "result") == "not_found"))) continue;
    outcome.why = error ? search_error_in(error, status) : SearchError{status, "", ""};
    if (known_search_error(outcome.why).kind != SearchErrorKind::later) {
      client_.fail(request, fmt::format("document \"{}\": ", net::printable(actions.id(action), 100)), outcome.why);
    }
    outcome.again.push_back(action);
  }
  return outcome;
}

std::uint64_t SearchBulk::send(const BulkActions& actions) {
  std::vector<std::size_t> waiting(actions.size());
  std::iota(waiting.begin(), waiting.end(), 0);
  const net::HttpRetry& retry = client_.settings().retry;
  auto pause = retry.first_pause;
  auto deadline = net::Clock::now() + retry.total;
  std::uint64_t removed = 0;
  while (!waiting.empty()) {
    std::size_t bytes = 0;
    auto end = waiting.cbegin();
    do bytes += actions.lines(*end++).size();
    while (end != waiting.cend() && bytes + actions.lines(*end).size() <= bytes_);
    const std::size_t sent = static_cast<std::size_t>(end - waiting.cbegin());
    Outcome outcome = send_some(actions, waiting.cbegin(), end);
    removed += outcome.removed;
    if (outcome.again.size() < sent) deadline = net::Clock::now() + retry.total;  // progress was made
    waiting.erase(waiting.cbegin(), end);
    if (outcome.again.empty()) {
      bytes_ = std::min(most_, bytes_ + bytes_ / 4);
      pause = retry.first_pause;
      continue;
    }
    if (net::Clock::now() + pause >= deadline) {
      client_.fail({.method = "POST", .path = path_},
                   fmt::format("{} documents were turned away again and again, the first is \"{}\": ", outcome.again.size(),
                               net::printable(actions.id(outcome.again.front()), 100)),
                   outcome.why);
    }
    waiting.insert(waiting.begin(), outcome.again.begin(), outcome.again.end());
    bytes_ = std::max(least_bytes, std::min(bytes_, bytes) / 2);
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, retry.longest_pause);
  }
  return removed;
}

}  // namespace leitong::search
