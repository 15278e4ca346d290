// Every row of every golden file: the steps of the articles' Java programs one by one.
#include <gtest/gtest.h>

#include <bit>
#include <map>

#include "golden/dictionaries.h"
#include "golden/rows.h"
#include "java/java_distance.h"
#include "java/java_preprocess.h"
#include "java/java_simhash.h"
#include "java/java_word_files.h"
#include "java/tfidf_simhash.h"
#include "leitong/error.h"
#include "segment/shared_data.h"
#include "text/utf16.h"

namespace leitong::java {
namespace {

using golden::Value;

JavaString string_of(const Value& v) { return v.is_null() ? JavaString() : JavaString(v.text); }

// What a call gives, as the rows write it: a number, or the Java exception that the error names.
template <typename Call>
std::string outcome(Call call) {
  try {
    return call();
  } catch (const Error& e) {
    const std::string what = e.what();
    for (const char* name : {"java.lang.NullPointerException", "java.lang.ArithmeticException"}) {
      if (what.find(name) != std::string::npos) return name;
    }
    return what;
  }
}

std::string show(const std::vector<Uint128>& blocks) {
  std::string out;
  for (const Uint128 block : blocks) out += decimal_string(block) + ",";
  return out;
}

std::string show(const Value& v) {
  if (v.kind == Value::Kind::string) return v.utf8();
  if (v.kind == Value::Kind::number) return std::to_string(v.integer());
  std::string out;
  for (const Value& item : v.items) out += item.utf8() + ",";
  return out;
}

void expect_distances(const Value& row) {
  const JavaString a = string_of(row["a"]), b = string_of(row["b"]);
  EXPECT_EQ(outcome([&] { return std::to_string(java_get_distance(a, b)); }), show(row["s000_getDistance"]));
  EXPECT_EQ(java_hamming_distance(a, b, -1), row["a_full"].integer());
  EXPECT_EQ(java_hamming_distance(a, b, 0), row["a_short"].integer());
  EXPECT_EQ(java_hamming_distance(a, b, 0), row["b_util"].integer());
}

void expect_blocks(const Value& row) {
  const std::u16string& bits = row["str"].text;
  const auto width = static_cast<std::int32_t>(row["hashbits"].integer()), distance = static_cast<std::int32_t>(row["distance"].integer());
  EXPECT_EQ(outcome([&] { return show(java_blocks(bits, width, distance)); }), show(row["s000_subByDistance"])) << width << " " << distance;
  const Uint128 value = parse_bit_string(bits, BitOrder::least_first).value();
  EXPECT_EQ(outcome([&] { return show(java_blocks(value, value, width, distance)); }), show(row["s004_subByDistance"]))
      << width << " " << distance;
}

TEST(JavaDistance, Golden) {
  LEITONG_NEED_GOLDEN();
  std::size_t distances = 0, blocks = 0;
  for (const Value& row : golden::rows("stage_distance.jsonl.gz")) {
    if (row.fields.contains("a")) {
      expect_distances(row);
      ++distances;
    } else {
      expect_blocks(row);
      ++blocks;
    }
  }
  EXPECT_GT(distances, 100U);
  EXPECT_GT(blocks, 100U);
}

TEST(JavaIdf, Golden) {
  LEITONG_NEED_GOLDEN();
  for (const Value& row : golden::rows("stage_idf_load.jsonl.gz")) {
    const std::string name = row["case"].utf8();
    const JavaIdf idf = read_java_idf(row["file"].utf8(), "idf.txt");
    const auto same = [](double a, double b) {
      return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (a != a && b != b);
    };
    EXPECT_TRUE(same(idf.average, java_parse_double(row["average"].text).value())) << name << " " << idf.average;
    EXPECT_EQ(idf.words.size(), row["map"].fields.size()) << name;
    for (const auto& [word, value] : row["map"].fields) {
      const std::u16string key = text::to_utf16(word);
      const auto found = idf.find(key, java_hash_code(key));
      ASSERT_TRUE(found) << name << " " << word;
      EXPECT_TRUE(same(*found, java_parse_double(value.text).value())) << name << " " << word << " " << *found;
    }
    const bool stops = name.starts_with("bad number") || name == "nbsp in number";
    EXPECT_EQ(idf.warnings.size(), stops ? 1U : 0U) << name;
  }
}

TEST(JavaPreprocess, Golden) {
  LEITONG_NEED_GOLDEN();
  LEITONG_NEED_HANLP();
  const auto data = segment::shared_hanlp("");
  std::u16string out;
  std::size_t changed = 0;
  for (const Value& row : golden::rows("stage_preprocess.jsonl.gz")) {
    std::u16string half = row["text"].text;
    java::to_half_width(half);
    EXPECT_EQ(half, row["dbc"].text) << row["id"].utf8();
    EXPECT_EQ(data->simplified(half), row["t2s"].text) << row["id"].utf8();
    java::preprocess_001(row["text"].text, *data, out);
    EXPECT_EQ(out, row["out"].text) << row["id"].utf8() << " " << row["src"].utf8();
    changed += row["t2s"].text != row["dbc"].text ? 1 : 0;
  }
  EXPECT_GT(changed, 10U);
}

TEST(JavaPreprocess, BlankStays) {
  LEITONG_NEED_HANLP();
  const auto data = segment::shared_hanlp("");
  std::u16string out;
  for (const std::u16string_view blank : {u"", u" \u3000\t", u"\u2003\u2028"}) {
    java::preprocess_001(blank, *data, out);
    EXPECT_EQ(out, blank);
  }
  java::preprocess_001(u" \u00A0", *data, out);
  EXPECT_EQ(out, u"");
}

std::string ascii(std::u16string_view s) { return text::to_utf8(s); }

// A double as Java printed it.
double java_double(const Value& v) { return java_parse_double(v.text).value(); }

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (a != a && b != b); }

template <typename Word>
void expect_python2(const Value& row, std::size_t bits) {
  java::Python2SimHash<Word> hash;
  for (const Value& token : row["tokens"].items) hash.add(token[0].text);
  const Value& expected = row["fp"][std::to_string(bits)];
  const Word value = hash.fingerprint();
  EXPECT_EQ(bit_string(value, bits, BitOrder::least_first), expected["bits"].utf8()) << row["id"].utf8();
  EXPECT_EQ(java::decimal_string(value), expected["dec"].utf8()) << row["id"].utf8();
  EXPECT_EQ(java::hex_string(value, bits), expected["hex"].utf8()) << row["id"].utf8();
  EXPECT_EQ(parse_bit_string(expected["bits"].text, BitOrder::least_first), Uint128{value});
}

void expect_equal_blocks(const Value& expected, const std::vector<Uint128>& blocks, const std::string& what) {
  ASSERT_EQ(blocks.size(), expected.items.size()) << what;
  for (std::size_t i = 0; i < blocks.size(); ++i) EXPECT_EQ(java::decimal_string(blocks[i]), expected[i].utf8()) << what;
}

void expect_python2_file(const std::string& file, bool by_number) {
  std::size_t tokens = 0, block_lists = 0;
  for (const Value& row : golden::rows(file)) {
    for (const Value& token : row["tokens"].items) {
      EXPECT_EQ(java::hex_string(java::python2_hash<std::uint64_t>(token[0].text), 64), token[2].utf8());
      EXPECT_EQ(token[1].integer(), 1);
      ++tokens;
    }
    expect_python2<std::uint32_t>(row, 32);
    expect_python2<std::uint64_t>(row, 64);
    expect_python2<Uint128>(row, 128);
    const std::u16string& bits = row["fp"]["64"]["bits"].text;
    const Uint128 value = parse_bit_string(bits, BitOrder::least_first).value();
    for (const auto& [distance, expected] : row["fp"]["sub64"].fields) {
      const int d = std::stoi(distance);
      expect_equal_blocks(expected, by_number ? java_blocks(value, value, 64, d) : java_blocks(bits, 64, d), row["id"].utf8());
      ++block_lists;
    }
  }
  EXPECT_GT(tokens, 10000U);
  EXPECT_GT(block_lists, 1000U);
}

TEST(JavaVotes, Article000) {
  LEITONG_NEED_GOLDEN();
  expect_python2_file("s000_ik.jsonl.gz", false);
}

TEST(JavaVotes, Article004) {
  LEITONG_NEED_GOLDEN();
  expect_python2_file("s004.jsonl.gz", true);
}

void expect_most_first(const Value& expected, std::uint64_t value, const std::string& id) {
  EXPECT_EQ(bit_string(value, 64, BitOrder::most_first), expected["bits"].utf8()) << id;
  EXPECT_EQ(java::decimal_string(value), expected["dec"].utf8()) << id;
  EXPECT_EQ(java::hex_string(value, 64), expected["hex"].utf8()) << id;
}

TEST(JavaVotes, ProgramA) {
  LEITONG_NEED_GOLDEN();
  std::size_t without = 0;
  for (const Value& row : golden::rows("s001a.jsonl.gz")) {
    const std::string id = row["id"].utf8();
    java::LengthSimHash hash;
    for (const Value& token : row["tokens"].items) {
      const std::u16string& word = token[0].text;
      const bool skipped = token[1].text.substr(0, 1) == u"w" || token[2].integer() == 1;
      EXPECT_EQ(skipped ? 0 : java::length_profile_weight(word), static_cast<std::uint32_t>(token[3].integer())) << id;
      EXPECT_EQ(java::hex_string(java::length_profile_hash(word), 64), token[4].utf8()) << id;
      if (!skipped) hash.add(word);
    }
    EXPECT_EQ(hash.sum(), row["sum"].integer()) << id;
    EXPECT_EQ(hash.largest(), row["max"].integer()) << id;
    expect_most_first(row["fp_full"], hash.fingerprint(), id);
    EXPECT_EQ(hash.too_short(), row["fp_short"].is_null()) << id;
    without += hash.too_short() ? 1 : 0;
    if (!hash.too_short()) expect_most_first(row["fp_short"], hash.fingerprint(), id);
  }
  EXPECT_GT(without, 10U);
}

class ProgramB : public ::testing::Test {
 protected:
  void SetUp() override {
    LEITONG_NEED_GOLDEN();
    idf_ = java::read_java_idf(golden::read("idfold.utf8.gz"), "idfold.utf8");
    stop_ = java::read_java_stop_words(golden::read("stopword.dic"));
    // The rows of B list counted words only; A's rows have all tokens of the same texts.
    for (const Value& row : golden::rows("s001a.jsonl.gz")) tokens_.emplace(row["id"].utf8(), row["tokens"]);
  }
  JavaIdf idf_;
  WordTable stop_;
  std::map<std::string, Value> tokens_;
};

TEST_F(ProgramB, Golden) {
  EXPECT_TRUE(idf_.warnings.empty());
  java::TfIdfSimHash hash(idf_, stop_);
  std::size_t words = 0;
  for (const Value& row : golden::rows("s001b.jsonl.gz")) {
    const std::string id = row["id"].utf8();
    hash.clear();
    for (const Value& token : tokens_.at(id).items) hash.add(token[0].text);
    const std::uint64_t fingerprint = hash.finish();
    const auto& expected = row["tokens_in_hashmap_order"].items;
    ASSERT_EQ(hash.words().size(), expected.size()) << id;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const TfIdfSimHash::Word& word = hash.words()[i];
      EXPECT_EQ(ascii(word.word), expected[i][0].utf8()) << id;
      EXPECT_EQ(word.count, expected[i][1].integer()) << id;
      EXPECT_EQ(word.has_idf, expected[i][2].integer() == 1) << id;
      EXPECT_TRUE(same_bits(word.weight, java_double(expected[i][3]))) << id << " " << word.weight << " " << expected[i][3].utf8();
      EXPECT_EQ(java::hex_string(word.hash, 64), expected[i][4].utf8()) << id;
      ++words;
    }
    for (std::size_t i = 0; i < 64; ++i) {
      EXPECT_TRUE(same_bits(hash.vote().sum(63 - i), java_double(row["vector"][i]))) << id << " " << i << " " << row["vector"][i].utf8();
    }
    expect_most_first(row["fp"], fingerprint, id);
    EXPECT_FALSE(hash.order_is_uncertain());
  }
  EXPECT_GT(words, 9000U);
}

