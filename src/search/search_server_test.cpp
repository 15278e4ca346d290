// tiers: server
// The store against a real OpenSearch with one node. Faults of servers are tested in search_faults_test.cpp.
#include <algorithm>
#include <atomic>
#include <thread>

#include "net/thrown_test.h"
#include "search/search_model_test.h"

namespace leitong::search {
namespace {

class SearchServerOne : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (missing_opensearch().empty()) server = new OpenSearchProcess(1);
  }
  static void TearDownTestSuite() { delete std::exchange(server, nullptr); }
  void SetUp() override { LEITONG_NEEDS_OPENSEARCH(); }
  static std::unique_ptr<remote::StoreServer> connect(const std::string& index) { return connect_search(server->url(index)); }
  // Creates a new index, and a store on it whose settings the test may change.
  static std::unique_ptr<SearchStore> make(const std::string& index, const std::string& layout,
                                           const std::function<void(SearchStoreSettings&)>& change = {}) {
    const auto place = connect(index);
    const std::string all = place->layout_of(layout, 3);
    place->make("record", all);
    SearchStoreSettings settings = server->store(index);
    if (change) change(settings);
    return std::make_unique<SearchStore>(settings, read_search_layout(all, std::nullopt));
  }
  static OpenSearchProcess* server;
};
OpenSearchProcess* SearchServerOne::server = nullptr;

TEST_F(SearchServerOne, EveryPresetAgreesWithTheModel) {
  unsigned number = 0;
  for (const char* preset :
       {"article-plain", "article-positioned", "compact", R"({"preset":"compact","source":true,"doc_values":false,"fingerprint":"hex"})",
        R"({"preset":"article-plain","id_field":"meta.id","digits":"decimal","fingerprint":"reversed-hex","shards":3})"}) {
    for (const unsigned k : {3U, 6U}) {
      SCOPED_TRACE(std::string(preset) + " k=" + std::to_string(k));
      const std::string index = "model-" + std::to_string(++number);
      const auto place = connect(index);
      EXPECT_TRUE(place->empty());
      EXPECT_FALSE(place->record());
      const std::string layout = place->layout_of(preset, k);
      place->make("record of " + index, layout);
      EXPECT_FALSE(place->empty());
      EXPECT_EQ(place->record(), "record of " + index);
      const auto store = place->open(layout, false);
      Rows rows(number);
      Model model;
      for (int round = 0; round < 2; ++round) {
        const Model fresh = rows.some(300, k);
        put(*store, fresh);
        put(*store, fresh);  // putting rows again must not double them
        for (const auto& [id, fingerprint] : fresh) model[id] = fingerprint;
        store->refresh();
        std::vector<std::string_view> ids = {"not there"};
        std::vector<std::string> gone;
        for (const auto& [id, fingerprint] : model) {
          if (gone.size() < 50 && fingerprint % 3 == 0) gone.push_back(id);
        }
        ids.insert(ids.end(), gone.begin(), gone.end());
        ids.insert(ids.end(), gone.begin(), gone.end());
        EXPECT_EQ(store->erase(ids), gone.size());
        for (const std::string& id : gone) model.erase(id);
        expect_same(*store, model, k, number * 100 + static_cast<unsigned>(round));
      }
      store->check();
      store->compact();
      expect_same(*store, model, k, number);
      EXPECT_SAYS(store->size().server, "OpenSearch");
      EXPECT_SAYS(store->size().server, ", 1 node");
      EXPECT_GT(store->size().bytes, 0U);
    }
  }
}

TEST_F(SearchServerOne, FiltersHereAndThereAndPagesGiveTheSame) {
  for (const char* layout :
       {"article-plain", "compact", R"({"preset":"compact","shards":3})", R"({"preset":"article-plain","doc_values":false})"}) {
    static int number = 0;
    const std::string index = "pages-" + std::to_string(++number);
    const auto store = make(index, layout, [](SearchStoreSettings& settings) { settings.page = 20; });
    Rows rows(7);
    Model model = rows.some(400, 3);
    for (int i = 0; i < 150; ++i) model["same" + std::to_string(i)] = 0x5555;  // more than a page, and some in each shard
    put(*store, model);
    expect_same(*store, model, 3, 8);
    SearchStoreSettings settings = server->store(index);
    settings.filter = SearchFilter::client;
    settings.page = 35;
    SearchStore client(settings, read_search_layout(layout, 3));
    expect_same(client, model, 3, 9);
  }
}

