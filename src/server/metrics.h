// Metrics: numbers of what the server does, in the text format of Prometheus (version 0.0.4).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace leitong::server {

// One of the names that stand in the table of metrics.cpp; docs/server.md lists them.
class Metrics {
 public:
  enum Name : std::size_t {
    requests,
    request_seconds,
    requests_in_flight,
    connections,
    rejected,
    documents_added,
    duplicates_refused,
    queries,
    queries_truncated,
    query_matches,
    write_queue_bytes,
    write_batch_records,
    sync_seconds,
    documents,
    store_bytes,
    store_runs,
    writer_failed,
    build_info,
    process_cpu_seconds,
    process_resident_bytes,
    process_open_fds,
    process_start_seconds,
    name_count
  };

  // {a="x",b="y"} of the label values in the order in which the table names the labels.
  void add(Name name, std::initializer_list<std::string_view> labels, double by = 1);
  void set(Name name, std::initializer_list<std::string_view> labels, double to);
  void observe(Name name, std::initializer_list<std::string_view> labels, double value);  // of a histogram
  void forget(Name name);                                                                 // all of its values

  [[nodiscard]] std::string text() const;

 private:
  struct Histogram {
    std::vector<std::uint64_t> counts;
    double sum = 0;
  };
  struct Family {
    std::map<std::string, double> values;
    std::map<std::string, Histogram> histograms;
  };
  mutable std::mutex mutex_;
  Family families_[name_count];
};

}  // namespace leitong::server
