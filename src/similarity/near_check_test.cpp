#include "similarity/near_check.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "leitong/profile.h"
#include "leitong/similarity.h"

namespace leitong::similarity {
namespace {

std::string text_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += word;
  return text;
}

// Words of both scripts, some of them frequent, edited here and there, moved, cut, or nothing alike.
TEST(NearCheck, DecidesAsCompareDoes) {
  const Profile profile = load_profile("leitong-1");
  const Rule rule;
  std::mt19937_64 random(5);
  const auto word = [&] {
    const auto n = random() % 900;
    return n % 3 == 0 ? "\xe4\xb8" + std::string(1, static_cast<char>(0x80 + n % 64)) : "w" + std::to_string(n % 211) + " ";
  };
  NearCheck check(profile, rule);
  unsigned near = 0, far = 0;
  for (unsigned text = 0; text < 60; ++text) {
    std::vector<std::string> words;
    for (auto length = random() % (text % 3 == 0 ? 6 : 300); length > 0; --length) words.push_back(word());
    const std::string own = text_of(words);
    check.set(own);
    for (unsigned edits = 0; edits < 12; ++edits) {
      std::vector<std::string> edited = words;
      for (auto e = random() % (1 + words.size() / (1 + random() % 12)); e > 0 && !edited.empty(); --e)
        edited[random() % edited.size()] = word();
      if (edits % 4 == 1) std::shuffle(edited.begin() + static_cast<std::ptrdiff_t>(edited.size() / 2), edited.end(), random);
      if (edits % 4 == 2) edited.resize(edited.size() * 3 / 4);
      if (edits == 11) edited.assign(words.size(), "x");
      const std::string other = text_of(edited);
      const Comparison wanted = compare(own, other, profile, rule);
      const NearCheck::Answer got = check.ask(other);
      if (own.empty() && other.empty()) continue;
      EXPECT_NEAR(got.jaccard, wanted.jaccard, 1e-3) << own << "\n" << other;
      EXPECT_EQ(got.near, wanted.near_duplicate) << own << "\n" << other;
      ++(got.near ? near : far);
    }
  }
  EXPECT_GT(near, 100U);
  EXPECT_GT(far, 100U);
}

TEST(NearCheck, ResemblesNothingWithoutWords) {
  const Profile profile = load_profile("leitong-1");
  const Rule rule;
  NearCheck check(profile, rule);
  for (const char* text : {"", " ", "!!!"}) {
    check.set(text);
    EXPECT_FALSE(check.ask(text).near);
    EXPECT_FALSE(check.ask("some words").near);
  }
  check.set("word");
  EXPECT_TRUE(check.ask("Word!").near);
}

}  // namespace
}  // namespace leitong::similarity