TEST_F(SearchServerOne, FormsOfFingerprintsAreFilteredByTheServer) {
  for (const char* form :
       {"bits", "bits-least-first", "hex", "decimal", "signed-decimal", "reversed-hex", "reversed-decimal", "reversed-signed-decimal"}) {
    SCOPED_TRACE(form);
    const auto store = make(std::string("form-") + form, std::string(R"({"preset":"article-plain","fingerprint":")") + form + "\"}",
                            [](SearchStoreSettings& settings) { settings.filter = SearchFilter::server; });
    const Model model = Rows(3).some(60, 3);
    put(*store, model);
    expect_same(*store, model, 3, 4);
  }
}

TEST_F(SearchServerOne, AScanGoesOnInAnotherProcessAndSeesWhatWasThere) {
  const auto small = [](SearchStoreSettings& settings) { settings.page = 37; };
  const auto store = make("scan", R"({"preset":"compact","shards":3})", small);
  Model model = Rows(5).some(500, 3);
  put(*store, model);
  store->refresh();
  std::set<std::string> seen;
  remote::ScanPlace place;
  int steps = 0;
  do {
    SearchStoreSettings settings = server->store("scan");
    small(settings);
    SearchStore other(settings, search_preset("compact", 3));
    place = other.scan(place, [&](const remote::FingerprintRow& row) { seen.insert(std::string(row.id)); });
    // Meanwhile rows are written again, which changes their place in the order.
    Model some(model.begin(), std::next(model.begin(), 20));
    put(*store, some);
    store->refresh();
  } while (!place.empty() && ++steps < 1'000);
  EXPECT_GT(steps, 10);
  for (const auto& [id, fingerprint] : model) EXPECT_EQ(seen.count(id), 1U) << id;
}

TEST_F(SearchServerOne, RowsAreFoundAtOnceWithRefresh) {
  const auto store = make("refresh", "compact", [](SearchStoreSettings& settings) { settings.refresh = "true"; });
  const remote::FingerprintRow row{"a", 1};
  store->put({&row, 1});
  const std::uint64_t query = 1;
  EXPECT_EQ(store->find({&query, 1}, 0)[0].size(), 1U);
}

TEST_F(SearchServerOne, MakeAndAdopt) {
  const auto place = connect("made");
  const std::string layout = place->layout_of("compact", 3);
  place->make("one", layout);
  EXPECT_SAYS(net::thrown([&] { place->make("two", layout); }), "there already");
  EXPECT_SAYS(net::thrown([&] { place->adopt("two", layout); }), "has a record");
  EXPECT_EQ(connect("made")->record(), "one");
  // Several clients create the same index; one must succeed.
  std::atomic<int> made = 0;
  std::vector<std::thread> makers;
  for (int i = 0; i < 4; ++i) {
    makers.emplace_back([&] {
      try {
        connect("raced")->make("the same", layout);
        ++made;
      } catch (const Error& error) {
        EXPECT_SAYS(std::string(error.what()), "there already");
      }
    });
  }
  for (std::thread& maker : makers) maker.join();
  EXPECT_EQ(made, 1);
  (void)server->ask("PUT", "/foreign",
                    R"({"mappings":{"_meta":{"theirs":{"a":[1,"x"]}},"properties":{"b":{"type":"keyword"},"f":{"type":"long"}}}})");
  const auto foreign = connect("foreign");
  EXPECT_FALSE(foreign->empty());
  EXPECT_FALSE(foreign->record());
  foreign->adopt("mine", layout);
  EXPECT_EQ(foreign->record(), "mine");
  EXPECT_SAYS(server->ask("GET", "/foreign/_mapping"), R"("theirs":{"a":[1,"x"]})");
  EXPECT_SAYS(net::thrown([&] { connect("Upper case")->make("x", layout); }), "lower case");
}

TEST_F(SearchServerOne, AnAliasWritesToItsWriteIndexAndReadsAll) {
  const auto first = make("alias-1", "compact"), second = make("alias-2", "compact");
  (void)server->ask(
      "POST", "/_aliases",
      R"({"actions":[{"add":{"index":"alias-1","alias":"all"}},{"add":{"index":"alias-2","alias":"all","is_write_index":true}}]})");
  const Model old = {{"old", 1}, {"older", 2}}, fresh = {{"new", 3}};
  put(*first, old);
  EXPECT_EQ(connect("all")->record(), "record");
  SearchStore both(server->store("all"), search_preset("compact", 3));
  put(both, fresh);
  Model model = old;
  model.insert(fresh.begin(), fresh.end());
  expect_same(both, model, 3, 1);
  expect_same(*second, fresh, 3, 2);
  both.check();
}

TEST_F(SearchServerOne, ATemplateMakesIndicesLikeOurs) {
  (void)make("templated-1", "compact");
  const std::string mapping = server->ask("GET", "/templated-1/_mapping"), before = R"({"templated-1":)";
  ASSERT_TRUE(mapping.starts_with(before)) << mapping;
  const std::string inner = mapping.substr(before.size(), mapping.size() - before.size() - 1);
  (void)server->ask("PUT", "/_index_template/leitong", R"({"index_patterns":["templated-*"],"template":)" + inner + "}");
  (void)server->ask("PUT", "/templated-2");
  EXPECT_EQ(connect("templated-2")->record(), connect("templated-1")->record());
  EXPECT_SAYS(server->ask("GET", "/templated-2/_mapping"), R"("_source":{"enabled":false})");
}

TEST_F(SearchServerOne, CheckNamesADocumentWithWrongBlocks) {
  for (const char* preset : {"article-positioned", "compact"}) {
    const std::string index = std::string("check-") + preset;
    const auto store = make(index, preset);
    put(*store, Rows(2).some(300, 3));
    store->check();
    std::string document;
    append_document(search_preset(preset, 3), "x", 0xAAAA, document);
    const std::size_t digit = document.find("\",\"") - 1;
    document[digit] = document[digit] == '1' ? '0' : '1';
    (void)server->ask("PUT", "/" + index + "/_doc/broken", document);
    EXPECT_SAYS(net::thrown([&] { store->check(); }), "document \"broken\"");
  }
}

TEST_F(SearchServerOne, InspectRecognisesIndicesOfOthers) {
  struct Case {
    const char *index, *mapping, *layout;  // mapping and layout of the documents
    const char* part;                      // of the layout that must be found
  };
  const Case cases[] = {
      {"dynamic", "", R"({"preset":"article-plain","first":0})", R"("term_field":"blocks.keyword")"},
      {"decimals", R"({"mappings":{"properties":{"blocks":{"type":"integer"},"simhash":{"type":"keyword"}}}})",
       R"({"digits":"decimal","least_first":true,"fingerprint":"hex"})", R"("fingerprint":"hex","doc_values":true)"},
      {"positions", R"({"mappings":{"properties":{"hash":{"properties":{"parts":{"type":"keyword"},"all":{"type":"long"}}}}}})",
       R"({"blocks":5,"digits":"hex-short","first":1,"term":"p{position}_{block}","block_field":"hash.parts","fingerprint_field":"hash.all","fingerprint":"long"})",
       R"("term":"p{position}_{block}","block_field":"hash.parts","fingerprint_field":"hash.all","fingerprint":"long")"},
      {"reversed", "", R"({"blocks":7,"digits":"bits","reversed":true,"term":"{block}@{position}","fingerprint":"decimal"})", ""},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.index);
    const SearchLayout layout = read_search_layout(one.layout, std::nullopt);
    const std::string index = std::string("inspect-") + one.index;
    if (*one.mapping != '\0') (void)server->ask("PUT", "/" + index, one.mapping);
    const Model model = Rows(11).some(80, 3);
    for (const auto& [id, fingerprint] : model) {
      std::string document;
      append_document(layout, id, fingerprint, document);
      document.insert(1, "\"title\":\"text of it\",\"other\":[1,2,3],");
      (void)server->ask("PUT", "/" + index + "/_doc/" + net::percent_encoded(id), document);
    }
    (void)server->ask("POST", "/" + index + "/_refresh");
    const auto place = connect(index);
    const remote::Inspection found = place->inspect(60);
    std::string said;
    for (const std::string& sentence : found.evidence) said += sentence + "\n";
    for (const std::string& sentence : found.doubts) said += "doubt: " + sentence + "\n";
    if (std::string(one.index) == "reversed") {
      EXPECT_EQ(found.layout, "") << "no such pattern is tried" << said;
      EXPECT_SAYS(said, "is an array of 7 values");
      continue;
    }
    ASSERT_NE(found.layout, "") << said;
    EXPECT_SAYS(said, "60 of 60 documents");
    EXPECT_SAYS(found.layout, one.part);
    place->adopt("record", found.layout);
    const auto store = place->open(found.layout, false);
    expect_same(*store, model, 3, 12);
    Model more = Rows(13).some(30, 3);
    put(*store, more);
    store->refresh();
    Model all = model;
    for (const auto& [id, fingerprint] : more) all[id] = fingerprint;
    expect_same(*store, all, 3, 12);
    const std::string title = server->ask("GET", "/" + index + "/_count?q=title:text");
    EXPECT_SAYS(title, "\"count\":" + std::to_string(model.size())) << "other fields stay";
  }
}

