// In how many bits each block may differ: the usual division, or the cheapest for one query by the sizes of its buckets.
#include <algorithm>

#include "hamming/half_index.h"
#include "hamming/half_index_balls.h"

namespace leitong::hamming {

// (low + 1) + (high + 1) = k + 1, and for a half that may differ in r bits (a + 1) + (b + 1) = r + 1, shared evenly.
HalfIndex::Thresholds HalfIndex::usual_thresholds(unsigned k) {
  const auto share = [](int total) { return std::array<int, 2>{total < 0 ? -1 : total / 2, total < 0 ? -1 : total - 1 - total / 2}; };
  const std::array<int, 2> halves = share(static_cast<int>(k));
  const std::array<int, 2> low = share(halves[0]), high = share(halves[1]);
  return {{low[0], low[1], high[0], high[1]}, halves[0], halves[1], 0};
}

// What a table's probes of keys up to 0 … most bits away would cost, in filters read. Beyond one bit the buckets are taken to be as large
// as those one bit away.
std::array<double, HalfIndex::most_k + 2> HalfIndex::prices(std::uint64_t query, unsigned table, unsigned most) const {
  constexpr double bucket_cost = 64;  // a bucket costs as much as so many filters,
  constexpr double hit = 100;  // and so does a hit. Where many rows share the other key, they share the filter here, and all are hits.
  const auto rows_of = [&](unsigned t, std::uint32_t key) { return static_cast<double>(bucket_start(t, key + 1) - bucket_start(t, key)); };
  const double row = 1 + hit * rows_of(table ^ 1, half_block(query, half_filter_shift[table])) / shape_.rows;
  const std::uint32_t key = half_block(query, half_key_shift[table]);
  std::array<double, most_k + 2> price{};  // of threshold t at t + 1; no probes cost nothing
  price[1] = rows_of(table, key) * row + bucket_cost;
  double ring = 0;
  for (unsigned b = 0; most > 0 && b < 16; ++b) ring += rows_of(table, key ^ (1U << b)) * row + bucket_cost;
  for (unsigned t = 1; t <= most; ++t) price[t + 1] = price[1] + ring / 16 * (key_balls().end[t] - 1.0);
  return price;
}

// A full bucket is left out, and others pay with a wider radius.
HalfIndex::Thresholds HalfIndex::best_thresholds(std::uint64_t query, unsigned k) const {
  const int radius = static_cast<int>(k);
  std::array<std::array<double, most_k + 2>, tables> price;
  for (unsigned t = 0; t < tables; ++t) price[t] = prices(query, t, k);
  const auto best_of = [&](unsigned first, int r, std::array<int, 2>& into) {
    into = {-1, -1};
    if (r < 0) return 0.0;
    double best = 1e300;
    for (int a = -1; a <= r; ++a) {
      const int b = r - 1 - a;
      const double p = price[first][static_cast<std::size_t>(a + 1)] + price[first + 1][static_cast<std::size_t>(b + 1)];
      if (p < best) best = p, into = {a, b};
    }
    return best;
  };
  Thresholds chosen = usual_thresholds(k);
  double cost = 1e300;
  for (int r = -1; r <= radius; ++r) {
    std::array<int, 2> low{}, high{};
    const double p = best_of(place_low, r, low) + best_of(place_high, radius - 1 - r, high);
    if (p < cost) cost = p, chosen = {{low[0], low[1], high[0], high[1]}, r, radius - 1 - r, p};
  }
  return chosen;
}

// Nanoseconds on one machine: a probe, a line of filters, a hit. `bucket` is the rows that a query's bucket has on average.
double HalfIndex::model(unsigned k, double bucket, bool parted) {
  constexpr double query_cost = 40, probe = 6, miss = 8, vector = 1.0, hit = 15;
  const Thresholds t = usual_thresholds(k);
  double sum = query_cost;
  for (unsigned table = 0; table < tables; ++table) {
    const int half = table < place_high ? t.low : t.high;
    double before = 0;
    for (int bits = 0; bits <= t.key[table]; ++bits) {
      const double ball = key_balls().end[static_cast<unsigned>(bits)], probes = ball - before;
      before = ball;
      const int most = std::min(16, half - bits);
      const double passing = key_balls().end[static_cast<unsigned>(most)] / 65536.0;
      const double read = most <= 1 && parted ? bucket / 2 : bucket;
      sum += probes * (probe + miss * (1 + read / 64) + vector * (1 + read / 32) + hit * bucket * passing);
    }
  }
  return sum;
}

double HalfIndex::expected_cost(std::uint64_t rows, unsigned k) {
  return model(std::min(k, most_k), static_cast<double>(rows) / 65536, rows > 1U << 21);
}

void HalfIndex::fill_costs() {
  const double bucket = (shape_.usual_rows - usual_slack) / usual_times;
  for (unsigned k = 0; k <= most_k; ++k) costs_[k] = model(k, bucket, shape_.group_bits > 0);
  most_usual_ = std::min(shape_.usual_rows, usual_slack + usual_share * shape_.rows);
}

}  // namespace leitong::hamming
