#include "leitong/parity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "leitong/data.h"
#include "leitong/error.h"
#include "leitong/fingerprint.h"
#include "records/json.h"
#include "records/read_input_test.h"

namespace leitong {
namespace {

// Rows of article 000 and of its kind; their words are all of the small dictionary.
const std::vector<std::string> texts = {"你妈妈喊你回家吃饭哦，回家罗回家罗",
                                        "你妈妈叫你回家吃饭啦，回家罗回家罗",
                                        "美国51区",
                                        "回家吃饭",
                                        "美国妈妈 叫你 51",
                                        "吃饭 and then 回家 again"};
// What the program of article 000 gave for the first three, of 64 bits.
const std::vector<std::string> stored_by_java = {"2000034e0df9dda6", "26008b5a6f3d9da6", "00000a3ed877647d"};

// Dictionaries of this test only, found where the user's would be.
class Parity : public testing::Test {
 protected:
  void SetUp() override {
    for (const auto& [name, words] :
         {std::pair("main", "你妈\n妈妈\n叫你\n回家\n吃饭\n美国\n"), std::pair("surname", "罗\n"), std::pair("quantifier", "区\n"),
          std::pair("suffix", "区\n"), std::pair("preposition", "你\n"), std::pair("stopword", "and\n")})
      directory.write(std::string("dic/") + name + ".dic", words);
    ASSERT_EQ(::setenv("LEITONG_DATA", (directory / "data").c_str(), 1), 0);
    ASSERT_EQ(::setenv("XDG_DATA_HOME", (directory / "none").c_str(), 1), 0);
    add_data(DataKind::ik, directory / "dic");
  }
  void TearDown() override {
    ::unsetenv("LEITONG_DATA");
    ::unsetenv("XDG_DATA_HOME");
  }

  // A record for each text with what `write` makes of its fingerprint: a JSON value.
  template <typename Write>
  ParityOptions stored(const Profile& profile, Write write) {
    Fingerprinter fingerprinter(profile);
    std::string lines;
    for (std::size_t i = 0; i < texts.size(); ++i) lines += line(i, texts[i], write(i, *fingerprinter(texts[i]).fingerprint));
    return options(lines);
  }
  static std::string line(std::size_t id, const std::string& text, const std::string& value) {
    std::string out = "{\"id\":\"r" + std::to_string(id) + "\",\"fp\":" + value + ",\"text\":";
    records::append_json_string(out, text);
    return out + "}\n";
  }
  ParityOptions options(const std::string& lines) {
    ParityOptions options;
    options.input = records::options_for(directory.write("in.jsonl", lines));
    return options;
  }
  static Profile ik(unsigned bits) {
    Profile profile = load_profile("java-ik");
    profile.bits = bits;
    return profile;
  }
  static std::string quoted(const std::string& text) { return "\"" + text + "\""; }
  static std::string all_advice(const ParityResult& result) {
    std::string all;
    for (const std::string& sentence : result.advice) all += sentence + "\n";
    return all;
  }

