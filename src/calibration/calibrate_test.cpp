#include "leitong/calibrate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "calibration/calibration_files.h"
#include "calibration/sample.h"
#include "leitong/dedup.h"
#include "leitong/error.h"
#include "outputs/output_file.h"

namespace leitong {
namespace {

namespace fs = std::filesystem;

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}

// Families of copies with 0 to `edits` changed words: pairs of all similarities.
class CalibrateTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    root_ = fs::temp_directory_path() / (std::string("leitong-calibrate-") + test->name());
    fs::remove_all(root_);
    fs::create_directories(root_);
    std::ofstream out(root_ / "records.jsonl");
    for (int family = 0; family < 12; ++family)
      for (int copy = 0; copy < 8; ++copy) {
        out << R"({"id":"f)" << family << "-" << copy << R"(","text":")";
        for (int word = 0; word < words_of(family); ++word)
          if (copy > 0 && word % 9 < copy - 1 && word % 2 == 0)
            out << "edit" << family << copy << word << " ";
          else
            out << "word" << family * 131 + word * 7 << " ";
        out << "\"}\n";
      }
  }
  void TearDown() override { fs::remove_all(root_); }

  static int words_of(int family) { return family % 3 == 0 ? 30 : 120; }  // short texts take another route

  [[nodiscard]] DrawOptions options(const std::string& name) const {
    DrawOptions options;
    options.input.paths = {(root_ / "records.jsonl").string()};
    options.profile = load_profile(profile_names().front());
    options.output_dir = (root_ / name).string();
    options.job.threads = 2;
    return options;
  }

  void write_labels(const std::string& directory, const std::function<const char*(const calibration::DrawnPair&)>& label) const {
    const calibration::Sample sample = calibration::read_sample(directory);
    std::ofstream out(root_ / "labels.jsonl");
    for (std::size_t i = 0; i < sample.pairs.size(); ++i)
      if (const char* word = label(sample.pairs[i]); word != nullptr) out << "{\"pair\":" << i + 1 << ",\"label\":\"" << word << "\"}\n";
  }
  [[nodiscard]] Calibration calibrated(const std::string& directory, double precision = 0.8) const {
    return calibrate({directory, (root_ / "labels.jsonl").string(), precision});
  }

  fs::path root_;
};

TEST_F(CalibrateTest, SameBytesWhateverTheThreads) {
  DrawOptions one = options("one"), two = options("two");
  one.job.threads = 1, two.job.threads = 3;
  one.per_band = two.per_band = 7;
  const Drawn drawn = draw_pairs(one);
  EXPECT_GT(drawn.drawn, 20U);
  EXPECT_EQ(drawn.drawn, draw_pairs(two).drawn);
  for (const char* name : {"sample.json", "pairs.jsonl", "label.html"})
    EXPECT_EQ(content(one.output_dir + "/" + name), content(two.output_dir + "/" + name)) << name;
  DrawOptions other = options("other");
  other.per_band = 7, other.seed = 2;
  draw_pairs(other);
  EXPECT_NE(content(one.output_dir + "/pairs.jsonl"), content(other.output_dir + "/pairs.jsonl"));
}

TEST_F(CalibrateTest, CountsEveryPairAndDrawsFromEveryCell) {
  DrawOptions all = options("all"), few = options("few");
  all.per_band = 100'000;
  few.per_band = 10;
  const Drawn everything = draw_pairs(all), some = draw_pairs(few);
  EXPECT_EQ(everything.drawn, everything.population);
  EXPECT_EQ(everything.population, some.population);
  EXPECT_LT(some.drawn, everything.drawn);
  EXPECT_GT(everything.equal, 0U) << "copies 0 and 1 are equal";
  const calibration::Sample whole = calibration::read_sample(all.output_dir), part = calibration::read_sample(few.output_dir);
  ASSERT_EQ(whole.cells.size(), part.cells.size());
  std::vector<std::uint64_t> counted(whole.cells.size(), 0);
  for (const auto& pair : whole.pairs) {
    ++counted[pair.cell];
    EXPECT_EQ(calibration::step_of(pair.similarity), whole.cells[pair.cell].step);
    EXPECT_GE(pair.similarity, 0.4 - 1e-6);
  }
  std::map<unsigned, std::uint64_t> by_band;
  for (std::size_t c = 0; c < counted.size(); ++c) EXPECT_EQ(counted[c], whole.cells[c].population);
  for (const auto& pair : part.pairs) ++by_band[calibration::band_of(part.cells[pair.cell].step)];
  for (const auto& [band, count] : by_band) EXPECT_LE(count, 10U) << band;
}

