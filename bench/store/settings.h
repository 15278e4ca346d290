// What was asked for, and the measures that answer.
#pragma once

#include <cstdint>
#include <string>

#include "record.h"

namespace bench_store {

struct Settings {
  std::string directory;  // everything is made in here, on the file system that is measured
  std::uint64_t rows = 1'000'000;
  std::string who = "leitong";   // peer: which
  std::size_t queries = 20'000;  // of each round
  std::size_t checked = 200;     // peer: queries that are compared with every row
  std::uint64_t batches = 200;   // durable: of 1,000 rows, in each round
  int rounds = 3;                // in which what is compared takes turns
  double seconds = 5;            // latency, look: how long a reader asks beside a writer
  unsigned runs = 8;             // Limits::runs; look: of how many runs the store is
  std::uint32_t table_rows = 0;  // Limits::table_rows; 0: the store's own
  std::uint64_t rate = 100'000;  // look: rows a second that are added beside
  std::uint64_t log_mb = 64;     // recover: of log
  bool texts = false;            // profile: kept, too
  bool write = false;            // reader: beside a writer

  [[nodiscard]] Record record(const std::string& measure) const {
    Record made(measure);
    made.add("rows", rows);
    return made;
  }
};

void measure_peer(const Settings& settings);
void measure_add(const Settings& settings);
void measure_durable(const Settings& settings);
void measure_open(const Settings& settings);
void measure_recover(const Settings& settings);
void measure_look(const Settings& settings);
void measure_latency(const Settings& settings);
void measure_reader(const Settings& settings);  // the other process of measure_latency
void measure_curve(const Settings& settings);
void measure_profile(const Settings& settings);

}  // namespace bench_store
