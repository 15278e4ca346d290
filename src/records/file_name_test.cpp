#include "leitong/file_name.h"

#include <gtest/gtest.h>

#include <random>

#include "records/utf8.h"

namespace leitong {
namespace {

TEST(FileName, NamesInUtf8StandAsTheyAre) {
  for (const char* name : {"", "a.txt", "dir/雷同.txt", "back\\slash", "\\x", "\\xg0", "C:\\xylophone", "new\nline"}) {
    EXPECT_EQ(shown_name(name), name);
    EXPECT_EQ(named_by(name), name);
  }
}

TEST(FileName, OtherBytesAreShown) {
  EXPECT_EQ(shown_name("\xD0\xC2\xCE\xC5.txt"), "\\xD0\\xC2\\xCE\\xC5.txt");
  EXPECT_EQ(shown_name("雷\xFF"), "雷\\xFF");
  EXPECT_EQ(shown_name("\xED\xA0\x80"), "\\xED\\xA0\\x80");  // half a surrogate pair is no character
  EXPECT_EQ(named_by("\\xd0\\xC2.txt"), "\xD0\xC2.txt");
}

TEST(FileName, WhatLooksLikeAShownByteIsShownItself) {
  EXPECT_EQ(shown_name("a\\xFF"), "a\\x5CxFF");
  EXPECT_EQ(shown_name("a\\xff"), "a\\x5Cxff");
  EXPECT_EQ(named_by("a\\x5CxFF"), "a\\xFF");
}

TEST(FileName, ATextForPeopleIsNotShownTwice) { EXPECT_EQ(shown_bytes("\\xD0\xC2: is bad"), "\\xD0\\xC2: is bad"); }

TEST(FileName, AnyNameComesBack) {
  std::mt19937 random(7);
  const std::string bytes = "\\x5CfF0a/\xD0\xC2\xE9\x9B\xB7\xFF\n";
  for (int i = 0; i < 20000; ++i) {
    std::string name;
    for (auto n = random() % 9; n > 0; --n) name.push_back(bytes[random() % bytes.size()]);
    const std::string shown = shown_name(name);
    EXPECT_TRUE(records::valid_utf8(shown));
    EXPECT_EQ(named_by(shown), name);
  }
}

}  // namespace
}  // namespace leitong
