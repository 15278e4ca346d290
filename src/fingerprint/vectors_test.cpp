// The vectors of docs/fingerprint-spec.md, tests/spec/vectors.jsonl: every line is computed again and compared. An independent
// implementation, tests/spec/check_vectors.py, reads the same lines.
//
// LEITONG_UPDATE_VECTORS=1 writes the file instead: after a change of the specification, never to silence a test. CTest runs this program's
// tests a second time with each LEITONG_ISA, so that every way of dispatch gives the file.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "fingerprint/simhash.h"
#include "fingerprint/sketcher.h"
#include "leitong/error.h"
#include "leitong/fingerprint.h"
#include "leitong/profile.h"
#include "leitong/version.h"
#include "processor/instruction_set.h"
#include "text/plain.h"
#include "text/scan.h"
#include "text/utf8.h"

namespace leitong::fingerprint {
namespace {

using std::string_literals::operator""s;

const std::string folder = LEITONG_SOURCE_DIR "/tests/spec/";

// Profiles, in addition to the built-in ones, that reach the settings which those leave alone. The idf table stands in `folder`.
constexpr std::string_view other_profiles[] = {
    "name = \"keyed\"\nkey = \"00ff10A5\"\n",
    "base = \"words-tf\"\nname = \"folded-sqrt\"\nweights = \"sqrt\"\nfold-traditional = true\nbits = 128\n",
    "name = \"three-sizes\"\nversion = 2\nngram-sizes = [3, 1, 2]\nshort-tokens = 10\n",
    "name = \"two-one\"\nngram-sizes = [2, 1]\nshort-tokens = 2\n",
    "base = \"characters-4\"\nname = \"characters-2-5\"\nngram-sizes = [2, 5]\nbits = 256\nminhash = false\n",
    "base = \"words-tf\"\nname = \"idf\"\nweights = \"tfidf\"\nngram-sizes = [1, 3]\nidf = \"idf.txt\"\nminhash = false\n",
    "base = \"minhash1\"\nname = \"minhash1-256\"\nbits = 256\n",
    "base = \"shingles-5\"\nname = \"minhash1-shingles\"\nsketch = \"minhash1\"\nbits = 128\nkey = \"0a\"\n",
};

// n tokens, always the same.
std::string words(unsigned n, std::uint64_t state) {
  constexpr std::string_view list[] = {"the",  "of",        "a",    "license", "copy",  "software",
                                       "near", "duplicate", "text", "hash",    "every", "stone"};
  constexpr std::string_view rare[] = {"雷", "同", "文", "Größe", "x86", "3.14", "don't", "ß", "かな", "Straße"};
  std::string text;
  for (unsigned i = 0; i < n; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const auto draw = static_cast<unsigned>(state >> 40);
    std::string_view word = draw % 7 == 0 ? rare[draw / 7 % std::size(rare)] : list[draw / 7 % std::size(list)];
    if (word == "かな" && ++i == n) word = "か";  // two tokens
    text += fmt::format("{}{}", word, draw % 11 == 0 ? ". " : " ");
  }
  return text;
}

std::string han(unsigned n, std::uint64_t state) {
  std::string text;
  for (unsigned i = 0; i < n; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    text::append_utf8(0x4E00 + static_cast<char32_t>((state >> 40) % 60), text);
    if (i % 13 == 12) text += "，";
  }
  return text;
}

std::string repeated(std::string_view part, unsigned times) {
  std::string text;
  for (unsigned i = 0; i < times; ++i) text += part;
  return text;
}

std::vector<std::string> short_texts() {
  return {
      // Without tokens.
      "",
      " ",
      " \t\r\n\f\v",
      "\u3000",
      "...!?",
      "—“”…",
      "___",
      "👨‍👩‍👧 🇨🇳 🎉",
      "\u0301\u0301",
      "\xFF",
      "\xC3\xA4\xE2\x82"s.substr(2),
      // ASCII.
      "a",
      "7",
      "A",
      "Leitong",
      "one two",
      "two one",
      "The quick (\"brown\") fox can't jump 32.3 feet, right?",
      "the cat saw the cat and the cat saw",
      "a a a a a",
      "a b a b a b a b",
      "dog",
      "cat dog the bird",
      "a.b a. .b 1,000;5 1, 2 3.a x:y 1:2",
      "snake_case _x_ ___ _ a_ 4_2",
      "a\0b"s,
      "of the",
      "of the of the of the",
      "to be or not to be that is the question whether tis nobler",
      "http://example.org/path?q=1&r=2",
      // Lengths of tokens around the hash's blocks of sixteen bytes.
      "abcdefg abcdefgh abcdefghi",
      "abcdefghijklmno abcdefghijklmnop abcdefghijklmnopq",
      "internationalisations",
      "abcdefghijklmnopqrstuvwxyz01234 abcdefghijklmnopqrstuvwxyz012345 abcdefghijklmnopqrstuvwxyz0123456",
      repeated("x", 100),
      repeated("longlonglongword ", 9),
      // Beyond ASCII.
      "Größe STRASSE straße",
      "cafe\u0301 CAFÉ",
      "co\u00ADop zero\u200Bwidth",
      "x² ½ ①",
      "ﬁne ﬂow",
      "ＡＢＣ１２３，４５６：Ｘ",
      "３．１４　ｈｅｌｌｏ",
      "雷同",
      "雷同检测：找出海量文本中的近似重复。",
      "雷同檢測：找出海量文本中的近似重複。",
      "國語樂園與国语乐园",
      "中文 text混排2024年。",
      "人々〆〇",
      "ひらがなカタカナー",
      "ｶﾞｷﾞ ア_イa_b_ウ",
      "한국어 조선말abc",
      "\u1112\u1161\u11AB\u3147",
      "ภาษาไทย ที่นี่",
      "ພາສາ ភាសាខ្មែរ မြန်မာ",
      "и́мя Привет-мир",
      "\u05D0\"\u05D0 \u05D0' שלום",
      "مرحبا بالعالم",
      "नमस्ते दुनिया",
      "\u4E2D\u0301\u6587 \u4E2D\u0301a",
      "𐌰𐌱 𐌲 𠀀𠀁",
      "\uFEFFbom\u2028line",
      "don\u2019t \u2018quoted\u2019 wait…what",
      "雷\uFE0F同\u3099",
      // Invalid bytes.
      "a\xFFz caf\xC3",
      "ab\xED\xA0\x80xy \xF0\x9F\x98 \xC0\xAF雷\x80",
      "\xF4\x90\x80\x80tail",
      // Different features that agree in the upper halves of their public hashes: two tokens; a token and a bigram; two bigrams.
      "w57230 w75895 w57230",
      "w75895 w57230 w75895",
      "w545 w3816 w102014",
      "w102014 w545 w3816",
      "w78585 w100096 w66275 w13926",
  };
}

std::vector<std::string> long_texts() {
  return {words(49, 1), words(50, 2), han(51, 3), words(99, 4), han(100, 5), words(100, 6) + han(1, 7), words(400, 8)};
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const text::Decoded d = text::decode_utf8(text, i);
    const char32_t c = d.value;
    const bool invisible = c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || (c >= 0x2000 && c < 0x2010) || (c >= 0x2028 && c < 0x2030) ||
                           c == 0x3000 || (c >= 0xFE00 && c < 0xFE10) || c == 0xFEFF;
    if (!d.valid) {  // as Python's "surrogateescape" has it: U+DC80..U+DCFF stand for bytes
      for (unsigned k = 0; k < d.size; ++k) out += fmt::format("\\udc{:02x}", static_cast<unsigned char>(text[i + k]));
    } else if (invisible) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += text.substr(i, d.size);
    }
    i += d.size;
  }
  return out + '"';
}

