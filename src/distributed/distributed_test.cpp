// The functions, composed by plain sorts and maps, against the stages of the job on the same records: pairs, edges and groups.
#include "leitong/distributed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "leitong/error.h"
#include "leitong/stages.h"
#include "stages/pair_reader.h"
#include "stages/stages.h"

namespace leitong::distributed {
namespace {

namespace fs = std::filesystem;
using stages::PairKind;
using Pair = std::pair<std::uint64_t, std::uint64_t>;

struct Nominated {
  PairKind kind = PairKind::bands;
  float value = 0;
  friend bool operator==(const Nominated&, const Nominated&) = default;
  friend void PrintTo(const Nominated& n, std::ostream* out) { *out << static_cast<int>(n.kind) << " at " << n.value; }
};
using Pairs = std::map<Pair, Nominated>;

// Texts long and short: edited copies, pages of a template of which only a part is their own, equal texts, blank ones, and a flood.
std::vector<std::string> made_texts(std::uint64_t seed, std::size_t count, std::size_t flood) {
  std::mt19937_64 random(seed);
  const auto words = [&](std::size_t n, std::uint64_t range) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < n; ++i) out.push_back("w" + std::to_string(random() % range));
    return out;
  };
  const std::vector<std::string> menu = words(120, 1'000'000'000), notice = words(30, 1'000'000'000);
  std::vector<std::vector<std::string>> texts;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::string> text = words(random() % 160, 5000);
    if (i > 0 && i % 3 == 0) {
      text = texts[random() % i];
      for (std::size_t edits = random() % (1 + text.size() / 5); edits > 0 && !text.empty(); --edits)
        text[random() % text.size()] = words(1, 5000)[0];
    } else if (i % 3 == 1) {
      const auto own = words(20 + random() % 60, 1'000'000);
      text = menu;
      text.insert(text.begin() + 60, own.begin(), own.end());
    }
    texts.push_back(text);
  }
  for (std::size_t i = 0; i < flood; ++i) {
    std::vector<std::string> text = i % 2 == 0 ? notice : menu;
    text[random() % text.size()] = words(1, 1'000'000)[0];
    text[random() % text.size()] = words(1, 1'000'000)[0];
    texts.push_back(text);
  }
  std::vector<std::string> out;
  for (const auto& text : texts) {
    out.emplace_back();
    for (const std::string& word : text) out.back() += (out.back().empty() ? "" : " ") + word;
  }
  return out;
}

class Distributed : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(directory_); }
  void TearDown() override { fs::remove_all(directory_); }
  [[nodiscard]] std::string operator/(const std::string& name) const { return (directory_ / name).string(); }

  // What the stages make of the texts.
  void run_stages(const std::vector<std::string>& texts, const std::string& keep) {
    std::ofstream file(*this / "in.jsonl");
    for (std::size_t i = 0; i < texts.size(); ++i) file << R"({"id":)" << i << R"(,"text":")" << texts[i] << "\"}\n";
    file.close();
    SketchOptions sketch;
    sketch.input.paths = {*this / "in.jsonl"};
    sketch.output = *this / "s";
    stage::sketch(sketch);
    JoinOptions join;
    join.sketches = {*this / "s"};
    join.output = *this / "p";
    counts_ = stage::join(join);
    VerifyOptions verify;
    verify.pairs = *this / "p", verify.output = *this / "e";
    stage::verify(verify);
    ClusterOptions cluster;
    cluster.edges = *this / "e", cluster.output = *this / "c", cluster.keep = keep;
    stage::cluster(cluster);
  }
  [[nodiscard]] Pairs read_pairs(const std::string& name, const std::string& kind) const {
    Pairs out;
    const storage::TableReader table = stages::open_stage_file(*this / name, kind);
    stages::PairRow row;
    for (stages::PairRows rows(table); rows.next(row);) out[{row.a, row.b}] = {row.kind, row.value};
    return out;
  }
  [[nodiscard]] std::map<std::uint64_t, std::uint64_t> read_kept() const {
    const storage::TableReader table = stages::open_stage_file(*this / "c", "clusters");
    const auto rows = table.read_all<std::uint32_t>("row"), kept = table.read_all<std::uint32_t>("kept");
    std::map<std::uint64_t, std::uint64_t> out;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (rows[i] != kept[i]) out[rows[i]] = kept[i];
    return out;
  }

  Counts counts_;

 private:
  fs::path directory_ = fs::temp_directory_path() / ("leitong-distributed-" + std::to_string(::getpid()));
};

