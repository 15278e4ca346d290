#include "calibration/interval.h"

#include <algorithm>
#include <cmath>

namespace leitong::calibration {
namespace {

constexpr double tail = 0.025;

// The continued fraction of the incomplete beta function, by Lentz's method; converges for x < (a + 1) / (a + b + 2).
double beta_fraction(double x, double a, double b) {
  constexpr double tiny = 1e-300;
  constexpr int most_terms = 100'000;
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  d = 1 / (std::abs(d) < tiny ? tiny : d);
  double value = d;
  for (int m = 1; m < most_terms; ++m) {
    const double k = m;
    for (const double term :
         {k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k)), -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1))}) {
      d = 1 + term * d;
      d = 1 / (std::abs(d) < tiny ? tiny : d);
      c = 1 + term / c;
      if (std::abs(c) < tiny) c = tiny;
      value *= c * d;
    }
    if (std::abs(c * d - 1) < 1e-15) break;
  }
  return value;
}

double logarithm_of_beta(double a, double b) { return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b); }

// The x below which `share` of the distribution lies: Newton's method, kept inside what is known by bisection.
double beta_quantile(double share, double a, double b) {
  double low = 0, high = 1, x = a / (a + b);
  const double logarithm = logarithm_of_beta(a, b);
  for (int i = 0; i < 100; ++i) {
    const double off = beta_share(x, a, b) - share;
    (off < 0 ? low : high) = x;
    const double density = std::exp((a - 1) * std::log(x) + (b - 1) * std::log1p(-x) - logarithm);
    double next = x - off / density;
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (std::abs(next - x) < 1e-12) return next;
    x = next;
  }
  return x;
}

}  // namespace

double beta_share(double x, double a, double b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front = std::exp(a * std::log(x) + b * std::log1p(-x) - logarithm_of_beta(a, b));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(x, a, b) / a;
  return 1 - front * beta_fraction(1 - x, b, a) / b;
}

Interval exact_interval(double yes, double labels) {
  if (labels <= 0) return {};
  const double no = std::max(labels - yes, 0.0);
  constexpr double none = 1e-9;  // what sums of weights leave of nothing
  return {yes < none ? 0 : beta_quantile(tail, yes, no + 1), no < none ? 1 : beta_quantile(1 - tail, yes + 1, no)};
}

}  // namespace leitong::calibration