// The cells' flags against `compare`, which knows nothing of the stages.
TEST_F(CalibrateTest, CellsSayWhatCompareSays) {
  const DrawOptions draw = options("out");
  draw_pairs(draw);
  const calibration::Sample sample = calibration::read_sample(draw.output_dir);
  const LabelSession session(draw.output_dir);
  Rule lenient = draw.rule;
  lenient.thresholds = {{0xffffffffU, 0.4}};
  ASSERT_EQ(session.size(), sample.pairs.size());
  for (std::size_t i = 0; i < session.size(); ++i) {
    const auto& [a, b] = session.pair(i);
    const calibration::Cell& cell = sample.cells[sample.pairs[i].cell];
    const Comparison comparison = compare(a.text, b.text, draw.profile, draw.rule);
    EXPECT_NEAR(comparison.jaccard, sample.pairs[i].similarity, 1e-6);
    EXPECT_EQ(comparison.near_duplicate, cell.current) << comparison.jaccard << " " << comparison.lcs;
    EXPECT_EQ(compare(a.text, b.text, draw.profile, lenient).near_duplicate, cell.taken) << comparison.jaccard << " " << comparison.lcs;
    ASSERT_TRUE(comparison.distance);
    EXPECT_EQ(static_cast<int>(*comparison.distance), sample.pairs[i].distance);
    EXPECT_EQ(calibration::distance_band(*comparison.distance, draw.profile.bits), cell.distance);
  }
}

TEST_F(CalibrateTest, RecommendsTheThresholdThatTheLabelsKnow) {
  DrawOptions draw = options("out");
  draw.per_band = 100'000;
  draw_pairs(draw);
  write_labels(draw.output_dir, [](const calibration::DrawnPair& pair) { return pair.similarity >= 0.6 - 1e-6 ? "yes" : "no"; });
  const Calibration c = calibrated(draw.output_dir, 0.9);
  ASSERT_TRUE(c.recommended);
  for (const CalibratedThreshold& t : c.thresholds)
    EXPECT_TRUE(t.threshold > *c.recommended || (t.taken.precision.low >= 0.9) == (t.threshold == *c.recommended)) << t.threshold;
  for (const CalibratedThreshold& t : c.thresholds) EXPECT_TRUE(t.threshold < 0.599 || t.taken.precision.value == 1) << t.threshold;
  const Rule rule = load_rule(draw.output_dir + "/rule.toml");
  ASSERT_EQ(rule.thresholds.size(), 1U);
  EXPECT_DOUBLE_EQ(rule.thresholds[0].similarity, *c.recommended);
  // dedup takes it, and what it takes is what was predicted.
  DedupOptions dedup_options;
  dedup_options.input = draw.input, dedup_options.rule = rule, dedup_options.output_dir = (root_ / "dedup").string();
  const auto at = std::find_if(c.thresholds.begin(), c.thresholds.end(), [&](const auto& t) { return t.threshold == *c.recommended; });
  EXPECT_EQ(dedup(dedup_options).edges, at->taken.population + c.equal);
  EXPECT_NE(content(draw.output_dir + "/calibration.html").find("<svg"), std::string::npos);
}

