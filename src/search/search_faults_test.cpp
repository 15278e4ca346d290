// tiers: server
// The store against a real OpenSearch of three nodes, which are stopped and restarted while it works, and over connections that break.
#include <atomic>
#include <thread>

#include "net/tcp_proxy_test.h"
#include "net/thrown_test.h"
#include "search/search_model_test.h"

namespace leitong::search {
namespace {

class SearchServerThree : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (missing_opensearch().empty()) server = new OpenSearchProcess(3);
  }
  static void TearDownTestSuite() { delete std::exchange(server, nullptr); }
  void SetUp() override { LEITONG_NEEDS_OPENSEARCH(); }
  static SearchStoreSettings make(const std::string& index, const std::string& layout) {
    const auto place = connect_search(server->url(index));
    place->make("record", place->layout_of(layout, 3));
    await_green();
    SearchStoreSettings settings = server->store(index);
    settings.http.timeout = std::chrono::seconds(15);
    return settings;
  }
  static void await_green() { (void)server->ask("GET", "/_cluster/health?wait_for_status=green&timeout=60s"); }

  // Puts rows in small batches while `happens` runs. Rows for which put() has returned must be found afterwards.
  template <class Happens>
  static Model put_while(remote::FingerprintStore& store, unsigned seed, Happens&& happens) {
    std::atomic<bool> over = false;
    std::string failed;
    std::thread other([&] {
      try {
        happens();
      } catch (const std::exception& error) {
        failed = error.what();
      }
      over = true;
    });
    Rows rows(seed);
    Model model;
    for (int after = 0; after < 3; after += over ? 1 : 0) {
      const Model fresh = rows.some(100, 3);
      const std::string error = net::thrown([&] { put(store, fresh); });
      EXPECT_EQ(error, "");
      for (const auto& [id, fingerprint] : fresh) model[id] = fingerprint;
      if (!error.empty()) break;
    }
    other.join();
    EXPECT_EQ(failed, "");
    return model;
  }
  static OpenSearchProcess* server;
};
OpenSearchProcess* SearchServerThree::server = nullptr;

TEST_F(SearchServerThree, EveryPresetAgreesWithTheModel) {
  for (const char* preset : {"article-positioned", "compact"}) {
    SearchStore store(make(std::string("model-") + preset, std::string(R"({"shards":3,"replicas":1,"preset":")") + preset + "\"}"),
                      search_preset(preset, 3));
    const Model model = Rows(1).some(500, 3);
    put(store, model);
    expect_same(store, model, 3, 2);
    store.check();
    store.compact();
    expect_same(store, model, 3, 3);
    EXPECT_SAYS(store.size().server, ", 3 nodes");
  }
}

TEST_F(SearchServerThree, NothingIsLostWhenANodeGoesAndComesBack) {
  SearchStore store(make("node", R"({"preset":"compact","shards":3,"replicas":1})"), search_preset("compact", 3));
  for (unsigned node = 0; node < 3; ++node) {
    const Model model = put_while(store, 10 + node, [&] {
      server->stop(node);
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
    });
    Model there;
    store.refresh();
    for (const auto& [id, fingerprint] : scanned(store)) {
      if (model.count(id) > 0) there[id] = fingerprint;
    }
    EXPECT_EQ(there, model) << "without node " << node;
    server->start_again(node);
    await_green();
  }
  store.check();
}

TEST_F(SearchServerThree, NothingIsLostWhenTheClusterIsStartedAgain) {
  SearchStore store(make("restart", R"({"preset":"compact","shards":2,"replicas":1})"), search_preset("compact", 3));
  const Model model = put_while(store, 20, [&] {
    for (unsigned node = 0; node < 3; ++node) server->stop(node);
    // A single node would wait for another one to elect a master with.
    for (unsigned node = 0; node < 3; ++node) server->start_again(node);
    await_green();
  });
  EXPECT_GT(model.size(), 100U);
  expect_same(store, model, 3, 21);
}

