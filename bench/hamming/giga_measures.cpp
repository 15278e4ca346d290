// Joins as large as the machine: one run, checked in the same run.
#include <fmt/format.h>

#include <algorithm>

#include "leitong/hamming.h"
#include "settings.h"

namespace bench_hamming {
namespace {

constexpr std::size_t sampled_rows = 24, sampled_left = 16;

void self_join(const Settings& s, const Values& values) {
  RowSample sample({values, s.set.words, s.set.k}, sampled_rows);
  Tally found;
  Samples times;
  const auto before = resident_bytes();
  reset_peak();
  times.take([&] {
    leitong::hamming_self_join(values, {.words = s.set.words, .k = s.set.k, .threads = s.threads[0], .memory = s.memory},
                               [&](std::span<const leitong::HammingPair> pairs) {
                                 for (const auto& p : pairs) found.add(p.a, p.b, p.distance), sample.add(p.a, p.b, p.distance);
                               });
  });
  const auto rows = static_cast<double>(s.set.rows);
  Record record = s.record("giga join");
  record.add("threads", s.threads[0]).add("memory", s.memory).add_times("leitong", times, rows);
  record.add("bytes_a_row", static_cast<double>(peak_bytes() - std::min(before, peak_bytes())) / rows);
  record.add_tally(found).add_check(sample.how(), sample.holds()).write(s.json);
}

// A few queries against many rows, without an index.
void queries_join(const Settings& s, const Values& values) {
  const Values left = make_queries(s.set, values, s.left_rows);
  const std::size_t checked = std::min(sampled_left, s.left_rows);
  Tally found, sample;
  Samples times;
  times.take([&] {
    leitong::hamming_join(left, values, {.words = s.set.words, .k = s.set.k, .threads = s.threads[0], .memory = s.memory},
                          [&](std::span<const leitong::HammingPair> pairs) {
                            for (const auto& p : pairs) {
                              found.add(p.a, p.b, p.distance);
                              if (p.a < checked) sample.add(p.a, p.b, p.distance);
                            }
                          });
  });
  const Tally expected = scan_queries(values, std::span(left).first(checked * s.set.words), s.set.words, s.set.k);
  Record record = s.record("giga queries");
  record.add("threads", s.threads[0])
      .add("memory", s.memory)
      .add("queries", s.left_rows)
      .add_times("leitong", times, static_cast<double>(s.left_rows));
  record.add_tally(found).add_check(fmt::format("{} queries compared with every row", checked), sample == expected).write(s.json);
}

}  // namespace

void measure_giga(const Settings& s) {
  const Values values = make_rows(s.set);
  if (s.left_rows > 0) return queries_join(s, values);
  self_join(s, values);
}

}  // namespace bench_hamming
