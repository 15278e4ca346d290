#include "leitong/profile.h"

#include <gtest/gtest.h>

#include <set>

#include "fingerprint/features.h"
#include "leitong/error.h"

namespace leitong {
namespace {

TEST(Profile, BuiltInOnesHaveTheirOwnIdsAndSurviveToml) {
  std::set<std::string> ids;
  for (const std::string& name : profile_names()) {
    const Profile profile = load_profile(name);
    EXPECT_EQ(profile.name, name);
    EXPECT_EQ(to_toml(parse_profile(to_toml(profile), "test")), to_toml(profile));
    if (!fingerprint::votes_by_tokens(profile)) continue;  // its id is also its dictionary's
    const std::string id = profile_id(profile);
    EXPECT_EQ(id.size(), 32U);
    EXPECT_TRUE(ids.insert(id).second) << name;
    EXPECT_EQ(profile_id(parse_profile(to_toml(profile), "test")), id) << to_toml(profile);
  }
  EXPECT_EQ(profile_names().front(), Profile{}.name);
}

TEST(Profile, EverySettingChangesTheId) {
  const std::string base = profile_id(Profile{});
  const auto differs = [&](const auto& change) {
    Profile p;
    change(p);
    return profile_id(p) != base;
  };
  EXPECT_FALSE(differs([](Profile& p) { p.name = "another"; }));
  EXPECT_TRUE(differs([](Profile& p) { p.bits = 128; }));
  EXPECT_TRUE(differs([](Profile& p) { p.version = 2; }));
  EXPECT_TRUE(differs([](Profile& p) { p.fold_traditional = true; }));
  EXPECT_TRUE(differs([](Profile& p) { p.features = FeatureKind::character_ngrams; }));
  EXPECT_TRUE(differs([](Profile& p) { p.ngram_sizes = {2}; }));
  EXPECT_TRUE(differs([](Profile& p) { p.numbered = false; }));
  EXPECT_TRUE(differs([](Profile& p) { p.numbered = false, p.weights = WeightKind::log; }));
  EXPECT_TRUE(differs([](Profile& p) { p.key = "00ff"; }));
  Profile lower, upper;
  lower.key = "00ff", upper.key = "00FF";
  EXPECT_EQ(profile_id(lower), profile_id(upper));
  EXPECT_TRUE(differs([](Profile& p) { p.minhash = false; }));
  EXPECT_TRUE(differs([](Profile& p) { p.short_tokens = 40; }));
}

TEST(Profile, ContradictionsAreNamed) {
  const auto message = [](const auto& change) -> std::string {
    Profile p;
    change(p);
    try {
      (void)profile_id(p);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message([](Profile& p) { p.bits = 100; }).find("64, 128 or 256"), std::string::npos);
  EXPECT_NE(message([](Profile& p) { p.weights = WeightKind::tf; }).find("numbered"), std::string::npos);
  EXPECT_NE(message([](Profile& p) { p.ngram_sizes = {}; }).find("ngram-sizes"), std::string::npos);
  EXPECT_NE(message([](Profile& p) { p.key = "xyz"; }).find("key"), std::string::npos);
}

TEST(Profile, TomlErrorsNameTheLine) {
  const auto message = [](const char* toml) -> std::string {
    try {
      (void)parse_profile(toml, "p.toml");
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message("bits = 64\nbitz = 1\n").find("p.toml:2: bitz: no such setting"), std::string::npos);
  for (const char* key : {"thresholds", "sure-similarity", "order-tokens", "order-lcs", "order-contained", "template-records"}) {
    const std::string said = message((std::string(key) + " = 1\n").c_str());
    EXPECT_NE(said.find("p.toml:1: " + std::string(key) + ": no such setting of a profile"), std::string::npos) << said;
    EXPECT_NE(said.find("--rule"), std::string::npos) << said;
  }
  EXPECT_NE(message("bits = \"x\"\n").find("p.toml:1: bits"), std::string::npos);
  EXPECT_NE(message("weights = \"cubic\"\n").find("sqrt"), std::string::npos);
  EXPECT_NE(message("bits = [\n").find("p.toml:"), std::string::npos);
  EXPECT_THROW((void)load_profile("nobody"), Error);
  EXPECT_THROW((void)load_profile("/no/such/file.toml"), Error);
}

TEST(Profile, ABaseMayBeOverridden) {
  const Profile p = parse_profile("base = \"words-log\"\nname = \"mine\"\nbits = 128\n", "p.toml");
  EXPECT_EQ(p.name, "mine");
  EXPECT_EQ(p.bits, 128U);
  EXPECT_EQ(p.weights, WeightKind::log);
}

}  // namespace
}  // namespace leitong