// A sketch that owns what it holds.
struct Row {
  std::array<std::uint64_t, 2> content{};
  std::uint32_t tokens = 0, features = 0;
  std::vector<std::uint8_t> slots;
  std::vector<std::uint64_t> bits;
  std::vector<std::uint32_t> short_features;
};

// The same job by the functions of the header.
class Composed {
 public:
  Composed(const std::vector<std::string>& texts, const std::string& keep) : texts_(texts), keep_(keep) {
    sketch();
    group_equal();
    by_bands();
    by_features();
    consider();
    learn_templates();
    verify();
    form_stars();
  }
  Pairs pairs, edges;
  std::map<std::uint64_t, std::uint64_t> kept;
  std::set<std::uint64_t> bounded;

 private:
  void sketch() {
    Sketcher sketcher(profile_);
    for (const std::string& text : texts_) {
      const Sketch& s = sketcher(text);
      rows_.push_back({s.content,
                       s.tokens,
                       s.features,
                       {s.slots.begin(), s.slots.end()},
                       {s.bits.begin(), s.bits.end()},
                       {s.short_features.begin(), s.short_features.end()}});
    }
  }
  void group_equal() {
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> first;
    for (std::uint64_t i = 0; i < rows_.size(); ++i) {
      if ((rows_[i].content[0] | rows_[i].content[1]) == 0) continue;
      const auto [at, is_new] = first.try_emplace({rows_[i].content[0], rows_[i].content[1] >> 32}, i);
      if (is_new) continue;
      copies_[i] = at->second;
      pairs[{at->second, i}] = {PairKind::equal, 1};
    }
  }
  void by_bands() {
    std::vector<std::uint64_t> active;
    for (std::uint64_t i = 0; i < rows_.size(); ++i)
      if (!rows_[i].slots.empty() && !copies_.contains(i)) active.push_back(i);
    const BandPlan plan = band_plan(active.size());
    std::vector<std::pair<std::uint64_t, std::uint64_t>> keyed;
    for (const std::uint64_t i : active)
      for (unsigned band = 0; band < plan.bands; ++band)
        keyed.emplace_back(std::uint64_t{band} << 32 | band_key(rows_[i].slots, plan, band), i);
    std::ranges::sort(keyed);
    KeyGroups groups([&](std::uint64_t a, std::uint64_t b) { candidates_[{a, b}].by_bands = true; },
                     [&](std::uint64_t row) { bounded.insert(row); });
    for (const auto& [key, row] : keyed) groups.add(key, row);
    groups.finish();
  }
  void by_features() {
    std::uint64_t all = 0;
    for (std::uint64_t i = 0; i < rows_.size(); ++i) all += copies_.contains(i) ? 0 : rows_[i].short_features.size();
    std::vector<std::uint32_t> counters(short_counters(all));
    const double threshold = short_threshold(profile_, rule_, std::nullopt);
    std::vector<std::tuple<std::uint32_t, std::size_t, std::uint64_t, bool>> postings;
    for (const bool count : {true, false})
      for (std::uint64_t i = 0; i < rows_.size(); ++i) {
        if (copies_.contains(i)) continue;
        const auto& set = rows_[i].short_features;
        if (count)
          count_short(set, counters);
        else
          visit_short_prefix(set, counters, threshold,
                             [&](std::uint32_t feature, bool in_short) { postings.emplace_back(feature, set.size(), i, in_short); });
      }
    std::ranges::sort(postings);
    ShortGroups groups(
        threshold, [&](std::uint64_t a, std::uint64_t b, float similarity) { candidates_[{a, b}].similarity = similarity; },
        [&](std::uint64_t row) { bounded.insert(row); });
    for (const auto& [feature, size, i, in_short] : postings)
      groups.add(feature, {i, rows_[i].tokens < profile_.short_tokens, in_short, rows_[i].short_features});
    groups.finish();
  }
  void consider() {
    const Judge judge(profile_, rule_, std::nullopt, {});
    for (auto& [pair, candidate] : candidates_) {
      const Row &a = rows_[pair.first], &b = rows_[pair.second];
      for (std::size_t w = 0; candidate.by_bands && w < a.bits.size(); ++w)
        candidate.distance += static_cast<std::uint32_t>(std::popcount(a.bits[w] ^ b.bits[w]));
      candidate.tokens_a = a.tokens, candidate.tokens_b = b.tokens, candidate.features_a = a.features, candidate.features_b = b.features;
      const Considered said = judge.consider(candidate);
      if (said.outlook == Outlook::none) continue;
      pairs[pair] = {said.exact ? PairKind::exact : PairKind::bands, said.value};
      if (said.outlook == Outlook::edge) edges[pair] = pairs[pair];
      if (said.outlook == Outlook::needs_texts) open_.push_back(pair);
      const std::uint64_t rank_a = a.content[0] >> 32, rank_b = b.content[0] >> 32;
      if (said.copies && rank_a < rank_b) left_out_.insert(pair.second);
      if (said.copies && rank_b < rank_a) left_out_.insert(pair.first);
    }
  }
  void learn_templates() {
    std::set<std::uint64_t> paired;
    for (const auto& [pair, nominated] : pairs) paired.insert({pair.first, pair.second});
    std::map<std::uint32_t, TemplateCount> counts;
    TemplateKeys keys(profile_);
    for (const std::uint64_t row : paired)
      for (const std::uint32_t key : keys(texts_[row])) {
        TemplateCount& count = counts.try_emplace(key, TemplateCount{key}).first->second;
        count.without_copies += left_out_.contains(row) || copies_.contains(row) ? 0 : 1;
        count.with_copies += copies_.contains(row) ? 0 : 1;
      }
    for (const auto& [key, count] : counts)
      if (std::max(count.with_copies, count.without_copies) > rule_.template_records) templates_.push_back(count);
  }
  void verify() {
    Judge judge(profile_, rule_, std::nullopt, templates_);
    std::ranges::sort(open_, {}, [](const Pair& pair) { return std::pair(pair.second, pair.first); });
    for (std::size_t i = 0; i < open_.size(); ++i) {
      if (i == 0 || open_[i].second != open_[i - 1].second) judge.set(texts_[open_[i].second]);
      const float value = judge.ask(texts_[open_[i].first]);
      if (value >= 0) edges[open_[i]] = {pairs[open_[i]].kind, value};
    }
  }
  void form_stars() {
    const KeepOrder order(keep_);
    std::map<std::uint64_t, std::uint32_t> degrees;
    std::set<std::uint64_t> members;
    for (const auto& [pair, edge] : edges) ++degrees[pair.first], ++degrees[pair.second], members.insert({pair.first, pair.second});
    for (const auto& [row, first] : copies_) members.insert({row, first});
    const auto class_of = [&](std::uint64_t row) { return copies_.contains(row) ? copies_[row] : row; };
    std::map<std::uint64_t, std::pair<std::string, std::uint64_t>> best;  // of a class
    for (const std::uint64_t row : members) {
      std::string key;
      order.key({row, texts_[row].size(), degrees[class_of(row)], "in.jsonl", {}}, key);
      const auto [at, is_new] = best.try_emplace(class_of(row), key, row);
      if (!is_new) at->second = std::min(at->second, {key, row});
    }
    std::vector<std::tuple<std::string, std::string, std::uint64_t, std::uint64_t>> ranked;
    for (const auto& [pair, edge] : edges) {
      const auto [better, worse] = std::minmax(best[pair.first], best[pair.second]);
      ranked.emplace_back(better.first, worse.first, class_of(better.second), class_of(worse.second));
    }
    std::ranges::sort(ranked);
    Stars stars;
    std::map<std::uint64_t, std::uint64_t> taken;
    for (const auto& [better_key, worse_key, better, worse] : ranked)
      if (stars.takes(1, better, worse)) taken[worse] = better;
    for (const std::uint64_t row : members) {
      const std::uint64_t centre = taken.contains(class_of(row)) ? taken[class_of(row)] : class_of(row);
      if (best[centre].second != row) kept[row] = best[centre].second;
    }
  }

