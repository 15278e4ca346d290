#include "similarity/shared_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "fingerprint/hash.h"
#include "text/tokenize.h"

namespace leitong::similarity {
namespace {

using Tokens = std::vector<std::uint64_t>;

std::uint64_t token(std::uint64_t symbol) {
  std::uint64_t x = (symbol + 1) * 0x9e3779b97f4a7c15ULL;
  x = (x ^ x >> 31) * 0xbf58476d1ce4e5b9ULL;
  return x ^ x >> 29;
}

Tokens random_text(std::mt19937_64& random, std::size_t length, std::uint64_t alphabet) {
  Tokens out;
  for (std::size_t i = 0; i < length; ++i) out.push_back(token(random() % alphabet));
  return out;
}

Tokens hashed(const std::string& text) {
  const fingerprint::Hasher hasher;
  text::Tokens tokens;
  text::tokenize(text, {}, tokens);
  Tokens out;
  for (std::size_t i = 0; i < tokens.size(); ++i) out.push_back(hasher.bytes(tokens[i].data(), tokens[i].size()));
  return out;
}

// Every maximal common run of the least length, by trying all pairs of positions.
std::vector<SharedRun> all_runs(const Tokens& a, const Tokens& b, const RunShape& shape) {
  std::vector<SharedRun> runs;
  if (b.size() < shape.shortest) return runs;
  const std::size_t least = std::min<std::size_t>(shape.span, b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (a[i] != b[j] || (i > 0 && j > 0 && a[i - 1] == b[j - 1])) continue;
      std::size_t n = 1;
      while (i + n < a.size() && j + n < b.size() && a[i + n] == b[j + n]) ++n;
      if (n >= least) runs.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(n)});
    }
  return runs;
}

void fill(RunIndex& index, std::span<const Tokens> texts) {
  for (const Tokens& text : texts) {
    std::vector<Gram> grams;
    choose_grams(text, index.shape(), grams);
    index.add(text, grams);
  }
}

// What is found must be exactly what trying everything gives.
void expect_all_found(const RunIndex& index, const std::vector<Tokens>& indexed, const Tokens& a) {
  RunFinder finder(index);
  const std::span<const TextRuns> found = finder.find(a);
  auto next = found.begin();
  for (std::uint32_t t = 0; t < indexed.size(); ++t) {
    std::vector<SharedRun> expected = all_runs(a, indexed[t], index.shape());
    keep_covering(expected);
    const bool there = next != found.end() && next->text == t;
    ASSERT_EQ(there, !expected.empty()) << "text " << t;
    if (!there) continue;
    EXPECT_FALSE(next->bounded);
    EXPECT_EQ(next->runs, expected) << "text " << t;
    ++next;
  }
  EXPECT_EQ(next, found.end());
}

TEST(SharedRuns, ShapeKeepsItsPromise) {
  for (std::uint32_t span = 1; span < 300; ++span) {
    const RunShape shape = run_shape(span);
    EXPECT_EQ(shape.gram + shape.window - 1, span);
    EXPECT_GE(shape.gram, 1U);
    EXPECT_GE(shape.window, 1U);
    EXPECT_LE(shape.shortest, span);
  }
}

TEST(SharedRuns, OneOfEveryWindowIsChosen) {
  std::mt19937_64 random(7);
  const RunShape shape = run_shape(25);
  std::size_t chosen = 0, all = 0;
  for (const std::uint64_t alphabet : {2, 5, 1000}) {
    const Tokens text = random_text(random, 3000, alphabet);
    std::vector<Gram> grams;
    EXPECT_EQ(choose_grams(text, shape, grams), 0U);
    std::uint32_t before = 0;
    for (std::size_t i = 0; i < grams.size(); ++i) {
      if (i == 0) {
        EXPECT_LT(grams[0].position, shape.window);
      } else {
        EXPECT_GT(grams[i].position, before);
        EXPECT_LE(grams[i].position - before, shape.window);
      }
      before = grams[i].position;
    }
    EXPECT_GE(before + shape.window, text.size() - shape.gram + 1);
    chosen += grams.size(), all += text.size();
  }
  EXPECT_LT(chosen * 4, all);  // and not many more: 2 / (window + 1)
}

TEST(SharedRuns, FindsWhatTryingEverythingFinds) {
  std::mt19937_64 random(11);
  for (const std::uint32_t span : {1U, 5U, 8U, 12U, 25U, 40U})
    for (const std::uint64_t alphabet : {3ULL, 40ULL, 5000ULL}) {
      if (alphabet == 3 && span < 12) continue;  // their grams are all common
      std::vector<Tokens> indexed;
      for (int t = 0; t < 30; ++t) indexed.push_back(random_text(random, random() % (3 * span + 10), alphabet));
      RunIndex index(run_shape(span));
      fill(index, indexed);
      index.finish(nullptr);
      ASSERT_TRUE(index.common().empty());
      for (int round = 0; round < 20; ++round) {
        Tokens a = random_text(random, random() % 50, alphabet);
        for (int part = 0; part < 4; ++part) {  // passages of indexed texts, or all of one
          const Tokens& from = indexed[random() % indexed.size()];
          const std::size_t begin = random() % 2 * (random() % (from.size() + 1));
          const std::size_t end = random() % 2 == 0 ? from.size() : begin + random() % (from.size() - begin + 1);
          a.insert(a.end(), from.begin() + static_cast<std::ptrdiff_t>(begin), from.begin() + static_cast<std::ptrdiff_t>(end));
          const Tokens noise = random_text(random, random() % 30, alphabet);
          a.insert(a.end(), noise.begin(), noise.end());
        }
        expect_all_found(index, indexed, a);
      }
    }
}