template <typename Numbers>
std::string hex(const Numbers& numbers) {
  std::string out;
  for (const auto number : numbers) out += fmt::format("{:0{}x}", number, 2 * sizeof number);
  return out;
}

Profile profile_of(std::string_view toml) {
  Profile profile = parse_profile(toml, "vectors");
  if (!profile.idf_file.empty()) profile.idf_file = folder + profile.idf_file;
  return profile;
}

// Those whose SimHash is made of the standard tokens; the specification has no words. The golden vectors hold the others.
std::vector<std::string> token_profile_names() {
  std::vector<std::string> names = profile_names();
  std::erase_if(names, [](const std::string& name) { return !votes_by_tokens(load_profile(name)); });
  return names;
}

std::vector<Profile> profiles() {
  std::vector<Profile> out;
  for (const std::string& name : token_profile_names()) out.push_back(load_profile(name));
  for (const std::string_view toml : other_profiles) out.push_back(profile_of(toml));
  return out;
}

// Long texts go through a few profiles only, to keep the file small.
std::vector<std::string> texts_of(const Profile& profile) {
  std::vector<std::string> texts = short_texts();
  constexpr std::array<std::string_view, 4> thorough = {"leitong-1", "keyed", "three-sizes", "minhash1-256"};
  const bool all = std::find(thorough.begin(), thorough.end(), profile.name) != thorough.end();
  for (std::string& text : long_texts())
    if (all) texts.push_back(std::move(text));
  return texts;
}