TEST_F(CalibrateTest, RecommendsNothingWithoutGround) {
  const DrawOptions draw = options("out");
  draw_pairs(draw);
  write_labels(draw.output_dir, [](const calibration::DrawnPair&) { return "yes"; });
  ASSERT_TRUE(calibrated(draw.output_dir).recommended);
  EXPECT_TRUE(fs::exists(draw.output_dir + "/rule.toml"));
  write_labels(draw.output_dir, [](const calibration::DrawnPair&) { return "no"; });
  const Calibration wrong = calibrated(draw.output_dir);
  EXPECT_FALSE(wrong.recommended);
  EXPECT_EQ(wrong.more_labels, 0U);
  EXPECT_FALSE(fs::exists(draw.output_dir + "/rule.toml")) << "an older rule must not stay";
  int given = 0;
  write_labels(draw.output_dir,
               [&](const calibration::DrawnPair& pair) { return pair.similarity > 0.8 && ++given <= 5 ? "yes" : nullptr; });
  const Calibration few = calibrated(draw.output_dir, 0.95);
  EXPECT_FALSE(few.recommended);
  EXPECT_GT(few.more_labels, 20U);
  write_labels(draw.output_dir, [](const calibration::DrawnPair&) { return nullptr; });
  EXPECT_EQ(calibrated(draw.output_dir).labelled, 0U);
}

// A part is labelled; all pairs say what is true.
TEST_F(CalibrateTest, IntervalsHoldWhatAllLabelsSay) {
  DrawOptions all = options("all"), few = options("few");
  all.per_band = 100'000, few.per_band = 14;
  const auto labelled = [&](const DrawOptions& draw) {
    draw_pairs(draw);
    LabelSession session(draw.output_dir);
    for (std::size_t i = 0; i < session.size(); ++i) {
      const Comparison c = compare(session.pair(i).a.text, session.pair(i).b.text, draw.profile);
      session.set_label(i, c.lcs + 0.001 * (c.edit_distance % 7) > 0.78 ? PairLabel::yes : PairLabel::no);
    }
    session.save();
    return calibrate({draw.output_dir, draw.output_dir + "/labels.json", 0.8});
  };
  const Calibration truth = labelled(all), estimate = labelled(few);
  EXPECT_LT(estimate.labelled, truth.labelled);
  EXPECT_EQ(estimate.population, truth.population);
  ASSERT_EQ(estimate.bands.size(), truth.bands.size());
  for (std::size_t i = 0; i < truth.bands.size(); ++i) {
    EXPECT_LE(estimate.bands[i].all.precision.low, truth.bands[i].all.precision.value) << truth.bands[i].from;
    EXPECT_GE(estimate.bands[i].all.precision.high, truth.bands[i].all.precision.value) << truth.bands[i].from;
  }
  ASSERT_EQ(estimate.thresholds.size(), truth.thresholds.size());
  for (std::size_t i = 0; i < truth.thresholds.size(); ++i) {
    const auto holds = [](const Share& share, const Share& known) { return share.low <= known.value && known.value <= share.high; };
    EXPECT_TRUE(holds(estimate.thresholds[i].taken.precision, truth.thresholds[i].taken.precision)) << truth.thresholds[i].threshold;
    EXPECT_TRUE(holds(estimate.thresholds[i].recall, truth.thresholds[i].recall)) << truth.thresholds[i].threshold;
  }
}

TEST_F(CalibrateTest, SessionsGoOn) {
  const DrawOptions draw = options("out");
  draw_pairs(draw);
  {
    LabelSession session(draw.output_dir);
    EXPECT_EQ(session.labelled(), 0U);
    session.set_label(0, PairLabel::yes);
    session.set_label(3, PairLabel::unsure);
    session.save();
  }
  LabelSession session(draw.output_dir);
  EXPECT_EQ(session.labelled(), 2U);
  EXPECT_EQ(session.label(0), PairLabel::yes);
  EXPECT_EQ(session.label(3), PairLabel::unsure);
  EXPECT_EQ(session.label(1), PairLabel::none);
  EXPECT_FALSE(session.difference(0).empty());
}

