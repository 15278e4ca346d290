#include "server/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace leitong::server {
namespace {

struct About {
  const char* name;
  const char* kind;
  const char* help;
  std::array<const char*, 3> labels{};
  std::span<const double> bounds{};
};

constexpr std::array seconds_bounds{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1., 2.5, 5., 10., 30.};
constexpr std::array count_bounds{1., 2., 5., 10., 20., 50., 100., 200., 500., 1000., 2000., 5000., 10000.};

const std::array<About, Metrics::name_count> table{
    About{"leitong_http_requests_total", "counter", "Requests that had their answer.", {"method", "route", "code"}},
    About{"leitong_http_request_duration_seconds",
          "histogram",
          "From the end of a request's header to the end of its answer.",
          {"method", "route"},
          seconds_bounds},
    About{"leitong_http_requests_in_flight", "gauge", "Requests that have begun and had no whole answer yet."},
    About{"leitong_http_connections", "gauge", "Open connections."},
    About{"leitong_requests_rejected_total", "counter", "Requests and connections that a limit refused.", {"reason"}},
    About{"leitong_documents_added_total", "counter", "Documents added, replacing others or not.", {"collection"}},
    About{"leitong_duplicates_refused_total",
          "counter",
          "Documents that were not added, for one that resembles them was there.",
          {"collection"}},
    About{"leitong_queries_total", "counter", "Questions for what resembles a text, a fingerprint or a document.", {"collection"}},
    About{"leitong_queries_truncated_total", "counter", "Those that met more candidates than one question looks at.", {"collection"}},
    About{"leitong_query_matches", "histogram", "Matches of a question.", {"collection"}, count_bounds},
    About{"leitong_write_queue_bytes", "gauge", "Bytes that wait to be written."},
    About{"leitong_write_batch_records", "histogram", "Records that were written at once.", {"collection"}, count_bounds},
    About{"leitong_sync_duration_seconds", "histogram", "Time to make a batch durable.", {"collection"}, seconds_bounds},
    About{"leitong_documents", "gauge", "Documents, as they were counted last.", {"collection"}},
    About{"leitong_store_bytes", "gauge", "Bytes on the disk.", {"collection", "kind"}},
    About{"leitong_store_runs", "gauge", "Runs of which a collection consists.", {"collection"}},
    About{"leitong_writer_failed",
          "gauge",
          "1: the disk refused a collection's writer; it is opened again with the next document.",
          {"collection"}},
    About{"leitong_build_info", "gauge", "1.", {"version", "isa"}},
    About{"process_cpu_seconds_total", "counter", "Processor time."},
    About{"process_resident_memory_bytes", "gauge", "Resident memory."},
    About{"process_open_fds", "gauge", "Open file descriptors."},
    About{"process_start_time_seconds", "gauge", "When the process began, in seconds since 1970."},
};

std::string escaped(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out;
}

// a="x",b="y"
std::string labels_of(const About& about, std::initializer_list<std::string_view> values) {
  std::string out;
  std::size_t i = 0;
  for (const std::string_view value : values) {
    out += fmt::format("{}{}=\"{}\"", out.empty() ? "" : ",", about.labels[i], escaped(value));
    ++i;
  }
  return out;
}

std::string in_braces(std::string_view labels) { return labels.empty() ? std::string() : fmt::format("{{{}}}", labels); }

}  // namespace

void Metrics::add(Name name, std::initializer_list<std::string_view> labels, double by) {
  const std::string key = labels_of(table[name], labels);
  const std::lock_guard lock(mutex_);
  families_[name].values[key] += by;
}

void Metrics::set(Name name, std::initializer_list<std::string_view> labels, double to) {
  const std::string key = labels_of(table[name], labels);
  const std::lock_guard lock(mutex_);
  families_[name].values[key] = to;
}

void Metrics::observe(Name name, std::initializer_list<std::string_view> labels, double value) {
  const About& about = table[name];
  const std::string key = labels_of(about, labels);
  const std::lock_guard lock(mutex_);
  Histogram& histogram = families_[name].histograms[key];
  histogram.counts.resize(about.bounds.size() + 1);
  const auto bound = std::lower_bound(about.bounds.begin(), about.bounds.end(), value);
  ++histogram.counts[static_cast<std::size_t>(bound - about.bounds.begin())];
  histogram.sum += value;
}

void Metrics::forget(Name name) {
  const std::lock_guard lock(mutex_);
  families_[name] = {};
}

std::string Metrics::text() const {
  std::string out;
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < table.size(); ++i) {
    const About& about = table[i];
    const Family& family = families_[i];
    out += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", about.name, about.help, about.kind);
    for (const auto& [labels, value] : family.values) out += fmt::format("{}{} {}\n", about.name, in_braces(labels), value);
    for (const auto& [labels, histogram] : family.histograms) {
      std::uint64_t count = 0;
      const char* comma = labels.empty() ? "" : ",";
      for (std::size_t bound = 0; bound < histogram.counts.size(); ++bound) {
        count += histogram.counts[bound];
        const std::string le = bound < about.bounds.size() ? fmt::format("{}", about.bounds[bound]) : "+Inf";
        out += fmt::format("{}_bucket{{{}{}le=\"{}\"}} {}\n", about.name, labels, comma, le, count);
      }
      out += fmt::format("{0}_sum{1} {2}\n{0}_count{1} {3}\n", about.name, in_braces(labels), histogram.sum, count);
    }
  }
  return out;
}

}  // namespace leitong::server
