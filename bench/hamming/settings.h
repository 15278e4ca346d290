// What a run was asked to measure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "data_sets.h"
#include "record.h"

namespace bench_hamming {

struct Settings {
  DataSet set{};
  std::vector<unsigned> threads{1};
  std::uint64_t memory = 0;
  int rounds = 5;
  std::string call = "pairs";  // join: pairs, count, clusters, classes, cross
  std::size_t queries = 100'000;
  std::size_t queries_checked = 0;  // 0: as many as take a second or so
  unsigned bands = 64;
  std::size_t expanded_rows = 700;  // of the articles' pre-expanded table
  std::size_t left_rows = 0;        // giga: rows of a second, small side
  bool many_tables_only = false;    // articles: leaves out probing and the expanded table
  bool keep = false;                // join: memory of the call before is still there
  bool grow = true;                 // index: adds and erases, too
  bool pairs = true;                // beside: joins, too
  std::vector<unsigned> counts{};   // beside: numbers of queries that the peers will be asked
  std::string json, out, queries_out;

  // A record that begins with what was measured on what.
  [[nodiscard]] Record record(const std::string& measure) const {
    Record made(measure);
    made.add("data", set.kind).add("n", set.rows).add("bits", 64 * set.words).add("k", set.k);
    return made;
  }
};

void generate(const Settings& settings);
void measure_beside(const Settings& settings);
void measure_join(const Settings& settings);
void measure_index(const Settings& settings);
void measure_articles(const Settings& settings);
void measure_bands(const Settings& settings);
void measure_giga(const Settings& settings);

// std::sort of the rows, copied before the clock starts.
void sort_rows(const Values& values, unsigned words, Samples& times);

}  // namespace bench_hamming