TEST_F(SearchServerThree, ConnectionsThatBreakLoseAndDoubleNothing) {
  SearchStoreSettings settings = make("cut", R"({"preset":"compact","shards":2,"replicas":0})");
  net::TcpProxy proxy(server->nodes()[0]);
  settings.http.nodes = {proxy.endpoint()};
  settings.http.retry.first_pause = std::chrono::milliseconds(5);
  settings.bulk_bytes = 8'000;
  SearchStore store(settings, search_preset("compact", 3));
  Model model = Rows(30).some(200, 3);
  proxy.arm({});
  put(store, model);
  const std::int64_t up = proxy.passed(net::TcpProxy::Way::up), down = proxy.passed(net::TcpProxy::Way::down);
  using enum net::TcpProxy::Fault::Kind;
  for (const auto kind : {cut, reset}) {
    for (const auto way : {net::TcpProxy::Way::up, net::TcpProxy::Way::down}) {
      const std::int64_t all = way == net::TcpProxy::Way::up ? up : down;
      for (std::int64_t at = 0; at < all; at += all / 23 + 1) {
        const Model fresh = Rows(static_cast<unsigned>(at)).some(200, 3);
        proxy.arm({.kind = kind, .way = way, .at = at});
        put(store, fresh);
        EXPECT_TRUE(at * 2 > all || proxy.struck()) << at;  // later cuts may be after the last byte
        for (const auto& [id, fingerprint] : fresh) model[id] = fingerprint;
      }
    }
  }
  proxy.arm({});
  expect_same(store, model, 3, 31);
  proxy.arm({.kind = cut, .way = net::TcpProxy::Way::down, .at = 2'000});
  expect_same(store, model, 3, 32);
  EXPECT_TRUE(proxy.struck());
}

TEST_F(SearchServerThree, ASilentServerIsGivenUp) {
  SearchStoreSettings settings = make("silent", R"({"preset":"compact"})");
  net::TcpProxy proxy(server->nodes()[0]);
  settings.http.nodes = {proxy.endpoint()};
  settings.http.timeout = std::chrono::milliseconds(300);
  settings.http.retry.attempts = 2;
  SearchStore store(settings, search_preset("compact", 3));
  proxy.arm({.kind = net::TcpProxy::Fault::Kind::stall, .way = net::TcpProxy::Way::down, .at = 10, .refuse_later = true});
  const std::uint64_t query = 1;
  EXPECT_SAYS(net::thrown([&] { (void)store.find({&query, 1}, 3); }), "POST /silent/_msearch");
}

TEST_F(SearchServerThree, ABlockedIndexIsARefusalWithItsRemedy) {
  SearchStore store(make("blocked", "compact"), search_preset("compact", 3));
  (void)server->ask("PUT", "/blocked/_settings", R"({"index.blocks.read_only_allow_delete":true})");
  bool refusal = false;
  const Model model = Rows(40).some(10, 3);
  EXPECT_SAYS(net::thrown([&] { put(store, model); }, &refusal), "read_only_allow_delete\":null");
  EXPECT_TRUE(refusal);
  (void)server->ask("PUT", "/blocked/_settings", R"({"index.blocks.read_only_allow_delete":null})");
  put(store, model);
  expect_same(store, model, 3, 41);
}

TEST_F(SearchServerThree, ADocumentThatDoesNotFitIsNamedAndTheOthersAreThere) {
  (void)server->ask("PUT", "/partial", R"({"mappings":{"properties":{"blocks":{"type":"keyword"},"simhash":{"type":"long"}}}})");
  const SearchLayout layout = read_search_layout(R"({"preset":"article-plain","fingerprint":"hex"})", 3);
  SearchStore store(server->store("partial"), layout);
  const std::vector<remote::FingerprintRow> rows = {{"digits", 0x1234}, {"letters", 0xABC}, {"more digits", 0x5678}};
  bool refusal = false;
  const std::string text = net::thrown([&] { store.put(rows); }, &refusal);
  EXPECT_SAYS(text, "document \"letters\": 400 mapper_parsing_exception");
  EXPECT_TRUE(refusal);
  (void)server->ask("POST", "/partial/_refresh");
  EXPECT_SAYS(server->ask("GET", "/partial/_count"), "\"count\":2");
}

TEST_F(SearchServerThree, AnIndexThatIsNotThere) {
  SearchStore store(server->store("nowhere"), search_preset("compact", 3));
  const std::uint64_t query = 1;
  EXPECT_SAYS(net::thrown([&] { (void)store.find({&query, 1}, 3); }), "no such index");
  EXPECT_SAYS(net::thrown([&] { (void)store.scan("", [](const remote::FingerprintRow&) {}); }), "no such index");
  EXPECT_SAYS(net::thrown([&] { (void)store.size(); }), "no such index");
}

}  // namespace
}  // namespace leitong::search