std::string line_of(const std::string& text, const Profile& profile, Sketcher& sketcher) {
  Sketch sketch;
  sketcher(text, sketch);
  const text::Tokens& tokens = sketcher.extractor().tokens();
  std::string line = fmt::format("{{\"text\": {}, \"profile\": {}, \"tokens\": [", json_string(text), json_string(profile.name));
  for (std::size_t i = 0; i < tokens.size(); ++i) line += (i > 0 ? ", " : "") + json_string(tokens[i]);
  line += fmt::format("], \"features\": {}, \"fp\": {}, \"slots\": {}", sketch.features,
                      sketch.has_fingerprint ? json_string(to_hex(sketch.fingerprint)) : "null",
                      sketch.has_slots ? json_string(hex(sketch.slots)) : "null");
  if (profile.bits == 64 && profile.features == FeatureKind::token_ngrams && profile.weights == WeightKind::set)
    line += fmt::format(", \"short\": \"{}\", \"content\": \"{:016x}{:016x}\"", hex(sketch.short_features), sketch.content[1],
                        sketch.content[0]);
  return line + "}";
}

std::vector<std::string> computed_lines() {
  std::vector<std::string> lines;
  for (const std::string& name : token_profile_names())
    lines.push_back(fmt::format("{{\"profile\": \"{}\", \"id\": \"{}\"}}", name, profile_id(load_profile(name))));
  for (const std::string_view toml : other_profiles) {
    const Profile profile = profile_of(toml);
    std::string one_line;
    for (const char c : toml) one_line += c == '\n' ? "\\n" : c == '"' ? "\\\"" : std::string(1, c);
    lines.push_back(fmt::format("{{\"profile\": \"{}\", \"toml\": \"{}\", \"id\": \"{}\"}}", profile.name, one_line, profile_id(profile)));
  }
  for (const Profile& profile : profiles()) {
    Sketcher sketcher(profile);
    for (const std::string& text : texts_of(profile)) lines.push_back(line_of(text, profile, sketcher));
  }
  return lines;
}

// What is frozen: ids, and the hash of all lines of vectors.jsonl that name the profile. A change that fails here needs a new profile name.
struct FrozenProfile {
  std::string_view name, id, vectors;
};
constexpr std::array frozen_profiles{
    FrozenProfile{"leitong-1", "68d8c7e6cabd07ba79cee958ee537d66", "901c9af830ff0bae4e0f94ac45cd255e"},
    FrozenProfile{"leitong-1-128", "800a5bfa2d52f6199e1c825502e39689", "382dd9dca6d52cf8693f38356441ff5e"},
    FrozenProfile{"leitong-1-256", "a9df93a0fb15aa132a77c86ef63b891e", "4613b7e11503651c9ce038db212d7e33"},
};

TEST(Vectors, FrozenProfilesDoNotChange) {
  const std::vector<std::string> lines = computed_lines();
  for (const FrozenProfile& frozen : frozen_profiles) {
    std::string all;
    for (const std::string& line : lines)
      if (line.find(fmt::format("\"profile\": \"{}\"", frozen.name)) != std::string::npos) all += line + "\n";
    const XXH128_hash_t hash = XXH3_128bits(all.data(), all.size());
    EXPECT_EQ(profile_id(load_profile(frozen.name)), frozen.id) << frozen.name;
    EXPECT_EQ(fmt::format("{:016x}{:016x}", hash.high64, hash.low64), frozen.vectors) << frozen.name;
  }
}

