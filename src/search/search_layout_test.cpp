#include "search/search_layout.h"

#include <gtest/gtest.h>

#include "leitong/error.h"
#include "net/thrown_test.h"
#include "support/child_process.h"
#include "support/temporary_directory.h"

namespace leitong::search {
namespace {

constexpr std::uint64_t fingerprint = 0xF00D'0001'8000'ABCD;

TEST(SearchLayout, PresetsWriteTheirTerms) {
  EXPECT_EQ(terms_of(search_preset("article-plain", 3), fingerprint),
            (std::vector<std::string>{"1111000000001101", "0000000000000001", "1000000000000000", "1010101111001101"}));
  EXPECT_EQ(terms_of(search_preset("article-positioned", 3), fingerprint)[2], "2:1000000000000000");
  EXPECT_EQ(terms_of(search_preset("compact", 3), fingerprint), (std::vector<std::string>{"0f00d", "10001", "28000", "3abcd"}));
  for (unsigned k = 1; k <= 15; ++k) EXPECT_EQ(terms_of(search_preset("compact", k), fingerprint).size(), k + 1);
}

TEST(SearchLayout, WritesAndReadsDocuments) {
  std::string document;
  append_document(search_preset("compact", 3), "id", fingerprint, document);
  EXPECT_EQ(document, R"({"b":["0f00d","10001","28000","3abcd"],"f":-1149262323467113523})");
  EXPECT_EQ(read_fingerprint(search_preset("compact", 3), "-1149262323467113523"), fingerprint);
  for (const char* form :
       {"bits", "bits-least-first", "hex", "decimal", "signed-decimal", "reversed-hex", "reversed-decimal", "reversed-signed-decimal"}) {
    const SearchLayout layout =
        read_search_layout(std::string(R"({"preset":"article-plain","id_field":"n","fingerprint":")") + form + "\"}", 3);
    document.clear();
    append_document(layout, "a\"b", fingerprint, document);
    EXPECT_SAYS(document, R"("n":"a\"b")");
    const std::size_t at = document.find("\"simhash\":\"") + 11;
    EXPECT_EQ(read_fingerprint(layout, document.substr(at, document.find('"', at) - at)), fingerprint) << form;
  }
}

TEST(SearchLayout, IsTheSameAfterJson) {
  for (
      const char* text :
      {"article-plain", "article-positioned", "compact",
       R"({"name":"x","blocks":6,"digits":"hex-short","least_first":true,"reversed":true,"first":1,"term":"p{position}_{block}","block_field":"a.b",)"
       R"("term_field":"a.b.keyword","fingerprint_field":"h","fingerprint":"reversed-decimal","doc_values":true,"value_field":"h.k","source":true,)"
       R"("id_field":"doc.id","other_fields":true,"best_compression":true,"shards":3,"replicas":0})"}) {
    const std::string json = to_json(read_search_layout(text, std::nullopt));
    EXPECT_EQ(to_json(read_search_layout(json, std::nullopt)), json);
    if (text[0] != '{') continue;
    EXPECT_SAYS(json, "p{position}_{block}");
    EXPECT_SAYS(json, "\"shards\":3");
  }
}

TEST(SearchLayout, RefusesWhatCannotBe) {
  const auto says = [](const char* text, std::optional<unsigned> k) { return net::thrown([&] { (void)read_search_layout(text, k); }); };
  EXPECT_EQ(says(R"({"blocks":7})", 6), "");
  EXPECT_SAYS(says(R"({"blocks":6})", 6), "6 blocks find all up to k = 5, not 6");
  EXPECT_SAYS(says("compact", 0), "k = 0");
  EXPECT_SAYS(says("compact", 16), "k = 16");
  EXPECT_SAYS(says("dense", 3), "neither a preset");
  EXPECT_SAYS(says("{", 3), "no JSON object");
  EXPECT_SAYS(says(R"({"colour":1})", 3), "\"colour\" is no key");
  EXPECT_SAYS(says(R"({"digits":"bytes"})", 3), "\"digits\" must be");
  EXPECT_SAYS(says(R"({"blocks":"4"})", 3), "\"blocks\" must be a number");
  EXPECT_SAYS(says(R"({"term":"{position}"})", 3), "lacks {block}");
  EXPECT_SAYS(says(R"({"term":"{block}{id}"})", 3), "{id}");
  EXPECT_SAYS(says(R"({"fingerprint":"roman"})", 3), "roman");
  EXPECT_SAYS(says(R"({"source":false})", 3), "doc_values");
  EXPECT_SAYS(says(R"({"preset":"compact","id_field":"x"})", 3), "_source");
  EXPECT_SAYS(says(R"({"block_field":"simhash"})", 3), "a field each");
}

TEST(SearchLayout, MappingsHoldTheRecord) {
  const std::string body = index_body(read_search_layout(R"({"preset":"compact","block_field":"x.y","replicas":0})", 3), "the \"record\"");
  EXPECT_SAYS(body, R"("_meta":{"leitong":"the \"record\""})");
  EXPECT_SAYS(body, R"("_source":{"enabled":false})");
  EXPECT_SAYS(body, R"("x":{"properties":{"y":{"type":"keyword","doc_values":false)");
  EXPECT_SAYS(body, R"("number_of_replicas":0)");
}

}  // namespace
}  // namespace leitong::search
