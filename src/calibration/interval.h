// Yes and no among labels to an interval of the share of yes.
#pragma once

namespace leitong::calibration {

struct Interval {
  double low = 0, high = 1;
};

// Clopper and Pearson's interval of 95 % for `yes` of `labels`: at least that often it holds the truth, whatever the truth is. Both numbers
// may be fractions: labels of unequal weight count as an effective number (estimate.h). No labels: [0, 1].
[[nodiscard]] Interval exact_interval(double yes, double labels);

// The share of a beta distribution below x, 0 < a, b: the regularised incomplete beta function. By its continued fraction (DLMF 8.17.22),
// to about 1e-12.
[[nodiscard]] double beta_share(double x, double a, double b);

}  // namespace leitong::calibration