  Profile profile_;
  Rule rule_;
  const std::vector<std::string>& texts_;
  std::string keep_;
  std::vector<Row> rows_;
  std::map<std::uint64_t, std::uint64_t> copies_;  // to the first of them
  std::map<Pair, Candidate> candidates_;
  std::vector<Pair> open_;
  std::set<std::uint64_t> left_out_;
  std::vector<TemplateCount> templates_;
};

TEST_F(Distributed, GivesWhatTheStagesGive) {
  const std::vector<std::string> texts = made_texts(1, 500, 0);
  for (const std::string keep : {"central,length:max,first", "length:min,last"}) {
    run_stages(texts, keep);
    const Composed composed(texts, keep);
    Pairs edges = read_pairs("e", "edges");
    std::erase_if(edges, [](const auto& edge) { return edge.second.kind == PairKind::equal; });
    EXPECT_EQ(composed.pairs, read_pairs("p", "pairs"));
    EXPECT_EQ(composed.edges, edges);
    EXPECT_EQ(composed.kept, read_kept());
    EXPECT_GT(edges.size(), 50);
    EXPECT_LT(edges.size(), composed.pairs.size() / 2);  // templates refuse many
  }
}

TEST_F(Distributed, BoundsFloodsAlike) {
  const std::vector<std::string> texts = made_texts(2, 60, 1240);
  run_stages(texts, "central,length:max,first");
  const Composed composed(texts, "central,length:max,first");
  EXPECT_EQ(composed.pairs, read_pairs("p", "pairs"));
  EXPECT_EQ(composed.bounded.size(), counts_.bounded);
  EXPECT_GT(counts_.bounded, 600);
  EXPECT_EQ(composed.kept, read_kept());
}

