#include "text/tokenize.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "processor/instruction_set.h"
#include "text/normalize.h"
#include "text/plain.h"
#include "text/utf8.h"
#include "text/wide.h"

namespace leitong::text {
namespace {

using Strings = std::vector<std::string>;

Strings strings(const Tokens& tokens) {
  Strings out;
  for (std::size_t i = 0; i < tokens.size(); ++i) out.emplace_back(tokens[i]);
  return out;
}

Strings plain(std::string_view text, const TokenizeOptions& options = {}) {
  Tokens tokens;
  tokenize_plain(text, options, tokens);
  return strings(tokens);
}

struct Variant {
  const char* name;
  ScanFunction scan;
};

std::vector<Variant> variants() {
  std::vector<Variant> out{{"portable", scan_portable}};
#if defined(__x86_64__)
  if (processor::fits_avx2(processor::features())) out.push_back({"avx2", scan_avx2});
  if (processor::fits_avx512(processor::features())) out.push_back({"avx512", scan_avx512});
#endif
  return out;
}

bool check_shape(const Tokens& tokens) {
  std::uint32_t last = 0;
  for (const Range& t : tokens.tokens) {
    if (t.begin < last || t.end <= t.begin) return false;
    last = t.end;
  }
  return tokens.bytes.size() >= last + Tokens::padding;
}

// Every kernel gives what the plain path gives; `tokens` is reused, as callers do.
void expect_same(std::string_view text) {
  static Tokens tokens;
  for (const bool fold : {false, true}) {
    const Strings expected = plain(text, {.fold_traditional = fold});
    for (const Variant& variant : variants()) {
      tokenize_by(variant.scan, text, {.fold_traditional = fold}, tokens);
      ASSERT_TRUE(check_shape(tokens)) << variant.name;
      ASSERT_EQ(tokens.size(), expected.size())
          << variant.name << " fold " << fold << ": " << testing::PrintToString(std::string(text.substr(0, 400)));
      for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(tokens[i], expected[i]) << variant.name << " fold " << fold << " token " << i << ": "
                                          << testing::PrintToString(std::string(text.substr(0, 400)));
      }
    }
  }
}

struct Case {
  std::string_view text;
  Strings tokens;
};

TEST(Tokenize, Cases) {
  const std::vector<Case> cases{
      {"", {}},
      {" \t\r\n", {}},
      {"The quick (\"brown\") fox can't jump 32.3 feet, right?",
       {"the", "quick", "brown", "fox", "can't", "jump", "32.3", "feet", "right"}},
      {"a.b a. .b 1,000;5 1, 2 3.a x:y 1:2", {"a.b", "a", "b", "1,000;5", "1", "2", "3", "a", "x:y", "1", "2"}},
      {"snake_case _x_ ___ _ a_ 4_2", {"snake_case", "_x_", "a_", "4_2"}},
      {"don\u2019t \u2018quoted\u2019", {"don\u2019t", "quoted"}},
      {"中文 text混排2024年。", {"中", "文", "text", "混", "排", "2024", "年"}},
      {"ＡＢＣ１２３，４５６：Ｘ", {"abc123,456", "x"}},
      {"３．１４　ｈｅｌｌｏ", {"3.14", "hello"}},
      {"1，000 a：b a，b", {"1,000", "a:b", "a", "b"}},
      {"ひらがなカタカナー", {"ひ", "ら", "が", "な", "カ", "タ", "カ", "ナ", "ー"}},
      {"ｶﾞｷﾞ", {"ガ", "ギ"}},
      {"か\u3099", {"が"}},
      {"人々〆〇", {"人", "々", "〆", "〇"}},
      {"ア_イa_b_ウ", {"ア", "イ", "a_b_", "ウ"}},
      {"한국어 조선말abc", {"한", "국", "어", "조", "선", "말", "abc"}},
      {"\u1112\u1161\u11AB\u3147\u314B\u314B", {"\uD55C", "\u110B\u110F\u110F"}},
      {"ภาษาไทย", {"ภ", "า", "ษ", "า", "ไ", "ท", "ย"}},
      {"ที่นี่", {"ที่", "นี่"}},
      {"ພາສາ ភាសាខ្មែរ", {"ພ", "າ", "ສ", "າ", "ភា", "សា", "ខ្", "មែ", "រ"}},
      {"မြန်မာ", {"မြ", "န်", "မာ"}},
      {"Größe STRASSE straße", {"grösse", "strasse", "strasse"}},
      {"cafe\u0301 CAFÉ", {"café", "café"}},
      {"co\u00ADop zero\u200Bwidth", {"coop", "zerowidth"}},
      {"и́мя Привет-мир", {"и́мя", "привет", "мир"}},
      {"\u05D0\"\u05D0 \u05D0'", {"\u05D0\"\u05D0", "\u05D0'"}},
      {"👨‍👩‍👧 🇨🇳 ok", {"ok"}},
      {"x² ½ ①", {"x2", "1\u20442", "1"}},
      {"\u0301\u0301", {}},
      {"\u4E2D\u0301\u6587", {"\u4E2D\u0301", "\u6587"}},
      {"a\xFFz caf\xC3", {"a", "z", "caf"}},
      {"ab\xED\xA0\x80xy", {"ab", "xy"}},
      {std::string_view("a\0b", 3), {"a", "b"}},
      {"\uFEFFbom", {"bom"}},
      {"卡尔·马克思", {"卡", "尔", "马", "克", "思"}},
      {"wait…what—no “quote”", {"wait", "what", "no", "quote"}},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(plain(c.text), c.tokens) << c.text;
    expect_same(c.text);
  }
}

// The other tests go over the kernels that this processor can run; whoever reads a log shall see that one was left out.
TEST(Tokenize, NoKernelIsLeftOut) {
#if defined(__x86_64__)
  if (!processor::fits_avx512(processor::features())) GTEST_SKIP() << "this processor lacks AVX-512: its scan was not compared";
  EXPECT_EQ(variants().size(), 3U);
#else
  GTEST_SKIP() << "no x86-64 processor: only the portable scan was compared";
#endif
}

TEST(Tokenize, FoldsTraditionalOneForOne) {
  EXPECT_EQ(plain("國語樂園a", {.fold_traditional = true}), (Strings{"国", "语", "乐", "园", "a"}));
  EXPECT_EQ(plain("國語", {}), (Strings{"國", "語"}));
  std::string all;
  for (char32_t c = 0x3400; c < 0xA000; ++c) append_utf8(c, all);
  for (char32_t c = 0x20000; c < 0x31360; ++c) append_utf8(c, all);
  expect_same(all);
}

TEST(Tokenize, SourceIsWhereATokenCameFrom) {
  const std::string text = "ＡB e\u0301t ﬁn 中\u3000か\u3099 x";
  Tokens tokens;
  tokenize(text, {.with_source = true}, tokens);
  Strings sources;
  ASSERT_EQ(tokens.source.size(), tokens.size());
  for (const Range& r : tokens.source) sources.push_back(text.substr(r.begin, r.end - r.begin));
  EXPECT_EQ(strings(tokens), (Strings{"ab", "ét", "fin", "中", "が", "x"}));
  EXPECT_EQ(sources, (Strings{"ＡB", "e\u0301t", "ﬁn", "中", "か\u3099", "x"}));
  tokenize(text, {}, tokens);
  EXPECT_TRUE(tokens.source.empty());
}

// What wide.h takes for granted, against the tables: alone, and between letters, digits and Han.
TEST(Tokenize, WidePunctuationIsWhatItSays) {
  for (char32_t c = 0x800; c < 0x10000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    std::string s;
    append_utf8(c, s);
    const Wide wide = wide_class(static_cast<unsigned char>(s[0]), static_cast<unsigned char>(s[1]), static_cast<unsigned char>(s[2]));
    if (wide == Wide::hard) continue;
    EXPECT_EQ(plain(s), Strings{}) << std::hex << static_cast<std::uint32_t>(c);
    EXPECT_EQ(plain("中" + s + "文" + s), (Strings{"中", "文"})) << std::hex << static_cast<std::uint32_t>(c);
    EXPECT_EQ(plain("a" + s + "1" + s + "b" + s), (Strings{"a", "1", "b"})) << std::hex << static_cast<std::uint32_t>(c);
    if (wide == Wide::separator) {
      EXPECT_EQ(plain("a" + s + "b" + s + "1" + s + "2" + s + "_"), (Strings{"a", "b", "1", "2"}));
      EXPECT_EQ(plain("\u05D0" + s + "\u05D0"), (Strings{"\u05D0", "\u05D0"}));
    }
    for (const char* text : {"a", "1", "_", "中", "é", "a.", "\u0301"}) {
      for (const char* next : {"a", "1", "_", "中", "é", "'a", "\u0301", "\u3099a"}) expect_same(text + s + next);
    }
  }
}

TEST(Tokenize, EveryPairOfAsciiAroundLetters) {
  std::string text;
  for (char a = 1; a != 127; ++a) {
    for (char b = 1; b != 127; ++b) text += {'x', a, b, 'y', '1', a, '2', b, 'Z', ' '};
  }
  expect_same(text);
}

// Stretches of Han alone, which the kernels write another way, with every beginning and end at every place of a block.
TEST(Tokenize, HanStretchesAtEveryPlace) {
  for (std::size_t before = 0; before < 66; ++before) {
    for (const std::size_t han : {1U, 2U, 20U, 21U, 22U, 42U, 43U, 64U}) {
      for (const char* first : {" ", "a", "1"}) {
        for (const char* last : {"", "a", "1", " ", "。", "\u0301", "\u3099", "é", "_", "'", "\xE4", "\xE4\xB8"}) {
          std::string text(before, ' ');
          if (before != 0) text.back() = *first;
          for (std::size_t i = 0; i < han; ++i) text += i % 7 == 6 ? "國" : "中";
          text += last;
          expect_same(text);
          expect_same(text + std::string(70, ' '));
        }
      }
    }
  }
}

const std::vector<std::string>& pieces() {
  static const std::vector<std::string> pool{"a",
                                             "B",
                                             "word",
                                             "Longer",
                                             "internationalisation",
                                             "1",
                                             "42",
                                             "2024",
                                             "_",
                                             "__",
                                             ".",
                                             "'",
                                             ":",
                                             ",",
                                             ";",
                                             "\"",
                                             " ",
                                             "  ",
                                             "\n",
                                             "\r\n",
                                             "\t",
                                             "-",
                                             "(",
                                             "中",
                                             "文",
                                             "的",
                                             "一",
                                             "國",
                                             "樂",
                                             "龜",
                                             "鿿",
                                             "䷿",
                                             "㐀",
                                             "𠀀",
                                             "。",
                                             "，",
                                             "：",
                                             "；",
                                             "．",
                                             "＇",
                                             "！",
                                             "　",
                                             "、",
                                             "《",
                                             "“",
                                             "”",
                                             "‘",
                                             "’",
                                             "’",
                                             "—",
                                             "…",
                                             "·",
                                             "Ａ",
                                             "９",
                                             "＿",
                                             "ひ",
                                             "ァ",
                                             "ー",
                                             "ｶﾞ",
                                             "々",
                                             "〆",
                                             "〇",
                                             "㍿",
                                             "한",
                                             "글",
                                             "\u1100",
                                             "\u1161",
                                             "\u11A8",
                                             "ก",
                                             "ำ",
                                             "ที่",
                                             "ລ",
                                             "ក្ក",
                                             "မြ",
                                             "é",
                                             "ß",
                                             "Ж",
                                             "и́",
                                             "א",
                                             "א\"",
                                             "ع",
                                             "👨‍👩‍👧",
                                             "🇨🇳",
                                             "🇺",
                                             "❤️",
                                             "\u0301",
                                             "\u0323",
                                             "\u3099",
                                             "\u200D",
                                             "\u00AD",
                                             "\u200B",
                                             "\u0600",
                                             "\uFEFF",
                                             "\u2028",
                                             "\u0085",
                                             "ﬁ",
                                             "ﷺ",
                                             "²",
                                             "\x80",
                                             "\xFF",
                                             "\xE4",
                                             "\xE4\xB8",
                                             "\xE4\xB7\xBF",
                                             "\xED\xA0\x80",
                                             "\xC3",
                                             "\xF0\x9F",
                                             "\xE9\xBF",
                                             "\xE3\x80",
                                             "\xEF\xBC"};
  return pool;
}

TEST(Tokenize, FastIsPlainOnRandomMixes) {
  std::mt19937_64 random(31337);
  const auto& pool = pieces();
  for (int round = 0; round < 12000; ++round) {
    std::string text(random() % 3 == 0 ? random() % 71 : 0, random() % 2 == 0 ? 'x' : ' ');
    // From a few pieces only, so that rare neighbours meet; or mostly known ones, so that the kernel runs on.
    std::vector<std::string> few;
    for (std::size_t n = random() % 6 + 1; few.size() < n;) few.push_back(pool[random() % (random() % 2 == 0 ? 54 : pool.size())]);
    for (std::size_t size = random() % 60; size != 0; --size)
      text += random() % 8 == 0 ? pool[random() % pool.size()] : few[random() % few.size()];
    expect_same(text);
    if (HasFatalFailure()) return;
  }
}

TEST(Tokenize, FastIsPlainAtEveryOffset) {
  for (const std::string& piece : pieces()) {
    for (const char* filler : {"x", " ", "中", "1", "_", "，"}) {
      for (std::size_t offset = 0; offset <= 70; ++offset) {
        std::string text = "  ";
        while (text.size() < offset) text += filler;
        text += piece;
        for (int i = 0; i < 5; ++i) text += filler;
        expect_same(text);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(Tokenize, LongStretchesOverflowTheBatch) {
  std::string text;
  for (int i = 0; i < 30000; ++i) text += i % 7 == 0 ? "__ " : "a ";
  for (int i = 0; i < 30000; ++i) text += "中";
  for (int i = 0; i < 1000; ++i) text += "éa_1 ";
  expect_same(text);
}

TEST(Tokenize, HugeWordsAndMarksAreLinear) {
  const std::clock_t begin = std::clock();  // of this process: the machine may be busy
  Tokens tokens;
  for (const std::string& piece :
       Strings{"a", "a.", "é", "_", "\u0301", "👨\u200D", "🇨", "\xFF", "ﷺ", "ค", "a’", "\u00AD", "中", "\u1100", "a\u0323\u0301"}) {
    std::string text;
    while (text.size() < (1U << 19)) text += piece;
    for (const bool source : {false, true}) {
      tokenize(text, {.with_source = source}, tokens);
      EXPECT_TRUE(check_shape(tokens));
      tokenize(text + "é", {.with_source = source}, tokens);
    }
  }
  const std::string word(10'000'000, 'w');  // NOLINT(bugprone-string-constructor): long on purpose
  tokenize(word, {}, tokens);
  ASSERT_EQ(tokens.size(), 1U);
  EXPECT_EQ(tokens[0], word);
  tokenize(word + "é", {}, tokens);
  ASSERT_EQ(tokens.size(), 1U);
  EXPECT_EQ(tokens[0].size(), word.size() + 2);
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 40);
}

std::filesystem::path corpora() {
  const char* const shared = std::getenv("LEITONG_SHARED");
  const std::filesystem::path root = std::filesystem::path(__FILE__).parent_path().parent_path().parent_path();
  return (shared != nullptr ? std::filesystem::path(shared) : root.parent_path() / "shared") / "corpora";
}

// From the first `limit` bytes of a gzip file. By the program, so that the room need not link zlib for its tests.
std::vector<std::string> read_texts(const std::filesystem::path& path, std::size_t limit) {
  std::vector<std::string> out;
  std::FILE* const pipe = popen(("gzip -dc '" + path.string() + "' 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return out;
  std::string content(limit, '\0');
  content.resize(std::fread(content.data(), 1, limit, pipe));
  pclose(pipe);
  simdjson::dom::parser parser;
  for (std::size_t at = 0, end = 0; (end = content.find('\n', at)) != std::string::npos; at = end + 1) {
    std::string_view text;
    if (parser.parse(content.data() + at, end - at)["text"].get(text) == simdjson::SUCCESS) out.emplace_back(text);
  }
  return out;
}

class RealTexts : public testing::TestWithParam<const char*> {};

TEST_P(RealTexts, FastIsPlain) {
  const std::filesystem::path path = corpora() / (std::string(GetParam()) + ".docs.jsonl.gz");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "SKIPPED: no " << path << "; set LEITONG_SHARED";
  const std::vector<std::string> texts = read_texts(path, 2'000'000);
  ASSERT_GT(texts.size(), 10U);
  for (const std::string& text : texts) {
    expect_same(text);
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Corpora, RealTexts,
                         testing::Values("en_peps", "en_civproc", "en_spdx", "zh_laws", "zh_lctt_closed", "zh_tang_closed"));

}  // namespace
}  // namespace leitong::text