TEST_F(SearchServerOne, InspectRecognisesIndicesOfOurs) {
  for (const char* preset : {"article-plain", "article-positioned", "compact"}) {
    const std::string index = std::string("ours-") + preset;
    const auto store = make(index, preset);
    put(*store, Rows(14).some(60, 3));
    store->refresh();
    const remote::Inspection found = connect(index)->inspect(50);
    SearchLayout guessed = read_search_layout(found.layout, std::nullopt), ours = search_preset(preset, 3);
    EXPECT_EQ(terms_of(guessed, 0x123456789ABCDEF0), terms_of(ours, 0x123456789ABCDEF0)) << found.layout;
    EXPECT_EQ(guessed.source, ours.source);
    EXPECT_EQ(guessed.written, ours.written);
    EXPECT_EQ(guessed.other_fields, false);
  }
}

TEST_F(SearchServerOne, IdsInAFieldWhereTheServerMadeUpTheirs) {
  (void)server->ask("PUT", "/own-ids",
                    R"({"mappings":{"properties":{"docId":{"type":"keyword"},"blocks":{"type":"keyword"},"simhash":{"type":"keyword"}}}})");
  const SearchLayout layout = search_preset("article-plain", 3);
  Model model = Rows(15).some(60, 3);
  for (const auto& [id, fingerprint] : model) {
    std::string document, name;
    append_document(layout, id, fingerprint, document);
    document.insert(1, "\"docId\":" + json_text(id) + ",");
    (void)server->ask("POST", "/own-ids/_doc", document);
    if (fingerprint % 4 == 0) (void)server->ask("POST", "/own-ids/_doc", document);  // stored twice
  }
  (void)server->ask("POST", "/own-ids/_refresh");
  const auto place = connect("own-ids");
  remote::Inspection found = place->inspect(1'000);
  if (found.layout.find("docId") == std::string::npos) {  // the doubled documents may hide it
    found.layout.insert(1, "\"id_field\":\"docId\",");
    const std::size_t second = found.layout.find(",\"id_field\":\"_id\"");
    ASSERT_NE(second, std::string::npos) << found.layout;
    found.layout.erase(second, 17);
  }
  const auto store = place->open(found.layout, false);
  put(*store, model);  // one of the doubled documents is removed
  expect_same(*store, model, 3, 16);
}

TEST(SearchServerNext, OpenSearch3AgreesWithTheModel) {
  if (const std::string reason = missing_of(open_search_3); !reason.empty()) GTEST_SKIP() << reason;
  const OpenSearchProcess server(1, open_search_3);
  for (const char* preset : {"article-plain", "article-positioned", "compact"}) {
    const auto place = connect_search(server.url(preset));
    const std::string layout = place->layout_of(preset, 3);
    place->make("record", layout);
    EXPECT_EQ(place->record(), "record");
    const auto store = place->open(layout, false);
    const Model model = Rows(1).some(300, 3);
    put(*store, model);
    expect_same(*store, model, 3, 2);
    store->check();
    store->compact();
    expect_same(*store, model, 3, 3);
    EXPECT_SAYS(store->size().server, "OpenSearch 3");
  }
}

}  // namespace
}  // namespace leitong::search
