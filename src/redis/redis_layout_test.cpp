#include "redis/redis_layout.h"

#include <gtest/gtest.h>

#include <string>

#include "leitong/error.h"

namespace leitong::redis {
namespace {

std::string wrong(std::string_view layout, std::optional<unsigned> k = 3) {
  try {
    (void)read_redis_layout(layout, k);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "";
}

TEST(RedisLayout, Presets) {
  const RedisLayout plain = redis_preset("article-plain", 3);
  EXPECT_EQ(to_json(plain),
            R"({"name":"article-plain","blocks":4,"digits":"bits","least_first":false,"reversed":false,"first":0,"key":"{block}",)"
            R"("container":"set","member":"{id}","fingerprint":"bits","map":"string","map_key":"fp:{id}"})");
  EXPECT_EQ(redis_preset("article-positioned", 7).key.text(), "{position}:{block}");
  EXPECT_EQ(redis_preset("article-positioned", 7).form.blocks, 8U);
  const RedisLayout compact = redis_preset("compact", 15);
  EXPECT_EQ(compact.container, Container::packed);
  EXPECT_EQ(compact.map, MapKind::shards);
  EXPECT_EQ(compact.form.blocks, 16U);
  for (const char* name : {"article-plain", "article-positioned", "compact"}) {
    for (const unsigned k : {1U, 3U, 15U}) {
      const std::string json = to_json(redis_preset(name, k));
      EXPECT_EQ(to_json(read_redis_layout(json, std::nullopt)), json);
      EXPECT_EQ(to_json(read_redis_layout(json, k)), json);
    }
    for (const unsigned k : {0U, 16U, 64U}) EXPECT_NE(wrong(name, k).find("not among 1 to 15"), std::string::npos);
  }
}

TEST(RedisLayout, JsonChangesAPreset) {
  const RedisLayout java = read_redis_layout(R"({"preset":"article-plain","bits":"least-first"})", 3);
  EXPECT_TRUE(java.form.least_first && java.form.reversed);
  EXPECT_EQ(java.fingerprint, WrittenForm::bits_least_first);
  EXPECT_EQ(java.name, "article-plain");
  const RedisLayout mixed =
      read_redis_layout(R"({"fingerprint":"signed-decimal","reversed":false,"bits":"least-first","preset":"article-positioned"})", 3);
  EXPECT_TRUE(mixed.form.least_first && !mixed.form.reversed) << "the more exact key counts";
  EXPECT_EQ(mixed.fingerprint, WrittenForm::signed_decimal);
  EXPECT_EQ(read_redis_layout(R"({"preset":"compact","shards":64})", 3).shards, 64U);
  EXPECT_EQ(read_redis_layout(R"({"preset":"compact","blocks":8})", 3).form.blocks, 8U) << "more blocks than k needs";
  const std::string custom =
      R"({"name":"x","blocks":5,"digits":"hex-short","least_first":true,"reversed":false,"first":1,"key":"b_{position}_{block}",)"
      R"("container":"string","member":"{fingerprint}|{id}","separator":";","fingerprint":"reversed-signed-decimal","map":"hash",)"
      R"("map_key":"docs"})";
  EXPECT_EQ(to_json(read_redis_layout(custom, std::nullopt)), custom);
}

TEST(RedisLayout, SaysWhatIsWrong) {
  const auto says = [](std::string_view layout, std::string_view part) {
    const std::string said = wrong(layout);
    EXPECT_NE(said.find(part), std::string::npos) << layout << ": " << said;
  };
  says("article-plan", "\"article-plan\" is neither a preset (article-plain, article-positioned, compact) nor JSON");
  says("{", "no JSON object");
  says(R"({"preset":"x"})", "neither a preset");
  says(R"({"blok":1})", "\"blok\" is no key");
  says(R"({"blocks":17})", "from 2 to 16");
  says(R"({"blocks":3})", "3 blocks find all up to k = 2, not 3");
  says(R"({"digits":"octal"})", "hex-short");
  says(R"({"container":"zset"})", "it can be set, list, string, packed");
  says(R"({"container":7})", "must be a text");
  says(R"({"key":"{position}"})", "needs {block}");
  says(R"({"key":"{block}:{id}"})", "needs {block}");
  says(R"({"key":"{blok}"})", "no field \"blok\"");
  says(R"({"member":"x"})", "needs {id}, {fingerprint} or both");
  says(R"({"member":"{id}:{position}"})", "needs {id}, {fingerprint} or both");
  says(R"({"member":"{fingerprint}"})", "have no ids, so there is no map");
  says(R"({"map":"none"})", "members need {fingerprint}");
  says(R"({"map_key":"fp"})", "needs {id}");
  says(R"({"map":"hash"})", "without fields");
  says(R"({"map":"hash","map_key":""})", "told apart");
  says(R"({"container":"string","separator":""})", "need a separator");
  says(R"({"container":"string","map_key":"{id}"})", "told apart");
  says(R"({"preset":"compact","key":"{block}"})", "need {position}");
  says(R"({"preset":"compact","map":"none"})", "need a map");
  says(R"({"preset":"compact","shards":0})", "from 1 to 16777216");
  EXPECT_EQ(wrong(R"({"member":"{fingerprint}","map":"none"})"), "");
  EXPECT_EQ(wrong(R"({"map_key":"{id}"})"), "");
}

}  // namespace
}  // namespace leitong::redis
