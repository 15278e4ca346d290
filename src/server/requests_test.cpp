// What is decided about a request without sockets: routes, keys, fields, encodings, lines.
// tiers: plain+sanitized
#include <gtest/gtest.h>
#include <simdjson.h>

#include <random>
#include <set>

#include "leitong/error.h"
#include "server/api.h"
#include "server/assets.h"
#include "server/coding.h"
#include "server/json_reader.h"
#include "server/keys.h"
#include "server/line_stream.h"
#include "server/metrics.h"
#include "server/problem.h"
#include "server/router.h"

namespace leitong::server {
namespace {

TEST(Router, FindsRoutesByMethodAndPath) {
  const Routed one = find_route(routes(), "GET", "/v1/collections/news/documents/a%2Fb%20c?k=3&x=%C3%A9+y&flag");
  ASSERT_NE(one.route, nullptr);
  EXPECT_STREQ(one.route->path, "/v1/collections/{collection}/documents/{id}");
  EXPECT_EQ(one.parameters.at("collection"), "news");
  EXPECT_EQ(one.parameters.at("id"), "a/b c");
  EXPECT_EQ(one.parameters.at("k"), "3");
  EXPECT_EQ(one.parameters.at("x"), "é y");
  EXPECT_EQ(one.parameters.at("flag"), "true");
  EXPECT_NE(find_route(routes(), "HEAD", "/livez").route, nullptr);
  for (const char* none : {"", "//", "livez", "/livez/", "/v1/collections//check", "/v1/collections/a/documents/", "http://x/livez", "/v1"})
    EXPECT_EQ(find_route(routes(), "GET", none).route, nullptr) << none;
}

TEST(Router, SaysWhichMethodsThereAre) {
  const Routed one = find_route(routes(), "PATCH", "/v1/collections/news/documents/1");
  EXPECT_EQ(one.route, nullptr);
  EXPECT_EQ(one.allowed, "PUT, GET, DELETE");
}

TEST(Router, AParameterOfTheQueryNeverReplacesOneOfThePath) {
  EXPECT_EQ(find_route(routes(), "GET", "/v1/collections/mine?collection=yours").parameters.at("collection"), "mine");
}

TEST(Router, InvalidEscapesStay) {
  EXPECT_EQ(decoded("%4", false), "%4");
  EXPECT_EQ(decoded("%zz%41%", false), "%zzA%");
  EXPECT_EQ(decoded("a+b", false), "a+b");
}

// Every route is in the document that the server gives out, with its parameters, its body and its scope, and nothing else is.
TEST(OpenApi, SaysWhatTheRoutesSay) {
  simdjson::dom::parser parser;
  simdjson::dom::element document;
  ASSERT_EQ(parser.parse(asset("openapi.json").data(), asset("openapi.json").size()).get(document), simdjson::SUCCESS);
  std::set<std::string> told, operations;
  for (const auto& path : document["paths"].get_object())
    for (const auto& method : path.value.get_object()) {
      std::string name(method.key);
      std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
      told.insert(name + " " + std::string(path.key));
      EXPECT_TRUE(operations.insert(std::string(std::string_view(method.value["operationId"]))).second);
    }
  for (const Route& route : routes()) {
    SCOPED_TRACE(std::string(route.method) + " " + route.path);
    EXPECT_EQ(told.erase(std::string(route.method) + " " + route.path), 1U);
    std::string method = route.method;
    std::transform(method.begin(), method.end(), method.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    simdjson::dom::element operation;
    ASSERT_EQ(document["paths"][route.path][method].get(operation), simdjson::SUCCESS);
    EXPECT_EQ(operation["requestBody"].error() == simdjson::SUCCESS, route.body != BodyKind::none);
    if (route.body != BodyKind::none) {
      EXPECT_EQ(operation["requestBody"]["content"]["application/x-ndjson"].error() == simdjson::SUCCESS, route.body == BodyKind::streamed);
    }
    const simdjson::dom::array security = operation["security"];
    if (route.scope == Scope::none) {
      EXPECT_EQ(security.size(), 0U);
    } else {
      const std::string_view scope = security.at(0)["key"].at(0);
      EXPECT_EQ(scope, route.scope == Scope::read    ? "read"
                       : route.scope == Scope::write ? "write"
                       : route.scope == Scope::admin ? "admin"
                                                     : "metrics");
    }
    std::size_t in_path = 0;
    for (const simdjson::dom::element parameter : operation["parameters"].get_array())
      if (std::string_view(parameter["in"]) == "path") {
        ++in_path;
        EXPECT_NE(std::string_view(route.path).find("{" + std::string(std::string_view(parameter["name"])) + "}"), std::string_view::npos);
      }
    const std::string_view path = route.path;
    EXPECT_EQ(in_path, static_cast<std::size_t>(std::count(path.begin(), path.end(), '{')));
  }
  EXPECT_TRUE(told.empty()) << *told.begin();
  std::vector<std::string> profiles;
  for (const simdjson::dom::element name : document["components"]["schemas"]["ProfileName"]["enum"].get_array())
    profiles.emplace_back(std::string_view(name));
  EXPECT_EQ(profiles, profile_names());
}

std::chrono::system_clock::time_point day(int year, unsigned month, unsigned of_month) {
  return std::chrono::sys_days(std::chrono::year_month_day{std::chrono::year(year), std::chrono::month(month), std::chrono::day(of_month)});
}

TEST(Keys, AreFoundByTheirHashUntilTheyExpire) {
  const ServerKey one = new_server_key("one", "read,write", "news,shop", "2027-01-31"), two = new_server_key("two", "admin", "*", "never");
  EXPECT_EQ(one.line.find(one.key), std::string::npos);
  const Keys keys("# a comment\n\n" + one.line + "\n" + two.line + " # another\n", "keys");
  const Key* found = keys.find(one.key, day(2027, 1, 31));
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->name, "one");
  EXPECT_TRUE(found->may(Scope::read) && found->may(Scope::write) && found->may(Scope::none));
  EXPECT_FALSE(found->may(Scope::admin) || found->may(Scope::metrics));
  EXPECT_TRUE(found->may_use("shop"));
  EXPECT_FALSE(found->may_use("other"));
  EXPECT_EQ(keys.find(one.key, day(2027, 2, 1)), nullptr);
  ASSERT_NE(keys.find(two.key, day(2099, 1, 1)), nullptr);
  EXPECT_TRUE(keys.find(two.key, day(2099, 1, 1))->may(Scope::write));
  EXPECT_TRUE(keys.find(two.key, day(2099, 1, 1))->may_use("anything"));
  EXPECT_EQ(keys.find(one.key + "0", day(2027, 1, 1)), nullptr);
  EXPECT_EQ(keys.find("", day(2027, 1, 1)), nullptr);
}

TEST(Keys, ABadLineIsNamed) {
  const std::string hash(64, 'a');
  for (const std::string& line :
       {std::string("one"), "one " + hash.substr(1) + " read * never", "one " + hash + " reads * never",
        "one " + hash + " read * 2027-02-30", "one " + hash + " read * soon", "one " + hash + " read * never more"}) {
    try {
      const Keys keys("# first\n" + line, "the-file");
      ADD_FAILURE() << line;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::format);
      EXPECT_EQ(std::string(error.what()).find("the-file:2: "), 0U) << error.what();
    }
  }
  EXPECT_THROW(static_cast<void>(new_server_key("two words", "read", "*", "never")), Error);
  EXPECT_THROW(static_cast<void>(new_server_key("#x", "read", "*", "never")), Error);
}

std::string kind_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Problem& problem) {
    return problem.kind + " " + std::to_string(problem.status);
  }
  return {};
}