TEST(Vectors, AreTheFile) {
  const std::string path = folder + "vectors.jsonl";
  const std::vector<std::string> computed = computed_lines();
  if (std::getenv("LEITONG_UPDATE_VECTORS") != nullptr) {
    std::ofstream file(path, std::ios::binary);
    for (const std::string& line : computed) file << line << '\n';
    ASSERT_TRUE(file.flush()) << path;
    GTEST_SKIP() << path << " written";
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << path;
  std::vector<std::string> stored;
  for (std::string line; std::getline(file, line);) stored.push_back(line);
  ASSERT_EQ(stored.size(), computed.size());
  for (std::size_t i = 0; i < stored.size(); ++i) EXPECT_EQ(computed[i], stored[i]) << path << ':' << i + 1;
}

std::vector<std::string> strings(const text::Tokens& tokens) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < tokens.size(); ++i) out.emplace_back(tokens[i]);
  return out;
}

// An unknown or missing set would fall back to the portable kernels without a word.
TEST(Vectors, AreComputedByTheKernelsAskedFor) {
  try {
    const char* const asked = std::getenv("LEITONG_ISA");
    EXPECT_EQ(processor::name_of(processor::instruction_set()), std::string(asked == nullptr ? leitong::instruction_set() : asked));
  } catch (const Error& error) {
    ASSERT_EQ(error.code(), ErrorCode::unsupported) << error.what();
    GTEST_SKIP() << error.what();  // "this processor lacks that instruction set"
  }
}

// The same by every variant at once, whatever dispatch chose.
TEST(Vectors, AreTheSameByEveryKernel) {
  const processor::Features has = processor::features();
  for (const Profile& profile : profiles()) {
    FeatureExtractor extractor(profile);
    text::Tokens tokens;
    for (const std::string& text : texts_of(profile)) {
      extractor.set_text(text);
      const std::vector<std::string> expected = strings(extractor.tokens());
      const text::TokenizeOptions options{.fold_traditional = profile.fold_traditional};
      text::tokenize_plain(text, options, tokens);
      EXPECT_EQ(strings(tokens), expected) << json_string(text);
      text::tokenize_by(text::scan_portable, text, options, tokens);
      EXPECT_EQ(strings(tokens), expected) << json_string(text);
      std::vector<std::uint64_t> hashes;
      extractor.sorted_features(hashes);
      const std::uint64_t bits = majority(hashes);
      EXPECT_EQ(majority_portable(hashes.data(), hashes.size()), bits) << json_string(text);
#if defined(__x86_64__)
      if (!processor::fits_avx2(has)) continue;
      text::tokenize_by(text::scan_avx2, text, options, tokens);
      EXPECT_EQ(strings(tokens), expected) << json_string(text);
      EXPECT_EQ(majority_avx2(hashes.data(), hashes.size()), bits) << json_string(text);
      if (!processor::fits_avx512(has)) continue;
      text::tokenize_by(text::scan_avx512, text, options, tokens);
      EXPECT_EQ(strings(tokens), expected) << json_string(text);
      EXPECT_EQ(majority_avx512(hashes.data(), hashes.size()), bits) << json_string(text);
#endif
    }
  }
  if (!processor::fits_avx512(has))
    GTEST_SKIP() << "this processor lacks AVX-512: its kernels were not compared; the others were, and agree";
}

// The public face gives what the sketch does.
TEST(Vectors, AreTheSameByFingerprinter) {
  for (const Profile& profile : profiles()) {
    Fingerprinter fingerprinter(profile);
    Sketcher sketcher(profile);
    Sketch sketch;
    for (const std::string& text : texts_of(profile)) {
      sketcher(text, sketch);
      if (sketch.tokens == 0 && profile.weights == WeightKind::tfidf) continue;  // FeatureExtractor::features() reads beyond no tokens
      const auto result = fingerprinter(text);
      EXPECT_EQ(result.features, sketch.features) << json_string(text);
      ASSERT_EQ(result.fingerprint.has_value(), sketch.has_fingerprint) << json_string(text);
      if (sketch.has_fingerprint) {
        EXPECT_EQ(*result.fingerprint, sketch.fingerprint) << json_string(text);
      }
    }
  }
}

}  // namespace
}  // namespace leitong::fingerprint
