// The learnt template features against plain counting, and which records the whole job then keeps apart.

#include "stages/template_features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "fingerprint/features.h"
#include "leitong/dedup.h"
#include "leitong/stages.h"
#include "records/read_input_test.h"
#include "stages/pair_reader.h"
#include "stages/stages.h"

namespace leitong::stages {
namespace {

std::string words(std::mt19937_64& random, int count, unsigned range = 100000) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "w" + std::to_string(random() % range) + " ";
  return text;
}

// A page of a template: the same words as on all pages, and about a third of its own.
std::string page(std::mt19937_64& random, const std::string& frame, int own) {
  return frame.substr(0, frame.size() / 2) + words(random, own) + frame.substr(frame.size() / 2);
}

void write(const std::string& path, const std::vector<std::string>& texts) {
  std::ofstream file(path);
  for (const std::string& text : texts) file << "{\"text\":\"" << text << "\"}\n";
}

DedupOptions options_for(const TemporaryDirectory& directory, const char* output) {
  DedupOptions options;
  options.input.paths = {directory / "in.jsonl"};
  options.output_dir = directory / output;
  options.job.threads = 2;
  return options;
}

// Pages of two templates, copies of some of them with an edit or two, other texts.
std::vector<std::string> collection(int pages) {
  std::mt19937_64 random(7);
  const std::string shop = words(random, 60), law = words(random, 200);
  std::vector<std::string> texts;
  for (int i = 0; i < pages; ++i) {
    texts.push_back(page(random, shop, 15));
    texts.push_back(page(random, law, 50));
    texts.push_back(words(random, 80));
    if (i % 5 == 0) texts.push_back(texts[texts.size() - 3] + "one more"), texts.push_back(texts[texts.size() - 2]);
  }
  return texts;
}

// Compares the learnt weights with the definition, computed with a map.
TEST(TemplateFeatures, AreCountedAsDefined) {
  const TemporaryDirectory directory;
  const std::vector<std::string> texts = collection(120);
  write(directory / "in.jsonl", texts);
  dedup(options_for(directory, "out"));
  const sketches::SketchSet set({directory / "out/stages/sketch.ltt"});
  const auto pairs = open_stage_file(directory / "out/stages/pairs.ltt", "pairs");
  std::vector<std::uint64_t> content;
  set.for_each_block({sketches::SketchColumns::content}, [&](std::uint64_t, const storage::Block& block) {
    const auto part = block.column<std::uint64_t>(sketches::SketchColumns::content);
    content.insert(content.end(), part.begin(), part.end());
  });
  std::set<std::uint32_t> named, copies;
  std::uint64_t near = 0;
  for_each_pair(
      pairs, set.rows(), [] {},
      [&](const PairRow& pair) {
        named.insert({pair.a, pair.b});
        if (pair.kind != PairKind::equal && pair.value < 0.80F) return;
        near += pair.kind == PairKind::equal ? 0 : 1;
        copies.insert(pair.kind == PairKind::equal || content[2 * pair.a] < content[2 * pair.b] ? pair.b : pair.a);
      });
  ASSERT_GT(near, 10U);
  std::map<std::uint32_t, std::uint32_t> counts;
  fingerprint::FeatureExtractor extractor(set.profile());
  std::vector<std::uint32_t> keys;
  std::uint64_t records = 0;
  for (const std::uint32_t row : named) {
    if (copies.contains(row)) continue;
    extractor.set_text(texts[row]);
    extractor.keys(keys);
    for (const std::uint32_t key : keys) ++counts[key];
    ++records;
  }
  const TemplateFeatures one(set, Rule{}, pairs, sketches::texts_of_inputs(set), 1, [] {}),
      three(set, Rule{}, pairs, sketches::texts_of_inputs(set), 3, [] {});
  EXPECT_EQ(one.records(), records);
  std::uint64_t light = 0;
  for (const auto& [key, count] : counts) {
    const double expected = count <= Rule{}.template_records ? 1 : static_cast<double>(Rule{}.template_records) / count;
    EXPECT_EQ(one.weight(key), expected);
    light += expected < 0.5 ? 1 : 0;
    EXPECT_EQ(one.weight(key), three.weight(key)) << "whatever the threads";
  }
  EXPECT_GT(light, 200U) << "both templates";
  EXPECT_EQ(one.weight(0x12345678U), 1);
}

// The pairs that a run accepts, and the weights learnt from a sample and from all records.
struct Learnt {
  std::set<std::pair<std::string, std::string>> edges;
  std::vector<double> weights;
  std::uint64_t sampled = 0;
};

Learnt learnt_of(const std::vector<std::string>& texts, const std::vector<std::string>& in_order) {
  const TemporaryDirectory directory;
  write(directory / "in.jsonl", texts);
  dedup(options_for(directory, "out"));
  Learnt out;
  const auto edges = open_stage_file(directory / "out/stages/edges.ltt", "edges");
  for_each_pair(edges, texts.size(), [] {}, [&](const PairRow& edge) { out.edges.insert(std::minmax(texts[edge.a], texts[edge.b])); });
  const sketches::SketchSet set({directory / "out/stages/sketch.ltt"});
  const auto pairs = open_stage_file(directory / "out/stages/pairs.ltt", "pairs");
  const TemplateFeatures whole(set, Rule{}, pairs, sketches::texts_of_inputs(set), 2, [] {});
  const TemplateFeatures part(set, Rule{}, pairs, sketches::texts_of_inputs(set), 2, [] {}, 6'000);
  EXPECT_LT(part.records() * 2, whole.records());
  out.sampled = part.records();
  fingerprint::FeatureExtractor extractor(set.profile());
  std::vector<std::uint32_t> keys;
  for (const std::string& text : in_order) {
    extractor.set_text(text), extractor.keys(keys);
    for (const std::uint32_t key : keys) out.weights.push_back(whole.weight(key)), out.weights.push_back(part.weight(key));
  }
  return out;
}

TEST(TemplateFeatures, DoNotDependOnTheOrderOfTheInput) {
  const std::vector<std::string> texts = collection(60);
  const Learnt first = learnt_of(texts, texts);
  EXPECT_GT(first.sampled, 10U);
  EXPECT_GT(std::count_if(first.weights.begin(), first.weights.end(), [](double weight) { return weight < 1; }), 1'000);
  std::vector<std::string> shuffled = texts;
  for (unsigned seed = 1; seed <= 2; ++seed) {
    std::mt19937_64 random(seed);
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    const Learnt now = learnt_of(shuffled, texts);
    EXPECT_EQ(now.edges, first.edges);
    EXPECT_EQ(now.sampled, first.sampled);
    EXPECT_TRUE(now.weights == first.weights);
  }
}

TEST(TemplateFeatures, SimilarityIsThatOfTheWeights) {
  const TemporaryDirectory directory;
  const std::vector<std::string> texts = collection(60);
  write(directory / "in.jsonl", texts);
  dedup(options_for(directory, "out"));
  const sketches::SketchSet set({directory / "out/stages/sketch.ltt"});
  const TemplateFeatures templates(set, Rule{}, open_stage_file(directory / "out/stages/pairs.ltt", "pairs"),
                                   sketches::texts_of_inputs(set), 1, [] {});
  fingerprint::FeatureExtractor extractor(set.profile());
  std::vector<std::uint32_t> a, b;
  similarity::FeatureTable table;
  int light_pairs = 0;
  for (std::size_t i = 0; i + 6 < texts.size(); ++i) {
    extractor.set_text(texts[i]), extractor.keys(a);
    extractor.set_text(texts[i + 1 + i % 6]), extractor.keys(b);
    double common = 0, all = 0;
    std::set<std::uint32_t> of_b(b.begin(), b.end()), both(a.begin(), a.end());
    for (const std::uint32_t key : both) common += of_b.contains(key) ? templates.weight(key) : 0;
    both.insert(b.begin(), b.end());
    for (const std::uint32_t key : both) all += templates.weight(key);
    table.set(b);
    const TemplateFeatures::Both pair{a, table, templates.weigh(a), templates.weigh(b), table.count(a)};
    EXPECT_NEAR(templates.similarity(pair), common / all, 1e-9);
    for (const double least : {0.05, 0.2, 0.4, 0.6, 0.8, 0.95, templates.similarity(pair)})
      EXPECT_EQ(templates.is_below(pair, least), templates.similarity(pair) < least) << i << " " << least;
    std::uint64_t heavy = 0;
    for (const std::uint32_t key : a) heavy += of_b.contains(key) && templates.weigh({&key, 1}).heavy > 0 ? 1 : 0;
    EXPECT_EQ(templates.is_template(pair),
              pair.common > 0 && static_cast<double>(heavy) >= Rule{}.template_share * static_cast<double>(pair.common));
  }
  // Texts of little but the template: what they have in common weighs far less than its number.
  for (std::size_t i = 0; i + 8 < texts.size(); i += 3) {
    extractor.set_text(texts[i].substr(0, texts[i].size() / 3)), extractor.keys(a);
    extractor.set_text(texts[i + 3].substr(0, texts[i + 3].size() / 3)), extractor.keys(b);
    table.set(b);
    const TemplateFeatures::Both pair{a, table, templates.weigh(a), templates.weigh(b), table.count(a)};
    if (static_cast<double>(pair.common) > pair.of_a.sum + pair.of_b.sum) ++light_pairs;
    for (const double least : {0.05, 0.2, 0.4, 0.6, 0.8, 0.95, templates.similarity(pair)})
      EXPECT_EQ(templates.is_below(pair, least), templates.similarity(pair) < least) << i << " " << least;
  }
  EXPECT_GT(light_pairs, 0);
  table.set({});
  EXPECT_EQ(templates.similarity({{}, table, {}, {}, 0}), 0);
}

// Pages of one template share at least 60 % of their words and word pairs, in the same order. All pages stay; their copies are removed.
TEST(TemplateFeatures, KeepPagesOfOneTemplateApart) {
  const TemporaryDirectory directory;
  const std::vector<std::string> texts = collection(300);
  const std::set<std::string> different(texts.begin(), texts.end());
  write(directory / "in.jsonl", texts);
  const Counts counts = dedup(options_for(directory, "out"));
  EXPECT_EQ(counts.removed, texts.size() - 3 * 300) << "the copies";
  auto options = options_for(directory, "without");
  options.rule.template_similarity = 0;
  EXPECT_GT(dedup(options).removed, 500U) << "what the order of the words alone takes for copies";
}

// Short articles under a long menu: their sketches look like those of copies, so the count without copies does not see the menu. Eighty
// reprints of one text, each with different edits, look the same except for the positions of the edits.
TEST(TemplateFeatures, KeepShortArticlesUnderALongMenuApart) {
  const TemporaryDirectory directory;
  std::mt19937_64 random(13);
  const std::string menu = words(random, 300), text = words(random, 330);
  std::vector<std::string> texts;
  for (int i = 0; i < 80; ++i) {
    texts.push_back(menu + words(random, 30));
    std::string reprint;
    std::istringstream all(text);
    for (std::string word; all >> word;) reprint += (random() % 40 == 0 ? words(random, 1) : word + " ");
    texts.push_back(reprint);
  }
  write(directory / "in.jsonl", texts);
  EXPECT_EQ(dedup(options_for(directory, "out")).removed, 79U) << "the reprints";
  auto options = options_for(directory, "without");
  options.rule.template_passage = 0;
  EXPECT_GT(dedup(options).removed, 140U) << "and the pages";
}

// A few records that have only ordinary words in common give no template.
TEST(TemplateFeatures, OfAFewRecordsThereIsNone) {
  const TemporaryDirectory directory;
  std::mt19937_64 random(11);
  const std::string frame = words(random, 60);
  std::vector<std::string> texts;
  for (int i = 0; i < 15; ++i) texts.push_back(page(random, frame, 15));
  write(directory / "in.jsonl", texts);
  const Counts counts = dedup(options_for(directory, "out"));
  auto options = options_for(directory, "without");
  options.rule.template_similarity = 0;
  EXPECT_EQ(counts.removed, dedup(options).removed);
  EXPECT_GT(counts.removed, 5U);
}

}  // namespace
}  // namespace leitong::stages
