// The articles' three ways beside the index, on the same rows in the same run.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <unordered_set>

#include "articles.h"
#include "leitong/hamming_index.h"
#include "settings.h"

namespace bench_hamming {
namespace {

using leitong::HammingIndex;

constexpr std::size_t probed_queries = 200;  // each takes up to 43,745 probes
constexpr std::size_t scanned_queries = 20'000;

Tally ask(const HammingIndex& index, std::span<const std::uint64_t> queries, unsigned k, Samples& times) {
  leitong::HammingMatches found;
  times.take([&] { index.find_batch(queries, k, found); });
  Tally tally;
  for (std::size_t q = 0; q < queries.size(); ++q)
    for (const auto& match : found.of(q)) tally.add(q, match.id, match.distance);
  return tally;
}

// Everybody's times for some queries in turn, and whether all found the same.
class Contest {
 public:
  Contest(const Settings& settings, std::span<const std::uint64_t> rows, std::span<const std::uint64_t> queries)
      : s_(settings), rows_(rows), queries_(queries), index_(rows, {}, {.words = 1, .k = settings.set.k}) {}

  template <typename Find>
  void run(const std::string& who, std::uint64_t bytes, const Find& find) {
    Samples theirs, ours;
    Tally found, expected;
    for (int round = 0; round < s_.rounds; ++round) {
      found = {};
      theirs.take([&] {
        for (std::size_t q = 0; q < queries_.size(); ++q) find(queries_[q], q, found);
      });
      expected = ask(index_, queries_, s_.set.k, ours);
    }
    Record record = start();
    record.add_times(who, theirs, static_cast<double>(queries_.size()))
        .add("queries", queries_.size())
        .add_ratio(theirs, ours, "leitong, in batches");
    record.add("bytes_a_row", static_cast<double>(bytes) / static_cast<double>(rows_.size()));
    note(record);
    record.add_tally(found).add_check("leitong's index", found == expected).write(s_.json);
    write_ours(ours, who);
  }

  // Added to the next record.
  std::vector<std::pair<std::string, double>> notes{};

 private:
  Record start() const {
    Record record("articles");
    record.add("data", s_.set.kind).add("n", rows_.size()).add("bits", 64U).add("k", s_.set.k);
    return record;
  }
  void note(Record& record) {
    for (const auto& [name, value] : notes) record.add(name, value);
    notes.clear();
  }
  void write_ours(const Samples& ours, const std::string& beside) const {
    Record record = start();
    record.add_times("leitong, in batches", ours, static_cast<double>(queries_.size())).add("beside", beside);
    record.add("bytes_a_row", static_cast<double>(index_.bytes()) / static_cast<double>(rows_.size())).write(s_.json);
  }

  const Settings& s_;
  std::span<const std::uint64_t> rows_, queries_;
  HammingIndex index_;
};

void four_tables(const Settings& s, const Values& rows, const Values& queries) {
  const FourTables tables(rows);
  double first = 0, all = 0, most_first = 0, most = 0;
  Tally unused;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    const auto candidates = tables.find(queries[q], q, s.set.k, unused);
    first += static_cast<double>(candidates.first);
    all += static_cast<double>(candidates.all);
    most_first = std::max(most_first, static_cast<double>(candidates.first));
    most = std::max(most, static_cast<double>(candidates.all));
  }
  const auto asked = static_cast<double>(queries.size());
  Contest contest(s, rows, queries);
  contest.notes = {{"candidates_one_table", first / asked},
                   {"candidates", all / asked},
                   {"most_candidates_one_table", most_first},
                   {"most_candidates", most}};
  contest.run("four tables of 16 bits", tables.bytes(), [&](auto query, auto q, Tally& found) { tables.find(query, q, s.set.k, found); });
}

void probing(const Settings& s, const Values& rows, const Values& queries) {
  const VariationProbe probe(rows);
  const auto few = std::span(queries).first(std::min(probed_queries, queries.size()));
  Contest contest(s, rows, few);
  contest.notes = {{"probes", static_cast<double>(ExpandedTable::variations(s.set.k))}};
  contest.run("probing all variations", probe.bytes(), [&](auto query, auto q, Tally& found) { probe.find(query, q, s.set.k, found); });
}

// Of as many rows as a gibibyte or so holds; queries are near these rows.
void expanded(const Settings& s) {
  DataSet set = s.set;
  set.rows = std::min(s.expanded_rows, s.set.rows);
  const Values rows = make_rows(set), queries = make_queries(set, rows, std::min(s.queries, scanned_queries));
  const ExpandedTable table(rows, set.k);
  Contest contest(s, rows, queries);
  contest.notes = {{"entries_a_row", static_cast<double>(ExpandedTable::variations(set.k))}};
  contest.run("pre-expanded table", table.bytes(), [&](auto query, auto q, Tally& found) { table.find(query, q, found); });
}

void exact(const Settings& s, const Values& rows, const Values& queries) {
  std::unordered_set<std::uint64_t> set;
  set.reserve(rows.size());
  const auto before = resident_bytes();
  set.insert(rows.begin(), rows.end());
  const auto growth = static_cast<double>(resident_bytes() - std::min(before, resident_bytes()));
  std::uint64_t hits = 0;
  Samples times;
  for (int round = 0; round < s.rounds; ++round)
    times.take([&] {
      for (const auto q : queries) hits += set.count(q);
    });
  Record record = s.record("articles");
  record.add_times("std::unordered_set, exact only", times, static_cast<double>(queries.size()))
      .add("bytes_a_row", growth / static_cast<double>(rows.size()));
  record.add("hits", hits / static_cast<std::uint64_t>(s.rounds)).write(s.json);
}

}  // namespace

void measure_articles(const Settings& s) {
  if (s.set.words != 1 || s.set.k > 3) throw std::invalid_argument("the articles' ways are for 64 bits and k up to 3");
  const Values rows = make_rows(s.set), queries = make_queries(s.set, rows, std::min(s.queries, scanned_queries));
  four_tables(s, rows, queries);
  if (s.many_tables_only) return;
  exact(s, rows, queries);
  probing(s, rows, queries);
  expanded(s);
}

}  // namespace bench_hamming
