#include "calibration/interval.h"

#include <gtest/gtest.h>

#include <cmath>

namespace leitong::calibration {
namespace {

TEST(BetaShare, IsTheBinomialTailForWholeNumbers) {
  // P(at least k of n) at p is the share of Beta(k, n - k + 1) below p.
  for (const double p : {0.01, 0.3, 0.5, 0.9}) {
    const int n = 12;
    for (int k = 1; k <= n; ++k) {
      double tail = 0;
      for (int i = k; i <= n; ++i)
        tail += std::exp(std::lgamma(n + 1) - std::lgamma(i + 1) - std::lgamma(n - i + 1)) * std::pow(p, i) * std::pow(1 - p, n - i);
      EXPECT_NEAR(beta_share(p, k, n - k + 1), tail, 1e-12) << p << " " << k;
    }
  }
  EXPECT_EQ(beta_share(0, 2, 3), 0);
  EXPECT_EQ(beta_share(1, 2, 3), 1);
  EXPECT_NEAR(beta_share(0.5, 1e5, 1e5), 0.5, 1e-9);
}

// The usual tables.
TEST(ExactInterval, OfKnownCases) {
  const auto near = [](double yes, double labels, double low, double high) {
    const Interval interval = exact_interval(yes, labels);
    EXPECT_NEAR(interval.low, low, 5e-5) << yes << " of " << labels;
    EXPECT_NEAR(interval.high, high, 5e-5) << yes << " of " << labels;
  };
  near(0, 10, 0, 0.3085);
  near(10, 10, 0.6915, 1);
  near(5, 10, 0.1871, 0.8129);
  near(1, 20, 0.0013, 0.2487);
  near(73, 73, 0.9507, 1);
  near(0, 0, 0, 1);
  EXPECT_GT(exact_interval(9.5, 10).low, exact_interval(9, 10).low);  // fractions lie between
  EXPECT_LT(exact_interval(9.5, 10).low, exact_interval(10, 10).low);
}

}  // namespace
}  // namespace leitong::calibration