TEST(SharedRuns, RealTextsAndShortOnes) {
  const std::vector<std::string> questions = {
      "What is the capital city of the country that lies to the north of Italy and to the south of Germany, and how many people live "
      "there?",
      "Which of the following gases is most common in the air?",  // 11 tokens: whole or not at all
      "Why is the sky blue?",                                     // cannot be told
      "第一条 为了规范公共场所的卫生管理，预防疾病，保障人体健康，根据有关法律、行政法规，结合本市实际，制定本条例。",
      "which of the following gases is MOST common in the air"};
  std::vector<Tokens> indexed;
  for (const std::string& question : questions) indexed.push_back(hashed(question));
  RunIndex index(run_shape(25));
  fill(index, indexed);
  index.finish(nullptr);
  const Tokens page =
      hashed("Quiz. " + questions[0] + " Answer. " + questions[2] + " Which of the following gases is most common in the sea? " +
             questions[1] + " 附：" + questions[3].substr(3) + " 完");
  expect_all_found(index, indexed, page);
  RunFinder finder(index);
  std::vector<std::uint32_t> texts;
  for (const TextRuns& text : finder.find(page)) texts.push_back(text.text);
  EXPECT_EQ(texts, (std::vector<std::uint32_t>{0, 1, 3, 4}));
  EXPECT_TRUE(finder.find(hashed("Which of the following gases is most common in the")).empty());
}

TEST(SharedRuns, SeveralIndexesFindWhatOneFinds) {
  std::mt19937_64 random(13);
  const RunShape shape = run_shape(12);
  const Tokens boilerplate = random_text(random, 30, 5000);
  std::vector<Tokens> indexed;
  for (int t = 0; t < 400; ++t) {
    Tokens text = random_text(random, random() % 60, 5000);
    if (t % 2 == 0) text.insert(text.end(), boilerplate.begin(), boilerplate.end());
    indexed.push_back(text);
  }
  RunIndex all(shape);
  fill(all, indexed);
  all.finish(nullptr);
  ASSERT_FALSE(all.common().empty());  // the boilerplate stands in 200 texts
  Tokens a = indexed[33];
  a.insert(a.end(), boilerplate.begin(), boilerplate.end());
  a.insert(a.end(), indexed[101].begin(), indexed[101].end());
  RunFinder finder(all);
  const std::span<const TextRuns> whole = finder.find(a);
  EXPECT_GE(whole.size(), most_places);
  EXPECT_LE(whole.size(), 2 * most_places);  // bounded, not all of the two hundred and more
  std::vector<TextRuns> parts;
  std::vector<std::uint64_t> met(all.common().size(), 0);
  std::uint64_t base = 0;
  for (std::size_t begin = 0; begin < indexed.size(); begin += 50) {
    RunIndex part(shape, base);
    fill(part, std::span(indexed).subspan(begin, 50));
    part.finish(&all.common());
    base += part.tokens();
    RunFinder of_part(part);
    for (TextRuns runs : of_part.find(a)) {
      runs.text += static_cast<std::uint32_t>(begin);
      parts.push_back(runs);
    }
    for (std::size_t i = 0; i < met.size(); ++i) met[i] += of_part.met()[i];
  }
  ASSERT_EQ(parts.size(), whole.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    EXPECT_EQ(parts[i].text, whole[i].text);
    EXPECT_EQ(parts[i].runs, whole[i].runs);
  }
  EXPECT_EQ(met, finder.met());
  EXPECT_GT(*std::max_element(met.begin(), met.end()), 0U);
}

TEST(SharedRuns, RepeatsOfOneTextAreLeftOut) {
  std::vector<Gram> grams;
  EXPECT_GT(choose_grams(Tokens(3000, token(1)), run_shape(25), grams), 100U);
  EXPECT_EQ(grams.size(), most_repeats);
  // It is said of a pair that meets such a gram, and of no other.
  std::mt19937_64 random(17);
  Tokens text = random_text(random, 100, 5000);
  const Tokens beginning = text;
  text.insert(text.end(), 500, token(1));
  RunIndex index(run_shape(25));
  fill(index, std::vector<Tokens>{text});
  index.finish(nullptr);
  RunFinder finder(index);
  ASSERT_EQ(finder.find(beginning).size(), 1U);
  EXPECT_FALSE(finder.find(beginning)[0].bounded);
  ASSERT_EQ(finder.find(Tokens(30, token(1))).size(), 1U);
  EXPECT_TRUE(finder.find(Tokens(30, token(1)))[0].bounded);
}

TEST(SharedRuns, EndlessRepetitionEnds) {
  const Tokens zeros(200'000, token(0));
  RunIndex index(run_shape(25));
  fill(index, std::vector<Tokens>{zeros, zeros});
  index.finish(nullptr);
  RunFinder finder(index);
  const std::span<const TextRuns> found = finder.find(zeros);
  ASSERT_EQ(found.size(), 2U);
  for (const TextRuns& text : found) {
    ASSERT_FALSE(text.runs.empty());
    EXPECT_TRUE(text.bounded);
    EXPECT_EQ(covered_b(text.runs), zeros.size());
  }
}

TEST(SharedRuns, KeepsWhatCoversSomething) {
  std::vector<SharedRun> runs = {{50, 5, 20}, {0, 0, 40}, {10, 0, 30}, {5, 10, 12}, {100, 38, 9}};
  keep_covering(runs);
  EXPECT_EQ(runs, (std::vector<SharedRun>{{0, 0, 40}, {50, 5, 20}, {100, 38, 9}}));
  EXPECT_EQ(covered_b(runs), 47U);
  EXPECT_EQ(covered_a(runs), 69U);
}

}  // namespace
}  // namespace leitong::similarity
