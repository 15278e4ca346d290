// Every golden row of the whole programs, from the text: segmentation and fingerprint by the public interface.
#include <gtest/gtest.h>

#include "golden/dictionaries.h"
#include "golden/rows.h"
#include "leitong/fingerprint.h"
#include "leitong/java.h"
#include "leitong/segment.h"
#include "text/utf16.h"

namespace leitong {
namespace {

using golden::Value;

std::string id_of(const Value& row) { return row["id"].utf8() + (row.fields.contains("src") ? " " + row["src"].utf8() : ""); }
std::string text_of(const Value& row) { return text::to_utf8(row["text"].text); }

Profile java(const char* name, unsigned bits = 64) {
  Profile profile = load_profile(name);
  profile.bits = bits;
  return profile;
}

// One word: what it is, and (wanted by some files) its tag or place.
using Shown = std::vector<std::string>;

Shown words_of(Segmenter& segmenter, const std::string& text, bool tags) {
  Shown out;
  for (const Word& word : segmenter(text)) out.push_back(std::string(word.text) + (tags ? "/" + std::string(word.part_of_speech) : ""));
  return out;
}

Shown expected_words(const Value& tokens, bool tags) {
  Shown out;
  for (const Value& token : tokens.items) out.push_back(token[0].utf8() + (tags ? "/" + token[1].utf8() : ""));
  return out;
}

void expect_words(const char* file, const char* profile, const char* column, bool tags) {
  Segmenter segmenter(java(profile));
  std::size_t words = 0;
  for (const Value& row : golden::rows(file)) {
    const Shown expected = expected_words(row[column], tags);
    EXPECT_EQ(words_of(segmenter, text_of(row), tags), expected) << id_of(row);
    words += expected.size();
  }
  EXPECT_GT(words, 10000U);
}

TEST(GoldenSegmentation, Hanlp) {
  LEITONG_NEED_GOLDEN();
  LEITONG_NEED_HANLP();
  expect_words("stage_hanlp_seg.jsonl.gz", "java-hanlp", "tokens", true);
  expect_words("stage_seg_fuzz.jsonl.gz", "java-hanlp", "hanlp", true);
  expect_words("s004.jsonl.gz", "java-hanlp", "tokens", false);
  expect_words("s001a.jsonl.gz", "java-hanlp-length", "tokens", true);
}

TEST(GoldenSegmentation, Ik) {
  LEITONG_NEED_GOLDEN();
  LEITONG_NEED_IK();
  expect_words("stage_ik_seg.jsonl.gz", "java-ik", "tokens", false);
  expect_words("stage_seg_fuzz.jsonl.gz", "java-ik", "ik", false);
  expect_words("s000_ik.jsonl.gz", "java-ik", "tokens", false);
}

TEST(GoldenSegmentation, CleanedTextOfArticle001) {
  LEITONG_NEED_GOLDEN();
  LEITONG_NEED_HANLP();
  for (const char* name : {"java-hanlp-length", "java-hanlp-length-short"}) {
    Segmenter segmenter(java(name));
    for (const Value& row : golden::rows("s001a.jsonl.gz")) {
      (void)segmenter(text_of(row));
      EXPECT_EQ(segmenter.cut_text(), row["pre"].utf8()) << id_of(row);
    }
  }
}

void expect_forms(const std::optional<Fingerprint>& fingerprint, const Value& expected, bool least_first, const std::string& id) {
  ASSERT_EQ(!fingerprint, expected.is_null()) << id;
  if (!fingerprint) return;
  EXPECT_EQ(to_bits(*fingerprint, least_first), expected["bits"].utf8()) << id;
  EXPECT_EQ(to_decimal(*fingerprint), expected["dec"].utf8()) << id;
  EXPECT_EQ(to_hex(*fingerprint), expected["hex"].utf8()) << id;
  EXPECT_EQ(fingerprint_from_hex(expected["hex"].utf8()), *fingerprint) << id;
}

// The plain steps of a trace must give what the fast path gives.
void expect_trace(const std::string& text, const Profile& profile, const std::optional<Fingerprint>& fingerprint, const std::string& id) {
  const Trace steps = trace(text, profile);
  ASSERT_EQ(steps.fingerprint, fingerprint) << id;
  if (!fingerprint) return;
  for (unsigned bit = 0; bit < profile.bits; ++bit) {
    const bool set = (fingerprint->words[bit / 64] >> (bit % 64) & 1) != 0;
    ASSERT_EQ(set, steps.sums[bit] > 0 || (steps.sums[bit] == 0 && steps.tie_sets_bit)) << id << " bit " << bit;
  }
}

void expect_voting_program(const char* file, const char* name) {
  for (const unsigned bits : {32U, 64U, 128U}) {
    const Profile profile = java(name, bits);
    Fingerprinter fingerprinter(profile);
    std::size_t blocks = 0, row_number = 0;
    for (const Value& row : golden::rows(file)) {
      const auto result = fingerprinter(text_of(row));
      expect_forms(result.fingerprint, row["fp"][std::to_string(bits)], true, id_of(row));
      if (row_number++ % 20 == 0) expect_trace(text_of(row), profile, result.fingerprint, id_of(row));
      if (bits != 64 || !result.fingerprint) continue;
      for (const auto& [distance, expected] : row["fp"]["sub64"].fields) {
        Shown shown;
        for (const Value& block : expected.items) shown.push_back(block.utf8());
        EXPECT_EQ(java::sub_by_distance(*result.fingerprint, profile.program, std::stoi(distance)), shown) << id_of(row) << " " << distance;
        ++blocks;
      }
    }
    EXPECT_TRUE(bits != 64 || blocks > 1000);
  }
}

TEST(GoldenProfiles, JavaIk) {
  LEITONG_NEED_GOLDEN();
  LEITONG_NEED_IK();
  expect_voting_program("s000_ik.jsonl.gz", "java-ik");
}

TEST(GoldenProfiles, JavaHanlp) {
  LEITONG_NEED_GOLDEN();
  LEITONG_NEED_HANLP();
  expect_voting_program("s004.jsonl.gz", "java-hanlp");
}

TEST(GoldenProfiles, JavaHanlpLength) {
  LEITONG_NEED_GOLDEN();
  LEITONG_NEED_HANLP();
  for (const auto& [name, column] : {std::pair("java-hanlp-length", "fp_full"), std::pair("java-hanlp-length-short", "fp_short")}) {
    const Profile profile = java(name);
    Fingerprinter fingerprinter(profile);
    std::size_t without = 0, row_number = 0;
    for (const Value& row : golden::rows("s001a.jsonl.gz")) {
      const auto result = fingerprinter(text_of(row));
      expect_forms(result.fingerprint, row[column], false, id_of(row));
      if (row_number++ % 10 == 0) expect_trace(text_of(row), profile, result.fingerprint, id_of(row));
      without += result.fingerprint ? 0 : 1;
    }
    EXPECT_EQ(without > 10, profile.program == Program::java_001a_short);
  }
}

TEST(GoldenProfiles, JavaHanlpTfidf) {
  LEITONG_NEED_GOLDEN();
  LEITONG_NEED_HANLP();
  Profile profile = java("java-hanlp-tfidf");
  profile.idf_file = golden::temporary_file("idfold.utf8", golden::read("idfold.utf8.gz"));
  profile.stop_words = golden::temporary_file("stopword.dic", golden::read("stopword.dic"));
  EXPECT_TRUE(profile_warnings(profile).empty());
  Fingerprinter fingerprinter(profile);
  std::size_t row_number = 0;
  for (const Value& row : golden::rows("s001b.jsonl.gz")) {
    const auto result = fingerprinter(text_of(row));
    expect_forms(result.fingerprint, row["fp"], false, id_of(row));
    if (row_number++ % 10 == 0) expect_trace(text_of(row), profile, result.fingerprint, id_of(row));
  }
}

}  // namespace
}  // namespace leitong