TEST(DistributedKeys, LongBandsAreMixedFromTheirColumns) {
  Sketcher sketcher{Profile()};
  std::string text;
  for (int i = 0; i < 100; ++i) text += " word" + std::to_string(i * i);
  const Sketch& sketch = sketcher(text);
  ASSERT_EQ(sketch.slots.size(), 320U);
  std::set<std::uint32_t> keys;
  for (const unsigned slots : {3U, 4U, 5U, 6U}) keys.insert(band_key(sketch.slots, {10, slots, 0}, 9));
  EXPECT_EQ(keys.size(), 4U);
  EXPECT_EQ(band_key(sketch.slots, {80, 4, 0}, 79),
            std::uint32_t{sketch.slots[316]} | sketch.slots[317] << 8 | sketch.slots[318] << 16 | std::uint32_t{sketch.slots[319]} << 24);
  EXPECT_THROW((void)band_key(sketch.slots, {80, 4, 0}, 80), Error);
  EXPECT_THROW((void)band_key(sketch.slots.first(4), {80, 4, 0}, 0), Error);
}

TEST(DistributedKeys, OrderAsNumbersDo) {
  const KeepOrder order("length:max,last");
  std::vector<std::pair<std::string, int>> keys;
  for (const auto& [bytes, number] : {std::pair{300U, 1}, {5U, 2}, {300U, 3}, {70'000U, 4}}) {
    std::string key;
    order.key({static_cast<std::uint64_t>(number), bytes, 0, "", {}}, key);
    EXPECT_EQ(key.size(), 16U);
    keys.emplace_back(key, number);
  }
  std::ranges::sort(keys);
  std::vector<int> found;
  for (const auto& [key, number] : keys) found.push_back(number);
  EXPECT_EQ(found, (std::vector<int>{4, 3, 1, 2}));
}

TEST(DistributedStars, ForgetTheLastComponent) {
  Stars stars;
  EXPECT_TRUE(stars.takes(1, 10, 11));
  EXPECT_FALSE(stars.takes(1, 11, 12));
  EXPECT_FALSE(stars.takes(1, 10, 11));
  EXPECT_TRUE(stars.takes(2, 11, 12));
}

}  // namespace
}  // namespace leitong::distributed
