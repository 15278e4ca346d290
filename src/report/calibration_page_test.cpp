#include "report/calibration_page.h"

#include <gtest/gtest.h>

#include "report/curve_plot.h"

namespace leitong::report {
namespace {

Calibration example() {
  Calibration c;
  c.title = "news <script>.jsonl", c.sample = "0123", c.version = "1.0", c.profile = "leitong-1", c.profile_id = "abcd";
  c.records = 1234, c.population = 900, c.equal = 17, c.pairs = 40, c.labelled = 40, c.unsure = 1;
  c.least_similarity = 0.4, c.target = 0.95, c.predicts_recall = true, c.has_further_rules = true;
  const LabelledPart part{300, 18, 1, 1, {true, 0.9, 0.7, 0.97}, {true, 0.95, 0.76, 0.99}};
  const LabelledPart unlabelled{5, 0, 0, 0, {}, {}};
  c.bands = {{0.8, 0.9, part, part, {}}, {0.5, 0.6, part, part, unlabelled}, {1, 1, part, part, {}}};
  c.distances = {{0, 3, part}, {13, std::nullopt, part}, {std::nullopt, std::nullopt, unlabelled}};
  c.thresholds = {
      {0.5, part, {true, 1, 0.9, 1}, {true, 0.8, 0.7, 0.9}}, {0.6, part, {true, 0.96, 0.8, 0.99}, {}}, {0.8, unlabelled, {}, {}}};
  c.current = c.thresholds[1];
  c.current.threshold = 0;
  c.recommended = 0.6;
  c.findings = {"the threshold to take is 0.60", "2 < 3"};
  return c;
}

TEST(CalibrationPage, SaysWhatIsKnown) {
  const std::string page = render_calibration(example());
  EXPECT_NE(page.find("Take threshold <strong>0.60</strong>"), std::string::npos);
  EXPECT_NE(page.find("<li>The threshold to take is 0.60.</li>"), std::string::npos);
  EXPECT_NE(page.find("2 &lt; 3."), std::string::npos);
  EXPECT_NE(page.find("<tr class=\"best\"><th scope=\"row\">0.60"), std::string::npos);
  EXPECT_NE(page.find("13 and more"), std::string::npos);
  EXPECT_NE(page.find("no distance"), std::string::npos);
  EXPECT_NE(page.find("70.0 – 97.0 %"), std::string::npos);
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find("nan"), std::string::npos);
  EXPECT_EQ(page.find("inf"), std::string::npos);
  EXPECT_EQ(page, render_calibration(example()));
}

TEST(CalibrationPage, WithoutLabelsOrPairs) {
  Calibration c;
  c.least_similarity = 0.4, c.target = 0.95;
  c.findings = {"there are no labels yet"};
  const std::string page = render_calibration(c);
  EXPECT_NE(page.find("No labels yet."), std::string::npos);
  EXPECT_EQ(page.find("<svg"), std::string::npos);
  c.labelled = 3;
  EXPECT_NE(render_calibration(c).find("No threshold can be recommended"), std::string::npos);
}

TEST(CurvePlot, PutsSharesWhereTheyBelong) {
  CurvePlot plot;
  plot.summary = "a \"picture\"";
  plot.curves = {{"p", "one", false, {{0.5, 1, 0.5, 1, "a<b"}}}, {"r", "two", true, {{0, 0, 0, 0.5, ""}, {1, 1, 0.5, 1, ""}}}};
  plot.target = 0.5, plot.mark = 1;
  const std::string svg = curve_plot_svg(plot);
  EXPECT_NE(svg.find("<circle cx=\"199.0\" cy=\"30.0\" r=\"4.5\"/><title>a&lt;b</title>"), std::string::npos) << svg;
  EXPECT_NE(svg.find("<line class=\"bar\" x1=\"199.0\" x2=\"199.0\" y1=\"113.0\" y2=\"30.0\"/>"), std::string::npos);
  EXPECT_NE(svg.find("<polyline points=\"58.0,196.0 340.0,30.0 \"/>"), std::string::npos);
  EXPECT_NE(svg.find("<polygon points=\"58.0,113.0 340.0,30.0 340.0,113.0 58.0,196.0 \"/>"), std::string::npos);
  EXPECT_NE(svg.find("aria-label=\"a &quot;picture&quot;\""), std::string::npos);
}

}  // namespace
}  // namespace leitong::report
