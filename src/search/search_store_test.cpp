// The store against a server whose answers the test chooses, for situations that are rare on real servers.
#include "search/search_store.h"

#include <gtest/gtest.h>

#include "net/http_fake_test.h"
#include "net/thrown_test.h"
#include "support/child_process.h"
#include "support/temporary_directory.h"

namespace leitong::search {
namespace {

SearchStoreSettings settings_for(const net::FakeHttpServer& server) {
  SearchStoreSettings settings;
  settings.http.nodes = {server.endpoint()};
  settings.http.retry = {.attempts = 4,
                         .total = std::chrono::milliseconds(400),
                         .first_pause = std::chrono::milliseconds(1),
                         .longest_pause = std::chrono::milliseconds(4)};
  settings.index = "fp";
  return settings;
}

constexpr const char* one_shard = R"({"fp":{"settings":{"index":{"number_of_shards":"1"}}}})";

// Answers the requests that a store sends before it writes, and leaves the others to the test.
net::FakeHttpServer::Answer but_for_settings(net::FakeHttpServer::Answer answer) {
  return [answer = std::move(answer)](const net::FakeRequest& request) {
    return request.path.starts_with("/fp/_settings") ? net::FakeAnswer{.body = one_shard} : answer(request);
  };
}

// The ids of a _bulk request, in order.
std::vector<std::string> ids_in(const std::string& body) {
  std::vector<std::string> ids;
  for (std::size_t at = body.find("\"_id\":\""); at != std::string::npos; at = body.find("\"_id\":\"", at + 1)) {
    ids.push_back(body.substr(at + 7, body.find('"', at + 7) - at - 7));
  }
  return ids;
}

std::string items(const std::vector<std::string>& each) {
  std::string all;
  for (const std::string& one : each) all += (all.empty() ? "" : ",") + std::string("{\"index\":") + one + "}";
  return "{\"items\":[" + all + "]}";
}

constexpr const char* good = R"({"status":201,"result":"created"})";
constexpr const char* full = R"({"status":429,"error":{"type":"es_rejected_execution_exception","reason":"rejected execution"}})";

struct Put {
  std::vector<std::string> names;
  std::vector<remote::FingerprintRow> rows;
  explicit Put(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) names.push_back("id" + std::to_string(i));
    for (std::size_t i = 0; i < count; ++i) rows.push_back({names[i], i * 77});
  }
};

TEST(SearchStore, SendsAgainOnlyWhatWasTurnedAway) {
  std::map<std::string, int> sent;
  std::size_t largest = 0;
  net::FakeHttpServer server(but_for_settings([&](const net::FakeRequest& request) {
    std::vector<std::string> answers;
    const auto ids = ids_in(request.body);
    largest = std::max(largest, ids.size());
    for (const std::string& id : ids) answers.emplace_back(id.ends_with("3") && ++sent[id] <= 3 ? full : (sent[id] += 10, good));
    return net::FakeAnswer{.body = items(answers)};
  }));
  SearchStore store(settings_for(server), search_preset("compact", 3));
  store.put(Put(50).rows);
  EXPECT_EQ(largest, 50U);
  EXPECT_EQ(sent.size(), 50U);
  for (const auto& [id, count] : sent) EXPECT_EQ(count, id.ends_with("3") ? 14 : 10) << id;
}

TEST(SearchStore, AWholeRequestThatIsTurnedAwayIsSentInPieces) {
  for (const char* body :
       {R"({"error":{"type":"circuit_breaking_exception","reason":"[parent] Data too large"},"status":429})",
        R"({"error":{"type":"es_rejected_execution_exception","reason":"rejected"},"status":429})", "<html>busy</html>"}) {
    std::vector<std::size_t> sizes;
    std::map<std::string, int> taken;
    constexpr std::size_t fits = 60'000;
    net::FakeHttpServer server(but_for_settings([&](const net::FakeRequest& request) {
      sizes.push_back(request.body.size());
      if (request.body.size() > fits) return net::FakeAnswer{.status = 429, .body = body};
      const auto ids = ids_in(request.body);
      for (const std::string& id : ids) ++taken[id];
      return net::FakeAnswer{.body = items(std::vector<std::string>(ids.size(), good))};
    }));
    SearchStore store(settings_for(server), search_preset("article-plain", 3));
    store.put(Put(1'000).rows);
    ASSERT_GT(sizes.size(), 3U);
    ASSERT_GT(sizes[0], 3 * fits);
    EXPECT_LE(sizes[1], sizes[0] / 2) << "it came back at the same size: " << body;
    EXPECT_EQ(taken.size(), 1'000U);
    for (const auto& [id, count] : taken) EXPECT_EQ(count, 1) << id;
  }
}

TEST(SearchStore, AServerThatStaysBusyIsGivenUpWithItsWords) {
  net::FakeHttpServer server(but_for_settings([](const net::FakeRequest&) {
    return net::FakeAnswer{.status = 429,
                           .body = R"({"error":{"type":"circuit_breaking_exception","reason":"[parent] Data too large"},"status":429})"};
  }));
  SearchStore store(settings_for(server), search_preset("compact", 3));
  bool refusal = true;
  const std::string text = net::thrown([&] { store.put(Put(3).rows); }, &refusal);
  EXPECT_SAYS(text, "POST /fp/_bulk: 3 documents were turned away again and again, the first is \"id0\": 429 circuit_breaking_exception");
  EXPECT_FALSE(refusal);
}

TEST(SearchStore, AcknowledgesNothingThatTheServerDidNot) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {items(std::vector<std::string>(3, full)), "queues are full"},
      {items({good, good}), "does not speak of every document"},
      {items(
           {good,
            R"({"status":400,"error":{"type":"mapper_parsing_exception","reason":"failed to parse field [f]","caused_by":{"type":"x","reason":"y"}}})",
            good}),
       "document \"id1\": 400 mapper_parsing_exception: failed to parse field [f]: the index's mapping"},
      {items(
           {good,
            R"({"status":403,"error":{"type":"cluster_block_exception","reason":"index [fp] blocked by: [FORBIDDEN/12/index read-only / allow delete (api)];"}})",
            good}),
       "read_only_allow_delete"},
      {items({good, good, R"({"status":500})"}), "document \"id2\": 500: see the server's log"},
      {"<html>proxy</html>", "is no JSON"},
      {"{\"took\":1}", "does not speak of every document"},
  };
  for (const auto& [body, part] : cases) {
    net::FakeHttpServer server(but_for_settings([&, body = body](const net::FakeRequest&) { return net::FakeAnswer{.body = body}; }));
    SearchStore store(settings_for(server), search_preset("compact", 3));
    const std::string text = net::thrown([&] { store.put(Put(3).rows); });
    EXPECT_SAYS(text, part);
    EXPECT_SAYS(text, "POST /fp/_bulk");
  }
}

TEST(SearchStore, ErrorsOfAWholeRequestNameTheRemedy) {
  struct Case {
    int status;
    const char *body, *part;
    bool refusal;
  };
  const Case cases[] = {
      {401, R"({"error":{"type":"security_exception","reason":"missing authentication credentials"},"status":401})", "api-key-file", true},
      {401, "Unauthorized", "api-key-file", true},
      {403, R"({"error":{"type":"security_exception","reason":"action [indices:data/write/bulk] is unauthorized"},"status":403})",
       "grant it", true},
      {404, R"({"error":{"root_cause":[],"type":"index_not_found_exception","reason":"no such index [fp]"},"status":404})", "no such index",
       true},
      {413, "", "http.max_content_length", true},
      {429, R"({"error":{"type":"circuit_breaking_exception","reason":"[parent] Data too large"},"status":429})", "heap is full", false},
      {503, R"({"error":{"type":"cluster_block_exception","reason":"blocked by: [SERVICE_UNAVAILABLE/2/no master];"},"status":503})",
       "no elected master", false},
      {503, "<html>upstream</html>", "not in reach", false},
      {500, R"({"error":"something","status":500})", "something", true},
  };
  for (const Case& one : cases) {
    net::FakeHttpServer server(
        but_for_settings([&](const net::FakeRequest&) { return net::FakeAnswer{.status = one.status, .body = one.body}; }));
    SearchStore store(settings_for(server), search_preset("compact", 3));
    bool refusal = false;
    const std::string text = net::thrown([&] { store.put(Put(1).rows); }, &refusal);
    EXPECT_SAYS(text, one.part);
    EXPECT_SAYS(text, std::to_string(one.status));
    EXPECT_EQ(refusal, one.refusal) << text;
  }
}

TEST(SearchStore, BodiesAreBoundedAndIdsSentOnce) {
  std::size_t requests = 0, ids = 0;
  net::FakeHttpServer server(but_for_settings([&](const net::FakeRequest& request) {
    ++requests;
    const auto there = ids_in(request.body);
    ids += there.size();
    EXPECT_LE(request.body.size(), 20'000U);
    return net::FakeAnswer{.body = items(std::vector<std::string>(there.size(), good))};
  }));
  SearchStoreSettings settings = settings_for(server);
  settings.bulk_bytes = 20'000;
  SearchStore store(settings, search_preset("article-plain", 3));
  Put put(1'000);
  put.rows.insert(put.rows.end(), put.rows.begin(), put.rows.end());
  store.put(put.rows);
  EXPECT_EQ(ids, 1'000U);
  EXPECT_GT(requests, 5U);
}

TEST(SearchStore, TakesOnlyIdsThatAServerTakes) {
  net::FakeHttpServer server(but_for_settings([](const net::FakeRequest&) { return net::FakeAnswer{.body = items({good})}; }));
  SearchStore store(settings_for(server), search_preset("compact", 3));
  const std::string longest(512, 'x'), longer(513, 'x');
  const auto put = [&](std::string_view id) {
    const remote::FingerprintRow row{id, 1};
    return net::thrown([&] { store.put({&row, 1}); });
  };
  EXPECT_EQ(put(longest), "");
  EXPECT_SAYS(put(longer), "513 bytes");
  EXPECT_SAYS(put(""), "0 bytes");
  EXPECT_SAYS(put("a\xff"), "a\\xff\" is not UTF-8");
}

constexpr const char* whole_search = R"("timed_out":false,"_shards":{"total":2,"successful":2,"failed":0})";

TEST(SearchStore, TakesNoSearchThatLacksAShard) {
  std::atomic<int> count = 0;
  net::FakeHttpServer server([&](const net::FakeRequest&) {
    if (++count < 3) {
      return net::FakeAnswer{
          .body = R"({"responses":[{"status":200,"timed_out":false,"_shards":{"total":2,"successful":1,"failed":1},"hits":{"hits":[]}}]})"};
    }
    return net::FakeAnswer{.body = std::string(R"({"responses":[{"status":200,)") + whole_search +
                                   R"(,"hits":{"hits":[{"_id":"a","fields":{"f":[-1]}}]}}]})"};
  });
  SearchStore store(settings_for(server), search_preset("compact", 3));
  const std::uint64_t query = ~std::uint64_t{1};
  EXPECT_EQ(store.find({&query, 1}, 3), (std::vector<std::vector<remote::FoundRow>>{{{"a", ~std::uint64_t{0}, 1}}}));
  EXPECT_EQ(count, 3);

  net::FakeHttpServer broken([](const net::FakeRequest&) {
    return net::FakeAnswer{
        .body = R"({"responses":[{"status":200,"timed_out":true,"_shards":{"total":2,"successful":2,"failed":0},"hits":{"hits":[]}}]})"};
  });
  SearchStore other(settings_for(broken), search_preset("compact", 3));
  EXPECT_SAYS(net::thrown([&] { (void)other.find({&query, 1}, 3); }), "timed out");
}

TEST(SearchStore, WithoutScriptsTheDistanceIsComputedHere) {
  std::atomic<int> scripts = 0;
  net::FakeHttpServer server([&](const net::FakeRequest& request) {
    if (request.body.find("\"script\"") != std::string::npos) {
      ++scripts;
      return net::FakeAnswer{
          .body =
              R"({"responses":[{"status":400,"error":{"root_cause":[{"type":"illegal_argument_exception","reason":"cannot execute [inline] scripts"}],)"
              R"("type":"search_phase_execution_exception","reason":"all shards failed"}}]})"};
    }
    return net::FakeAnswer{
        .body = std::string(R"({"responses":[{"status":200,)") + whole_search +
                R"(,"hits":{"hits":[{"_id":"far","fields":{"f":[255]}},{"_id":"near","fields":{"f":[7]}},{"_id":"foreign"}]}}]})"};
  });
  const std::uint64_t query = 0;
  SearchStore store(settings_for(server), search_preset("compact", 3));
  for (int i = 0; i < 2; ++i) EXPECT_EQ(store.find({&query, 1}, 3), (std::vector<std::vector<remote::FoundRow>>{{{"near", 7, 3}}}));
  EXPECT_EQ(scripts, 1);
  SearchStoreSettings strict = settings_for(server);
  strict.filter = SearchFilter::server;
  SearchStore other(strict, search_preset("compact", 3));
  EXPECT_SAYS(net::thrown([&] { (void)other.find({&query, 1}, 3); }), "filter=client");
  EXPECT_SAYS(net::thrown([&] { (void)store.find({&query, 1}, 4); }), "k = 4");
}

TEST(SearchStore, OtherRefusalsDoNotSwitchScriptsOff) {
  std::atomic<int> scripts = 0;
  net::FakeHttpServer server([&](const net::FakeRequest& request) {
    if (request.body.find("\"script\"") == std::string::npos) {
      return net::FakeAnswer{.status = 500, .body = R"({"error":{"type":"unexpected","reason":"a search without a script"},"status":500})"};
    }
    if (++scripts == 1) {
      return net::FakeAnswer{.status = 403, .body = R"({"error":{"type":"security_exception","reason":"no permissions"},"status":403})"};
    }
    return net::FakeAnswer{.body = std::string(R"({"responses":[{"status":200,)") + whole_search +
                                   R"(,"hits":{"hits":[{"_id":"near","fields":{"f":[7]}}]}}]})"};
  });
  const std::uint64_t query = 0;
  SearchStore store(settings_for(server), search_preset("compact", 3));
  bool refusal = false;
  EXPECT_SAYS(net::thrown([&] { (void)store.find({&query, 1}, 3); }, &refusal), "no permissions");
  EXPECT_TRUE(refusal);
  EXPECT_EQ(store.find({&query, 1}, 3), (std::vector<std::vector<remote::FoundRow>>{{{"near", 7, 3}}}));
  EXPECT_EQ(scripts, 2);
}

TEST(SearchStore, EveryWayToSayThatScriptsAreOff) {
  const char* const errors[] = {
      R"({"type":"illegal_argument_exception","reason":"cannot execute [inline] scripts"})",
      R"({"type":"illegal_argument_exception","reason":"cannot execute scripts using [filter] context"})",
      R"({"type":"illegal_argument_exception","reason":"script_lang not supported [painless]"})",
      R"({"type":"exception","reason":"[script] queries cannot be executed when 'search.allow_expensive_queries' is set to false."})",
      R"({"type":"query_shard_exception","reason":"failed to create query",)"
      R"("caused_by":{"type":"illegal_argument_exception","reason":"cannot execute [inline] scripts"}})",
      // A document of another program whose text is not a number: the innermost cause does not mention scripts.
      R"({"type":"search_phase_execution_exception","reason":"all shards failed","root_cause":[{"type":"script_exception","reason":)"
      R"("runtime error"}],"caused_by":{"type":"script_exception","reason":"runtime error","caused_by":{"type":"number_format_exception",)"
      R"("reason":"For input string"}}})",
  };
  for (const char* error : errors) {
    net::FakeHttpServer server([&](const net::FakeRequest& request) {
      if (request.body.find("\"script\"") != std::string::npos) {
        return net::FakeAnswer{.body = std::string(R"({"responses":[{"status":400,"error":)") + error + "}]}"};
      }
      return net::FakeAnswer{.body = std::string(R"({"responses":[{"status":200,)") + whole_search +
                                     R"(,"hits":{"hits":[{"_id":"near","fields":{"f":[7]}}]}}]})"};
    });
    const std::uint64_t query = 0;
    SearchStore store(settings_for(server), search_preset("compact", 3));
    std::vector<std::vector<remote::FoundRow>> found;
    EXPECT_EQ(net::thrown([&] { found = store.find({&query, 1}, 3); }), "") << error;
    EXPECT_EQ(found, (std::vector<std::vector<remote::FoundRow>>{{{"near", 7, 3}}})) << error;
  }
}

// A search that finds more than a page; the hits then come page by page.
net::FakeHttpServer::Answer paged(std::vector<std::string> pages, const char* settings = one_shard) {
  return [pages = std::move(pages), settings, next = std::size_t{0}](const net::FakeRequest& request) mutable {
    if (request.path.starts_with("/fp/_settings")) return net::FakeAnswer{.body = settings};
    const std::string hits = std::string(whole_search) + R"(,"hits":{"hits":[)";
    if (request.path.starts_with("/fp/_msearch")) {
      return net::FakeAnswer{.body = R"({"responses":[{"status":200,)" + hits + pages.front() + "]}}]}"};
    }
    if (request.path.starts_with("/fp/_search")) return net::FakeAnswer{.body = "{" + hits + pages.at(next++) + "]}}"};
    return net::FakeAnswer{.body = items(std::vector<std::string>(ids_in(request.body).size(), good))};
  };
}

SearchStoreSettings pages_of_two(const net::FakeHttpServer& server) {
  SearchStoreSettings settings = settings_for(server);
  settings.page = 2;
  return settings;
}

TEST(SearchStore, ARowThatIsWrittenBetweenPagesComesOnceAsItIsThen) {
  net::FakeHttpServer server(paged({R"({"_id":"moves","fields":{"f":[1]},"sort":[0]},{"_id":"leaves","fields":{"f":[3]},"sort":[1]})",
                                    R"({"_id":"stays","fields":{"f":[0]},"sort":[2]},{"_id":"moves","fields":{"f":[7]},"sort":[3]})",
                                    R"({"_id":"leaves","fields":{"f":[255]},"sort":[4]})"}));
  SearchStore store(pages_of_two(server), search_preset("compact", 3));
  const std::vector<std::uint64_t> queries = {0, 15};
  const std::vector<std::vector<remote::FoundRow>> expected = {{{"stays", 0, 0}, {"moves", 7, 3}}, {{"moves", 7, 1}}};
  EXPECT_EQ(store.find(queries, 3), expected);
}

TEST(SearchStore, ADocumentThatComesTwiceIsNotRemovedAsItsOwnDouble) {
  const std::vector<std::string> pages = {
      R"({"_id":"d1","_source":{"key":"a","simhash":"1"},"sort":[0]},{"_id":"d2","_source":{"key":"a","simhash":"2"},"sort":[1]})",
      R"({"_id":"d1","_source":{"key":"a","simhash":"3"},"sort":[2]})"};
  const SearchLayout layout =
      read_search_layout(R"({"preset":"article-plain","fingerprint":"hex","id_field":"key","doc_values":false})", 3);
  net::FakeHttpServer server(paged(pages));
  SearchStore store(pages_of_two(server), layout);
  const std::vector<remote::FingerprintRow> rows = {{"a", 5}};
  store.put(rows);
  const std::string sent = server.requests().back().body;
  EXPECT_EQ(ids_in(sent), (std::vector<std::string>{"d1", "d2"})) << sent;
  EXPECT_SAYS(sent, R"({"index":{"_id":"d1"}})");
  EXPECT_SAYS(sent, R"({"delete":{"_id":"d2"}})");

  net::FakeHttpServer other(paged(pages));
  SearchStore erased(pages_of_two(other), layout);
  const std::string_view id = "a";
  EXPECT_EQ(erased.erase({&id, 1}), 1U);
  EXPECT_EQ(ids_in(other.requests().back().body), (std::vector<std::string>{"d1", "d2"}));
}

TEST(SearchStore, AnIndexHasShards) {
  const std::pair<const char*, const char*> cases[] = {
      {"{}", "the answer names no index"},
      {R"({"fp":{"settings":{"index":{"number_of_shards":"0"}}}})", "index \"fp\" \"0\" shards"},
      {R"({"fp":{"settings":{"index":{"number_of_shards":"1025"}}}})", "there are 1 to 1024"},
      {R"({"fp":{"settings":{"index":{"number_of_shards":"4000000000"}}}})", "there are 1 to 1024"},
      {R"({"a":{"settings":{"index":{"number_of_shards":"1"}}},"fp":{"settings":{"index":{}}}})", "index \"fp\" \"\" shards"},
  };
  const std::string two = R"({"_id":"a","fields":{"f":[1]},"sort":[0]},{"_id":"b","fields":{"f":[1]},"sort":[1]})";
  for (const auto& [settings, part] : cases) {
    net::FakeHttpServer server(paged({two}, settings));
    SearchStore store(pages_of_two(server), search_preset("compact", 3));
    const std::uint64_t query = 1;
    for (int again = 0; again < 2; ++again) {  // nothing of a bad answer may be kept
      EXPECT_SAYS(net::thrown([&] { (void)store.scan("", [](const remote::FingerprintRow&) {}); }), part);
      EXPECT_SAYS(net::thrown([&] { (void)store.find({&query, 1}, 3); }), part);
      EXPECT_SAYS(net::thrown([&] { store.put(Put(1).rows); }), part);
    }
  }
  net::FakeHttpServer server(paged({two}, R"({"fp":{"settings":{"index":{"number_of_shards":"1024"}}}})"));
  SearchStore store(pages_of_two(server), search_preset("compact", 3));
  EXPECT_NE(store.scan("", [](const remote::FingerprintRow&) {}), "");
}

TEST(SearchStore, ReadsPlacesOfScansOnlyOfItsOwn) {
  net::FakeHttpServer server(
      [](const net::FakeRequest&) { return net::FakeAnswer{.body = R"({"fp-1":{"settings":{"index":{"number_of_shards":"1"}}}})"}; });
  SearchStore store(settings_for(server), search_preset("compact", 3));
  for (const char* place : {"x", "1", "1:2", "0:2:", "a:b:c", "0:1:other", "7:1:fp-1"}) {
    EXPECT_NE(net::thrown([&] { (void)store.scan(place, [](const remote::FingerprintRow&) {}); }), "") << place;
  }
}

TEST(SearchAddress, SaysWhatIsNoSearchServer) {
  remote::StoreUrl url;
  url.kind = remote::StoreKind::search;
  url.path = "fp";
  const auto says = [&](const std::string& body) {
    net::FakeHttpServer server([&](const net::FakeRequest&) { return net::FakeAnswer{.body = body}; });
    url.servers = {server.endpoint()};
    return net::thrown([&] { (void)connect_search(url); });
  };
  EXPECT_SAYS(says("{\"hello\":1}"), "no Elasticsearch or OpenSearch server");
  EXPECT_SAYS(says(R"({"version":{"number":"6.8.1"}})"), "too old");
  EXPECT_EQ(says(R"({"version":{"number":"8.1.0","build_flavor":"default"}})"), "");
  EXPECT_EQ(says(R"({"version":{"distribution":"opensearch","number":"1.3.0"}})"), "");
  url.settings["prefix"] = "x";
  EXPECT_SAYS(says("{}"), "prefix is no setting");
  url.settings = {{"refresh", "maybe"}};
  EXPECT_SAYS(says("{}"), "refresh=maybe");
  url.settings.clear();
  url.path = "a,b";
  EXPECT_SAYS(says("{}"), "one index");
}

}  // namespace
}  // namespace leitong::search