TEST_F(CalibrateTest, AGreaterSampleKeepsTheLabels) {
  DrawOptions draw = options("out");
  draw.per_band = 8;
  const std::uint64_t few = draw_pairs(draw).drawn;
  {
    LabelSession session(draw.output_dir);
    for (std::size_t i = 0; i < session.size(); ++i)
      session.set_label(i, session.pair(i).a.text < session.pair(i).b.text ? PairLabel::yes : PairLabel::unsure);
    session.save();
  }
  draw.per_band = 16;
  draw.overwrite = true;
  const Drawn more = draw_pairs(draw);
  EXPECT_GT(more.drawn, few);
  EXPECT_EQ(more.labelled, few);
  const LabelSession session(draw.output_dir);
  EXPECT_EQ(session.labelled(), few);
  for (std::size_t i = 0; i < session.size(); ++i) {
    const PairLabel expected = session.pair(i).a.text < session.pair(i).b.text ? PairLabel::yes : PairLabel::unsure;
    EXPECT_TRUE(session.label(i) == PairLabel::none || session.label(i) == expected);
  }
}

TEST_F(CalibrateTest, RefusesWhatIsNotItsOwn) {
  const DrawOptions draw = options("out");
  EXPECT_THROW((void)LabelSession(draw.output_dir), Error);
  draw_pairs(draw);
  EXPECT_THROW(draw_pairs(draw), Error) << "labels may stand there";
  const auto refused = [&](const std::string& labels, const std::string& part) {
    outputs::write_file((root_ / "labels.jsonl").string(), labels);
    try {
      (void)calibrated(draw.output_dir);
      ADD_FAILURE() << labels;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  refused("{\"pair\":1,\"label\":\"yes\"}\n{\"pair\":0,\"label\":\"yes\"}\n", "labels.jsonl:2: there is no pair 0");
  refused("{\"pair\":1,\"label\":\"maybe\"}\n", "\"maybe\" is not yes, no or unsure");
  refused("{\"pair\":1,\"label\":\"yes\"}\nyes\n", "labels.jsonl:2: not JSON");
  refused("{\"pair\":\"1\",\"label\":\"yes\"}\n", "labels.jsonl:1: expected");
  refused("{\"sample\":\"0\",\"labels\":[]}", "another sample");
  refused("[{\"pair\":1,\"label\":\"yes\"},{}]", "entry 2: expected");
  EXPECT_THROW((void)calibrate({draw.output_dir, (root_ / "none").string(), 0.9}), Error);
  EXPECT_THROW((void)calibrate({draw.output_dir, (root_ / "labels.jsonl").string(), 1}), Error);
  DrawOptions wrong = options("wrong");
  wrong.least_similarity = 0;
  EXPECT_THROW(draw_pairs(wrong), Error);
}

TEST_F(CalibrateTest, ReadsLabelsInEveryForm) {
  const std::string path = (root_ / "labels").string();
  const std::vector<PairLabel> expected = {PairLabel::no, PairLabel::none, PairLabel::unsure};
  for (const char* text :
       {"{\"sample\":\"s\",\"labels\":[{\"pair\":1,\"label\":\"no\"},{\"pair\":3,\"label\":\"unsure\"}]}",
        "[{\"pair\":1,\"label\":\"no\"},{\"pair\":3,\"label\":\"unsure\"}]",
        "{\"pair\":1,\"label\":\"yes\"}\n\n{\"pair\":3,\"label\":\"unsure\"}\r\n{\"pair\":1,\"label\":\"no\",\"who\":\"me\"}"}) {
    outputs::write_file(path, text);
    EXPECT_EQ(calibration::read_labels(path, "s", 3), expected) << text;
  }
  outputs::write_file(path, "{\"pair\":2,\"label\":\"yes\"}");  // one label: one line
  EXPECT_EQ(calibration::read_labels(path, "s", 3)[1], PairLabel::yes);
  outputs::write_file(path, "\xEF\xBB\xBF" + calibration::labels_json("s", expected));
  EXPECT_EQ(calibration::read_labels(path, "s", 3), expected);
}

}  // namespace
}  // namespace leitong