  TemporaryDirectory directory;
};

TEST_F(Parity, ValuesOfTheJavaProgramFit) {
  std::string lines;
  for (std::size_t i = 0; i < stored_by_java.size(); ++i) lines += line(i, texts[i], quoted(stored_by_java[i]));
  const ParityResult result = parity(options(lines));
  ASSERT_EQ(result.fits.size(), 1U);
  const ProfileParity& fit = result.profiles[result.fits[0].profile];
  EXPECT_EQ(fit.profile.name, "java-ik");
  EXPECT_EQ(fit.profile.bits, 64U);
  EXPECT_EQ(fit.data, "ik");
  EXPECT_EQ(result.fits[0].form, WrittenForm::hex);
  EXPECT_EQ(result.compared, 3U);
  EXPECT_EQ(result.profiles.size(), 3U);
  ASSERT_EQ(result.not_tried.size(), 1U) << "no HanLP";
  EXPECT_NE(result.not_tried[0].reason.find("leitong data add hanlp"), std::string::npos);
  EXPECT_NE(all_advice(result).find("-k 2"), std::string::npos);
}

TEST_F(Parity, EveryWidthAndFormIsFound) {
  for (const unsigned bits : {32U, 64U, 128U}) {
    const auto found = [&](auto write) {
      const ParityResult result = parity(stored(ik(bits), [&](std::size_t, const Fingerprint& f) { return write(f); }));
      std::vector<WrittenForm> forms;
      for (const auto& fit : result.fits) {
        EXPECT_EQ(result.profiles[fit.profile].profile.bits, bits);
        forms.push_back(fit.form);
      }
      return forms;
    };
    using Forms = std::vector<WrittenForm>;
    EXPECT_EQ(found([](const Fingerprint& f) { return quoted(to_bits(f)); }), Forms{WrittenForm::bits_most_first});
    EXPECT_EQ(found([](const Fingerprint& f) { return quoted(to_bits(f, true)); }), Forms{WrittenForm::bits_least_first});
    EXPECT_EQ(found([](const Fingerprint& f) { return quoted("0x" + to_hex(f)); }), Forms{WrittenForm::hex});
    const Forms numbers = found([](const Fingerprint& f) { return to_decimal(f); });  // JSON numbers beyond 2^53
    EXPECT_TRUE(std::find(numbers.begin(), numbers.end(), WrittenForm::decimal) != numbers.end());
    const Forms strings = found([](const Fingerprint& f) { return quoted(to_decimal(f)); });
    EXPECT_EQ(strings, numbers);
  }
}

TEST_F(Parity, JavaInts) {
  const ParityResult result = parity(stored(ik(32), [](std::size_t, const Fingerprint& f) {
    return std::to_string(static_cast<std::int32_t>(static_cast<std::uint32_t>(f.words[0])));
  }));
  ASSERT_EQ(result.fits.size(), 1U) << "some are negative";
  EXPECT_EQ(result.fits[0].form, WrittenForm::signed_decimal);
}

TEST_F(Parity, OneWrongValueIsNamed) {
  for (const unsigned threads : {1U, 4U}) {
    ParityOptions o =
        stored(ik(64), [](std::size_t i, const Fingerprint& f) { return i == 4 ? "\"8000000000000001\"" : quoted(to_hex(f)); });
    o.job.threads = threads;
    const ParityResult result = parity(o);
    EXPECT_TRUE(result.fits.empty());
    const ProfileParity& best = result.profiles.front();
    EXPECT_EQ(best.profile.bits, 64U);
    EXPECT_EQ(best.best().form, WrittenForm::hex);
    EXPECT_EQ(best.best().matches, texts.size() - 1);
    EXPECT_EQ(best.best().mismatches, std::vector<std::string>{"\"r4\""});
    EXPECT_EQ(best.best().near, 1U);
    EXPECT_NE(all_advice(result).find("No profile fits all. The best is --profile java-ik, 64 bits written as hexadecimal: 5 of 6"),
              std::string::npos);
  }
}

TEST_F(Parity, MissingAndUnreadableValues) {
  const ParityResult result = parity(stored(ik(64), [](std::size_t i, const Fingerprint& f) {
    return i == 0 ? "null" : i == 1 ? "\"null\"" : i == 2 ? "1.25e+18" : quoted(to_hex(f));
  }));
  EXPECT_EQ(result.missing, 2U);
  EXPECT_EQ(result.unreadable, 1U);
  EXPECT_EQ(result.unreadable_ids, std::vector<std::string>{"\"r2\""});
  EXPECT_EQ(result.profiles.front().missing_there, 2U);
  EXPECT_EQ(result.profiles.front().best().matches, texts.size() - 3);
  EXPECT_NE(all_advice(result).find("rule for short texts"), std::string::npos);
  EXPECT_NE(all_advice(result).find("the first of \"r2\""), std::string::npos);
}

TEST_F(Parity, ProfileOfOursIsTriedToo) {
  ParityOptions o = stored(load_profile("words-tf"), [](std::size_t, const Fingerprint& f) { return quoted(to_hex(f)); });
  EXPECT_TRUE(parity(o).fits.empty());
  EXPECT_NE(all_advice(parity(o)).find("No profile fits: "), std::string::npos);
  o.profile = load_profile("words-tf");
  const ParityResult result = parity(o);
  ASSERT_EQ(result.fits.size(), 1U);
  EXPECT_EQ(result.profiles[result.fits[0].profile].profile.name, "words-tf");
  o.profile = ik(64);
  EXPECT_EQ(parity(o).profiles.size(), 3U) << "a profile is tried once";
}

TEST_F(Parity, AllDictionariesAreTried) {
  directory.write("dic/main.dic", "你妈\n回家\n吃饭\n美国\n回家吃饭\n");
  AddDataOptions shop;
  shop.name = "ik-shop";
  add_data(DataKind::ik, directory / "dic", shop);
  Profile of_shop = ik(64);
  of_shop.data = "ik-shop";
  const ParityOptions o = stored(of_shop, [](std::size_t, const Fingerprint& f) { return quoted(to_hex(f)); });
  const ParityResult both = parity(o);
  ASSERT_EQ(both.fits.size(), 1U);
  EXPECT_EQ(both.profiles[both.fits[0].profile].data, "ik-shop");
  EXPECT_NE(all_advice(both).find("--profile java-ik --data ik-shop fits"), std::string::npos);
  // Without it the advice is to look for it.
  std::filesystem::remove(directory / "data/ik-shop.data");
  const ParityResult one = parity(o);
  EXPECT_TRUE(one.fits.empty());
  EXPECT_NE(all_advice(one).find("ext_dict"), std::string::npos) << all_advice(one);
}

TEST_F(Parity, Errors) {
  const auto code = [&](const ParityOptions& o) {
    try {
      (void)parity(o);
    } catch (const Error& error) {
      return error.code();
    }
    ADD_FAILURE() << "no error";
    return ErrorCode::usage;
  };
  EXPECT_EQ(code(options("")), ErrorCode::format);
  ParityOptions o = stored(ik(64), [](std::size_t, const Fingerprint& f) { return quoted(to_hex(f)); });
  o.fingerprint_field = "simhash";
  EXPECT_EQ(code(o), ErrorCode::format) << "no record has that field";
  o.fingerprint_field = "fp";
  o.stop_words = "stop.txt";
  EXPECT_EQ(code(o), ErrorCode::usage);
  o.stop_words.clear();
  std::filesystem::remove(directory / "data/ik.data");
  EXPECT_EQ(code(o), ErrorCode::io) << "nothing to try";
}

}  // namespace
}  // namespace leitong
