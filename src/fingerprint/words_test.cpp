// SimHashes made of words: the articles' worked examples, the settings of word profiles, and that plain and fast ways agree.
#include <gtest/gtest.h>

#include "fingerprint/small_ik_test.h"
#include "fingerprint/trace.h"
#include "leitong/data.h"
#include "leitong/error.h"
#include "leitong/fingerprint.h"
#include "leitong/java.h"
#include "leitong/segment.h"

namespace leitong {
namespace {

// A hash of a few bits, written with its most significant first, as the articles print them.
Fingerprint bits_of(std::string_view text) {
  Fingerprint f;
  f.bits = static_cast<unsigned>(text.size());
  for (const char c : text) f.words[0] = f.words[0] << 1 | (c == '1' ? 1U : 0U);
  return f;
}

std::vector<double> most_first(const Trace& trace) { return {trace.sums.rbegin(), trace.sums.rend()}; }

Trace voted(std::vector<Trace::Feature> features, unsigned bits) {
  Trace trace;
  trace.features = std::move(features);
  fingerprint::merge(trace, bits);
  return trace;
}

// Articles 003 and 004 weigh 美国 4 and 51区 5, article 002 3 and 5; hashes of six bits.
TEST(WorkedExamples, AmericaAndArea51) {
  const Trace four = voted({{"美国", "", bits_of("100101"), 4}, {"51区", "", bits_of("101011"), 5}}, 6);
  EXPECT_EQ(most_first(four), (std::vector<double>{9, -9, 1, -1, 1, 9}));
  EXPECT_EQ(to_bits(fingerprint::reduce(four)), "101011");
  const Trace three = voted({{"美国", "", bits_of("100101"), 3}, {"51区", "", bits_of("101011"), 5}}, 6);
  EXPECT_EQ(most_first(three), (std::vector<double>{8, -8, 2, -2, 2, 8}));
  EXPECT_EQ(to_bits(fingerprint::reduce(three)), "101011");
}

// Article 001: 生活 weighs 5, 没有 2. It merges them to "7 3 -3 3 -7 7" and then says that it reduces "9 -9 1 -1 1 9", the sum of the
// other articles' example, to 110101: these are the bits of its own sum. The two examples are mixed there.
TEST(WorkedExamples, LifeAndHaveNot) {
  const Trace trace = voted({{"生活", "", bits_of("110101"), 5}, {"没有", "", bits_of("101001"), 2}}, 6);
  EXPECT_EQ(most_first(trace), (std::vector<double>{7, 3, -3, 3, -7, 7}));
  EXPECT_EQ(to_bits(fingerprint::reduce(trace)), "110101");
}

TEST(WorkedExamples, TiesAreTheProgramsChoice) {
  Trace trace = voted({{"a", "", bits_of("10"), 1}, {"b", "", bits_of("01"), 1}}, 2);
  EXPECT_EQ(to_bits(fingerprint::reduce(trace)), "00");
  trace.tie_sets_bit = true;
  EXPECT_EQ(to_bits(fingerprint::reduce(trace)), "11");
}

TEST(WrittenForms, OfEveryWidth) {
  const Fingerprint wide{{1, 2, 0, 0}, 128};
  EXPECT_EQ(to_hex(wide), "00000000000000020000000000000001");
  EXPECT_EQ(to_decimal(wide), "36893488147419103233");
  EXPECT_EQ(to_bits(wide).size(), 128U);
  EXPECT_EQ(to_bits(wide, true).find('1'), 0U);
  EXPECT_EQ(to_decimal(Fingerprint{{0, 0, 0, 0}, 64}), "0");
  EXPECT_EQ(to_decimal(Fingerprint{{~0ULL, ~0ULL, ~0ULL, ~0ULL}, 256}),
            "115792089237316195423570985008687907853269984665640564039457584007913129639935");
  const Fingerprint narrow{{0xdeadbeef, 0, 0, 0}, 32};
  EXPECT_EQ(to_signed_decimal(narrow), "-559038737");
  EXPECT_EQ(to_signed_decimal(wide), to_decimal(wide));
  EXPECT_EQ(to_signed_decimal({{0, 1ULL << 63, 0, 0}, 128}), "-170141183460469231731687303715884105728");
  EXPECT_EQ(to_signed_decimal({{~0ULL, 0, 0, 0}, 64}), "-1");
  EXPECT_EQ(to_bits(reversed(narrow)), to_bits(narrow, true));
  EXPECT_EQ(reversed(reversed(wide)), wide);
  EXPECT_EQ(to_hex(narrow), "deadbeef");
  EXPECT_EQ(fingerprint_from_hex("deadbeef"), narrow);
}

TEST(Java, DistancesOfWrittenBits) {
  EXPECT_EQ(java::get_distance("0011", "0101"), 2);
  EXPECT_EQ(java::get_distance("001", "0101"), -1);
  EXPECT_EQ(java::hamming_distance(std::nullopt, "01", -1), -1);
  EXPECT_EQ(java::hamming_distance("00", "01", 0), 1);
  EXPECT_THROW((void)java::get_distance(std::nullopt, "01"), Error);
  // Article 003's "traditional hash".
  const std::uint32_t code = java::string_hash_code("你妈妈喊你回家吃饭哦，回家罗回家罗") & 0x7fffffffU;
  EXPECT_EQ(to_bits({{code, 0, 0, 0}, 31}), "0001000001100110100111011011110");
  EXPECT_THROW((void)java::sub_by_distance(Fingerprint{}, Program::java_001a, 3), Error);
}

class Words : public fingerprint::SmallIk {
 protected:
  static AddDataOptions named(const char* name) {
    AddDataOptions options;
    options.name = name;
    return options;
  }
  static Profile of_words() {
    Profile p;
    p.words = WordKind::ik;
    p.weights = WeightKind::tf;
    return p;
  }
  static std::vector<std::string> voting(const Profile& profile, std::string_view text) {
    std::vector<std::string> out;
    for (const auto& feature : trace(text, profile).features) out.push_back(feature.text);
    return out;
  }
};

TEST_F(Words, TheSegmenterSaysWhereWordsStand) {
  Segmenter segmenter(of_words());
  const auto words = segmenter("ＡＢ研究生命");
  ASSERT_EQ(words.size(), 3U);
  EXPECT_EQ(segmenter.cut_text(), "ab研究生命");  // the profile normalises first
  for (const Word& word : words) EXPECT_EQ(segmenter.cut_text().substr(word.begin, word.end - word.begin), word.text);
  EXPECT_EQ(words[1].text, "研究生");
  EXPECT_EQ(words[2].text, "生命");
  EXPECT_EQ(words[1].part_of_speech, "word");
}

TEST_F(Words, SurrogatesAndPairsKeepTheirPlaces) {
  Profile raw = of_words();
  raw.normalise = false;
  Segmenter segmenter(raw);
  const std::string text = "a\xED\xA0\x80研究😀生命\xED\xB0\x80";
  const auto words = segmenter(text);
  EXPECT_EQ(segmenter.cut_text(), text);
  ASSERT_EQ(words.size(), 3U);
  for (const Word& word : words) EXPECT_EQ(text.substr(word.begin, word.end - word.begin), word.text);
}

TEST_F(Words, StopWordsPartsOfSpeechAndTopWords) {
  Profile p = of_words();
  const char* const text = "研究美国美国雇员 3个 the x";
  EXPECT_EQ(voting(p, text), (std::vector<std::string>{"研究", "美国", "雇员", "3", "个", "x"}));
  p.stop_words = file("stop.txt", "美国\r\nx\n");
  EXPECT_EQ(voting(p, text), (std::vector<std::string>{"研究", "雇员", "3", "个"}));
  p.parts_of_speech = {"word"};
  EXPECT_EQ(voting(p, text), (std::vector<std::string>{"研究", "雇员"}));
  p.parts_of_speech = {"-number", "-quant"};
  EXPECT_EQ(voting(p, text), (std::vector<std::string>{"研究", "雇员"}));
  Profile heavy = of_words();
  heavy.top_words = 1;
  EXPECT_EQ(voting(heavy, text), (std::vector<std::string>{"美国"}));
  EXPECT_EQ(Fingerprinter(heavy)(text).features, 1U);
}

TEST_F(Words, WeightsFromTables) {
  Profile p = of_words();
  p.weights = WeightKind::table;
  p.word_weights = file("weights.txt", "美国 4\n雇员\t2.5\n研究 0\n");
  const Trace steps = trace("美国雇员研究起源 美国", p);
  std::vector<std::pair<std::string, double>> weights;
  for (const auto& feature : steps.features) weights.emplace_back(feature.text, feature.weight);
  EXPECT_EQ(weights, (std::vector<std::pair<std::string, double>>{{"美国", 8}, {"雇员", 2.5}, {"起源", 1}}));
  p.weights = WeightKind::tfidf;
  p.word_weights.clear();
  p.idf_file = file("idf.txt", "美国 4\n雇员 2\n");
  EXPECT_EQ(trace("美国雇员起源", p).features[2].weight, 3) << "the mean of the table";
  p.idf_file = file("bad.txt", "美国 4\n雇员 two\n");
  try {
    Fingerprinter fingerprinter(p);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("bad.txt:2: "), std::string::npos) << error.what();
  }
}

TEST_F(Words, FastAndPlainWaysAgree) {
  std::vector<Profile> profiles(3, of_words());
  profiles[1].bits = 256;
  profiles[2].weights = WeightKind::log;
  profiles.push_back(load_profile("java-ik"));
  profiles.push_back(load_profile("java-ik"));
  profiles.back().bits = 128;
  profiles.push_back(Profile{});
  profiles.push_back(load_profile("characters-4"));
  profiles.push_back(load_profile("words-log"));
  std::string text;
  for (const char* part : {"研究生命起源", " the 3个", "美国雇员", "x1", "，！", "美国", "word word ", "起源"}) {
    text += part;
    for (const Profile& profile : profiles) {
      const auto result = Fingerprinter(profile)(text);
      const Trace steps = trace(text, profile);
      EXPECT_EQ(steps.features.size(), result.features) << text;
      ASSERT_EQ(steps.fingerprint, result.fingerprint) << text;
      if (result.fingerprint) {
        EXPECT_EQ(fingerprint::reduce(steps), *result.fingerprint) << profile.name << " " << text;
      }
    }
  }
}

TEST_F(Words, EmptyTexts) {
  EXPECT_EQ(Fingerprinter(of_words())("，").fingerprint, std::nullopt);
  const auto ones = Fingerprinter(load_profile("java-ik"))("");
  ASSERT_TRUE(ones.fingerprint);
  EXPECT_EQ(ones.fingerprint->words[0], ~0ULL);
}

TEST_F(Words, EverySettingAndFileChangesTheId) {
  const std::string base = profile_id(of_words());
  const auto differs = [&](const auto& change) {
    Profile p = of_words();
    change(p);
    return profile_id(p) != base;
  };
  EXPECT_TRUE(differs([](Profile& p) { p.words = WordKind::tokens, p.numbered = false; }));
  EXPECT_TRUE(differs([](Profile& p) { p.program = Program::java_000, p.weights = WeightKind::set; }));
  EXPECT_TRUE(differs([](Profile& p) { p.normalise = false; }));
  EXPECT_TRUE(differs([](Profile& p) { p.top_words = 9; }));
  EXPECT_TRUE(differs([](Profile& p) { p.parts_of_speech = {"word"}; }));
  EXPECT_TRUE(differs([](Profile& p) { p.stop_words = file("s", "x\n"); }));
  Profile tags = of_words(), same_tags = of_words();
  tags.parts_of_speech = {"n", "v"}, same_tags.parts_of_speech = {"v", "n", "v"};
  EXPECT_EQ(profile_id(tags), profile_id(same_tags));
  Profile a = of_words(), b = of_words();
  a.stop_words = file("s1", "x\n"), b.stop_words = file("s2", "x\n");
  EXPECT_EQ(profile_id(a), profile_id(b)) << "the content counts, not the name";
  (void)file("s2", "y\n");
  EXPECT_NE(profile_id(a), profile_id(b));
  file("ik/main.dic", "研究\n");
  (void)add_data(DataKind::ik, (folder_ / "ik").string(), named("other"));
  EXPECT_TRUE(differs([](Profile& p) { p.data = "other"; }));
}

TEST_F(Words, ContradictionsAreRefused) {
  const auto refused = [](const auto& change) {
    Profile p = of_words();
    change(p);
    EXPECT_THROW((void)profile_id(p), Error);
  };
  refused([](Profile& p) { p.program = Program::java_004; });  // goes with hanlp
  refused([](Profile& p) { p.program = Program::java_000, p.weights = WeightKind::set, p.bits = 256; });
  refused([](Profile& p) { p.program = Program::java_000; });  // with weights = tf
  refused([](Profile& p) { p.idf_file = "x"; });               // with weights = tf
  refused([](Profile& p) { p.parts_of_speech = {"n v"}; });
  refused([](Profile& p) { p.stop_words = "."; });  // a directory
  refused([](Profile& p) { p.bits = 32; });
  refused([](Profile& p) { p.weights = WeightKind::tfidf; });  // only jieba brings a table
  refused([](Profile& p) { p.weights = WeightKind::table; });
  refused([](Profile& p) { p.words = WordKind::tokens, p.numbered = false, p.top_words = 3; });
  refused([](Profile& p) { p.data = "no-such-data"; });
}

}  // namespace
}  // namespace leitong
