// Data sets written for programs in other languages, and what they have to find there: pairs, and matches of the first so many queries.
#include <algorithm>

#include "leitong/hamming.h"
#include "leitong/hamming_index.h"
#include "settings.h"

namespace bench_hamming {

namespace {

void count_pairs(const Settings& s, const Values& values) {
  Samples join;
  Tally pairs;
  for (int round = 0; round < s.rounds; ++round) {
    pairs = {};
    join.take([&] {
      leitong::hamming_self_join(values, {.words = s.set.words, .k = s.set.k}, [&](std::span<const leitong::HammingPair> batch) {
        for (const auto& p : batch) pairs.add(p.a, p.b, p.distance);
      });
    });
  }
  s.record("beside").add("queries", 0).add_times("leitong", join, static_cast<double>(s.set.rows)).add_tally(pairs).write(s.json);
}

}  // namespace

void generate(const Settings& s) {
  const Values values = make_rows(s.set);
  if (!s.out.empty()) write_words(s.out, values);
  if (!s.queries_out.empty()) write_words(s.queries_out, make_queries(s.set, values, s.queries));
}

void measure_beside(const Settings& s) {
  const Values values = make_rows(s.set), queries = make_queries(s.set, values, s.queries);
  if (s.pairs) count_pairs(s, values);
  if (std::ranges::count(s.counts, 0U) == std::ssize(s.counts)) return;
  const leitong::HammingIndex index(values, {}, {.words = s.set.words, .k = s.set.k});
  for (const std::size_t wanted : s.counts) {
    if (wanted == 0) continue;
    const auto asked = std::span(queries).first(std::min(wanted, s.queries) * s.set.words);
    Samples batch;
    leitong::HammingMatches found;
    index.find_batch(asked, s.set.k, found);  // `found` keeps its memory for the measured rounds
    for (int round = 0; round < s.rounds; ++round) batch.take([&] { index.find_batch(asked, s.set.k, found); });
    Tally tally;
    for (std::size_t q = 0; q < found.ends.size(); ++q)
      for (const auto& match : found.of(q)) tally.add(q, match.id, match.distance);
    s.record("beside")
        .add("queries", wanted)
        .add_times("leitong, in batches", batch, static_cast<double>(found.ends.size()))
        .add_tally(tally)
        .write(s.json);
  }
}

}  // namespace bench_hamming