TEST_F(ProgramB, GoldenHashRows) {
  std::size_t count = 0;
  for (const Value& row : golden::rows("stage_hash.jsonl.gz")) {
    const std::u16string& word = row["w"].text;
    EXPECT_EQ(static_cast<long long>(word.size()), row["len"].integer());
    EXPECT_EQ(java::hex_string(java::python2_hash<std::uint32_t>(word), 32), row["py32"].utf8());
    EXPECT_EQ(java::hex_string(java::python2_hash<std::uint64_t>(word), 64), row["py64"].utf8());
    EXPECT_EQ(java::hex_string(java::python2_hash<Uint128>(word), 128), row["py128"].utf8());
    EXPECT_EQ(java::hex_string(java::length_profile_hash(word), 64), row["a64"].utf8()) << row["w"].utf8();
    EXPECT_EQ(java::length_profile_weight(word), static_cast<std::uint32_t>(row["a_weight"].integer())) << row["w"].utf8();
    EXPECT_EQ(java::hex_string(java::fnv1a_units(word), 64), row["fnv1a_u16"].utf8());
    EXPECT_EQ(stop_.find(word).has_value(), row["core_stop"].boolean) << row["w"].utf8();
    EXPECT_EQ(java::is_invalid_word(word), row["b_invalid"].boolean) << row["w"].utf8();
    const auto idf = idf_.find(word, java_hash_code(word));
    ASSERT_EQ(idf.has_value(), !row["idf"].is_null()) << row["w"].utf8();
    if (idf) {
      EXPECT_TRUE(same_bits(*idf, java_double(row["idf"]))) << row["w"].utf8();
    }
    ++count;
  }
  EXPECT_GT(count, 14000U);
}

}  // namespace
}  // namespace leitong::java
