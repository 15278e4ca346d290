#include "segment/viterbi.h"

#include <gtest/gtest.h>

#include <random>

#include "segment/small_jieba.h"

namespace leitong::segment {
namespace {

bool follows(unsigned from, unsigned to) {
  const bool inside = from == state_b || from == state_m;
  return inside ? to == state_m || to == state_e : to == state_b || to == state_s;
}

// Of all sequences the best one, of equally good ones that which jieba's comparison prefers: the larger last state, then the one before it…
std::vector<std::uint8_t> try_all(const JiebaData& data, const std::vector<Label>& labels) {
  const double* hmm = data.hmm();
  std::vector<std::uint8_t> best, path(labels.size());
  double best_score = 0;
  for (std::size_t code = 0; code < std::size_t{1} << 2 * labels.size(); ++code) {
    bool allowed = true;
    double score = 0;
    for (std::size_t t = 0; t < labels.size(); ++t) {
      path[t] = static_cast<std::uint8_t>(code >> 2 * t & 3);
      if (t == 0) {
        score = hmm[path[0]] + data.emissions(labels[0])[path[0]];
      } else {
        allowed = allowed && follows(path[t - 1], path[t]);
        score = (score + hmm[state_count * (1U + path[t - 1]) + path[t]]) + data.emissions(labels[t])[path[t]];
      }
    }
    if (!allowed || (path.back() != state_e && path.back() != state_s)) continue;
    // Codes grow with the last states, so a later equal one is the preferred one.
    if (best.empty() || score >= best_score) best = path, best_score = score;
  }
  return best;
}

TEST(Viterbi, FindsTheBestOfAllSequences) {
  const auto data = small_jieba();
  std::vector<Label> known;
  for (const char32_t c : U"王小明") {
    if (c != 0) known.push_back(data->label(c));
  }
  std::mt19937 random(3);
  std::vector<std::uint8_t> back, states;
  for (int i = 0; i < 300; ++i) {
    std::vector<Label> labels(1 + random() % 7);
    for (auto& label : labels) label = known[random() % known.size()];
    viterbi(*data, labels, back, states);
    states.resize(labels.size());
    EXPECT_EQ(states, try_all(*data, labels)) << i;
  }
}

TEST(Viterbi, TakesUnknownCharactersForSingles) {
  const auto data = small_jieba();
  std::vector<std::uint8_t> back, states;
  const std::vector<Label> labels(3, Label{0});
  viterbi(*data, labels, back, states);
  states.resize(3);
  // Every score is -3.14e100 times the length; the ties go to S, and back from S to S.
  EXPECT_EQ(states, (std::vector<std::uint8_t>{state_s, state_s, state_s}));
}

}  // namespace
}  // namespace leitong::segment