TEST(JsonReader, IsStrict) {
  JsonReader json(8);
  json.read(R"({"a":"x","n":7,"b":true,"t":["p","q"],"m":{ "y" : [1, 2] },"w":8.0})", {"a", "n", "b", "t", "m", "w"});
  EXPECT_EQ(json.text("a"), "x");
  EXPECT_EQ(json.number("n"), 7U);
  EXPECT_EQ(json.flag("b"), true);
  EXPECT_EQ(json.texts("t"), (std::vector<std::string>{"p", "q"}));
  EXPECT_EQ(json.raw("m"), R"({"y":[1,2]})");
  EXPECT_EQ(json.number("w"), 8U);
  EXPECT_FALSE(json.text("none"));
  EXPECT_EQ(kind_of([&] { static_cast<void>(json.text("n")); }), "field 422");
  EXPECT_EQ(kind_of([&] { static_cast<void>(json.number("a")); }), "field 422");
  EXPECT_EQ(kind_of([&] { static_cast<void>(json.texts("m")); }), "field 422");
  for (const char* bad : {"", "{", "[]", "7", "{\"a\":}", "{\"a\":\"\xff\"}", "{\"a\":1}{}", "{\"a\":\"\\ud800\"}x"})
    EXPECT_EQ(kind_of([&] { json.read(bad, {"a"}); }), "json 422") << bad;
  EXPECT_EQ(kind_of([&] { json.read(R"({"other":1})", {"a"}); }), "field 422");
  EXPECT_EQ(kind_of([&] { json.read(R"({"a":[[[[[[[[[1]]]]]]]]]})", {"a"}); }), "json 422");
  json.read(R"({"a":[[[[[1]]]]]})", {"a"});
  json.read(R"({"other":1,"a":"b","z":null,"f":0.5})", {});
  EXPECT_EQ(json.text("a"), "b");
  EXPECT_FALSE(json.text("z"));
  EXPECT_EQ(kind_of([&] { static_cast<void>(json.number("f")); }), "field 422");
  EXPECT_EQ(kind_of([&] { json.read(R"({"a":null})", {"a"}); }), "field 422");
  // Also after the reader has grown.
  json.read("{\"a\":\"" + std::string(100'000, 'x') + "\"}", {"a"});
  EXPECT_EQ(kind_of([&] { json.read(R"({"a":[[[[[[[[[1]]]]]]]]]})", {"a"}); }), "json 422");
}

TEST(Coding, PacksAndUnpacksInPieces) {
  std::mt19937 random(5);
  std::string plain;
  for (int i = 0; i < 300'000; ++i) plain += static_cast<char>('a' + random() % 7);
  for (const Coding coding : {Coding::identity, Coding::gzip, Coding::zstd}) {
    Packer packer(coding);
    std::string packed, back;
    for (std::size_t at = 0; at < plain.size(); at += 50'000)
      packer.pack(std::string_view(plain).substr(at, 50'000), at + 50'000 >= plain.size(), packed);
    packed += packed;  // frames and members may follow each other
    Unpacker unpacker(coding, 1 << 20);
    for (std::size_t at = 0; at < packed.size(); at += 777)
      unpacker.unpack(std::string_view(packed).substr(at, 777), at + 777 >= packed.size(), back);
    EXPECT_TRUE(back == plain + plain) << name_of(coding);
    if (coding == Coding::identity) continue;
    const std::string half = packed.substr(0, packed.size() / 3);
    EXPECT_EQ(kind_of([&] { Unpacker(coding, 1 << 20).unpack(half, true, back); }), "encoding 422");
    EXPECT_EQ(kind_of([&] { Unpacker(coding, 1 << 20).unpack("not packed at all", true, back); }), "encoding 422");
    EXPECT_EQ(kind_of([&] { Unpacker(coding, 1000).unpack(packed, true, back); }), "limit 413");
    std::string bomb;
    Packer(coding).pack(std::string(64 << 20, ' '), true, bomb);
    EXPECT_EQ(kind_of([&] { Unpacker(coding, 1ULL << 40).unpack(bomb, true, back); }), "limit 413");
  }
}

TEST(Coding, IsNegotiated) {
  EXPECT_EQ(accepted_coding("gzip, deflate, br, zstd"), Coding::zstd);
  EXPECT_EQ(accepted_coding("gzip;q=1.0, zstd;q=0.5"), Coding::gzip);
  EXPECT_EQ(accepted_coding("zstd;q=0 , gzip;q=.1"), Coding::gzip);
  EXPECT_EQ(accepted_coding("br"), Coding::identity);
  EXPECT_EQ(accepted_coding(""), Coding::identity);
  EXPECT_EQ(coding_of(" GZIP "), Coding::gzip);
  EXPECT_EQ(kind_of([] { static_cast<void>(coding_of("gzip, zstd")); }), "encoding 415");
}

// However the bytes come, the lines are the same.
TEST(LineCutter, CutsTheSameLinesWhereverTheBytesAreCut) {
  std::mt19937 random(3);
  std::string bytes;
  std::vector<std::pair<std::uint64_t, std::string>> expected;
  for (std::uint64_t number = 1; number <= 400; ++number) {
    std::string line;
    const std::size_t length = random() % 40;
    for (std::size_t i = 0; i < length; ++i) line += static_cast<char>('a' + random() % 3);
    if (length > 30)
      expected.emplace_back(number, "too long");
    else if (length > 0)
      expected.emplace_back(number, line);
    bytes += line + (number < 400 ? "\n" : "");
  }
  for (const std::size_t piece : {1U, 2U, 7U, 31U, 100U, 100'000U}) {
    LineCutter cutter(30);
    std::vector<std::pair<std::uint64_t, std::string>> got;
    for (std::size_t at = 0; at < bytes.size(); at += piece)
      for (const LineCutter::Line& line : cutter.cut(std::string_view(bytes).substr(at, piece), at + piece >= bytes.size()))
        got.emplace_back(line.number, line.too_long ? "too long" : std::string(line.text));
    EXPECT_EQ(got, expected) << piece;
    EXPECT_FALSE(cutter.in_line());
  }
}

TEST(Metrics, AreTextThatPrometheusReads) {
  Metrics metrics;
  metrics.add(Metrics::requests, {"GET", "/x\"\\\n", "200"});
  metrics.add(Metrics::requests, {"GET", "/x\"\\\n", "200"}, 2);
  metrics.observe(Metrics::write_batch_records, {"c"}, 5);
  metrics.observe(Metrics::write_batch_records, {"c"}, 1e9);
  const std::string text = metrics.text();
  EXPECT_NE(text.find("leitong_http_requests_total{method=\"GET\",route=\"/x\\\"\\\\\\n\",code=\"200\"} 3\n"), std::string::npos) << text;
  EXPECT_NE(text.find("leitong_write_batch_records_bucket{collection=\"c\",le=\"2\"} 0\n"), std::string::npos);
  EXPECT_NE(text.find("leitong_write_batch_records_bucket{collection=\"c\",le=\"5\"} 1\n"), std::string::npos);
  EXPECT_NE(text.find("leitong_write_batch_records_bucket{collection=\"c\",le=\"+Inf\"} 2\n"), std::string::npos);
  EXPECT_NE(text.find("leitong_write_batch_records_count{collection=\"c\"} 2\n"), std::string::npos);
}

TEST(Problem, TellsErrorsOfTheLibraryApart) {
  const auto status = [](ErrorCode code, const std::string& words) {
    return problem_of(std::make_exception_ptr(Error(code, words))).status;
  };
  EXPECT_EQ(status(ErrorCode::usage, "x"), 400);
  EXPECT_EQ(status(ErrorCode::format, "x"), 500);
  EXPECT_EQ(status(ErrorCode::limit, "x"), 413);
  EXPECT_EQ(status(ErrorCode::unsupported, "x"), 501);
  EXPECT_EQ(status(ErrorCode::interrupted, "x"), 503);
  EXPECT_EQ(status(ErrorCode::io, "a: write failed: No space left on device"), 507);
  EXPECT_EQ(status(ErrorCode::io, "a: write failed: Input/output error"), 503);
  EXPECT_EQ(to_json(over_limit("line", 7, "too \"long\""), "id"),
            R"({"type":"/problems/limit","title":"Content Too Large","status":413,"detail":"too \"long\"","instance":"id",)"
            R"("what":"line","limit":7})");
}

}  // namespace
}  // namespace leitong::server
