// The StoreServer of an index: reads its record in _meta, creates and adopts indices.

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <random>

#include "records/json_object.h"
#include "search/search_inspect.h"
#include "search/search_store.h"

namespace leitong::search {
namespace {

std::string read_key_file(const std::string& file) {
  std::ifstream in(file);
  std::string key;
  if (!std::getline(in, key) || key.empty()) throw Error(ErrorCode::io, fmt::format("{}: the API key is expected in its first line", file));
  if (key.back() == '\r') key.pop_back();
  return key;
}

std::string choice(const std::string& name, const std::string& value, std::initializer_list<std::string_view> allowed) {
  if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return value;
  throw Error(ErrorCode::usage, fmt::format("{}={} in the store's address: it is one of {}", name, value, fmt::join(allowed, ", ")));
}

class SearchServer final : public remote::StoreServer {
 public:
  SearchServer(SearchStoreSettings settings, std::string name)
      : settings_(std::move(settings)), name_(std::move(name)), client_(settings_.http) {
    (void)client_.server();
  }

  [[nodiscard]] std::string name() const override { return name_; }

  std::optional<std::string> record() override { return meta("leitong"); }

  bool empty() override { return !client_.ask_for({.path = index_path("")}); }

  [[nodiscard]] std::string layout_of(std::string_view named, unsigned k) const override { return to_json(read_search_layout(named, k)); }

  void make(const std::string& record, const std::string& layout) override {
    if (!empty()) throw Error(ErrorCode::usage, fmt::format("{}: the index is there already: adopt it, or take another name", name_));
    std::random_device random;
    const std::string maker = fmt::format("{:08x}{:08x}{:08x}", random(), random(), random());
    const std::string body = index_body(read_search_layout(layout, std::nullopt), record, maker);
    try {
      (void)client_.ask({.method = "PUT", .path = index_path(""), .body = body});
    } catch (const net::Refusal&) {
      if (meta("leitong_maker") != maker) throw;  // it is ours: an answer was lost, and the request was sent again
    }
  }

  // The server cannot make a change of the mapping exclusive. If several clients adopt the index at once, the last one wins and the others
  // see that.
  void adopt(const std::string& record, const std::string& layout) override {
    (void)read_search_layout(layout, std::nullopt);
    if (this->record()) throw Error(ErrorCode::usage, fmt::format("{}: the index has a record of Leitong already", name_));
    const net::HttpRequest request{.path = index_path("/_mapping")};
    records::JsonMembers indices, meta;
    if (!client_.ask(request).get(indices) || indices.size() != 1) {
      throw Error(ErrorCode::usage, fmt::format("{}: the name stands for several indices: adopt one of them", name_));
    }
    records::JsonObject all;
    if (value_at(indices.front().value, "mappings._meta").get(meta)) {
      for (const records::JsonMember& field : meta) all.raw(field.key, field.value.minified());
    }
    all.text("leitong", record);
    const std::string body = records::JsonObject().raw("_meta", all.str()).str();
    (void)client_.ask({.method = "PUT", .path = index_path("/_mapping"), .body = body});
    if (this->record() != record)
      throw Error(ErrorCode::usage, fmt::format("{}: another process has adopted the index at the same time", name_));
  }

  remote::Inspection inspect(std::size_t sample) override { return inspect_index(client_, settings_.index, sample); }

  std::unique_ptr<remote::FingerprintStore> open(const std::string& layout, bool) override {
    return std::make_unique<SearchStore>(settings_, read_search_layout(layout, std::nullopt));
  }

 private:
  // A text in _meta, which must be the same in all indices behind the name.
  std::optional<std::string> meta(std::string_view key) {
    records::JsonMembers indices;
    if (!client_.ask_for({.path = index_path("/_mapping")}).get(indices)) return std::nullopt;
    std::optional<std::string> found;
    for (const records::JsonMember& index : indices) {
      const auto text = text_at(index.value, fmt::format("mappings._meta.{}", key));
      if (!text) continue;
      if (found && *found != *text) {
        throw Error(ErrorCode::usage, fmt::format("{}: the indices behind this alias have different records: give one of them", name_));
      }
      found = *text;
    }
    return found;
  }
  [[nodiscard]] std::string index_path(std::string_view rest) const {
    return fmt::format("/{}{}", net::percent_encoded(settings_.index), rest);
  }

  SearchStoreSettings settings_;
  std::string name_;
  SearchClient client_;
};

}  // namespace

SearchStoreSettings search_settings(const remote::StoreUrl& url) {
  SearchStoreSettings settings;
  settings.http.nodes = url.servers;
  if (url.tls) settings.http.tls = url.tls_settings;
  settings.http.user = url.user;
  settings.http.password = url.password;
  settings.http.timeout = url.timeout;
  settings.http.connect_timeout = std::min(settings.http.connect_timeout, url.timeout);
  settings.index = url.path;
  for (const auto& [name, value] : url.settings) {
    if (name == "refresh") {
      settings.refresh = choice(name, value, {"true", "wait_for", "false"});
    } else if (name == "filter") {
      const std::string filter = choice(name, value, {"auto", "server", "client"});
      settings.filter = filter == "server" ? SearchFilter::server : filter == "client" ? SearchFilter::client : SearchFilter::automatic;
    } else if (name == "api-key-file") {
      settings.http.api_key = read_key_file(value);
    } else {
      throw Error(ErrorCode::usage, fmt::format("{} is no setting of a search server's address", name));
    }
  }
  if (settings.index.empty() || settings.index.find_first_of("*,") != std::string::npos) {
    throw Error(ErrorCode::usage, "the address of a search server ends with one index or alias: es+http://host:port/index");
  }
  return settings;
}

std::unique_ptr<remote::StoreServer> connect_search(const remote::StoreUrl& url) {
  return std::make_unique<SearchServer>(search_settings(url), remote::without_secrets(url));
}

}  // namespace leitong::search
