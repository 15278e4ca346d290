// One line of results: a JSON object on standard output.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <concepts>
#include <cstdio>
#include <string>

#include "measure.h"

namespace bench_store {

class Record {
 public:
  explicit Record(const std::string& measure) { add("measure", measure); }
  Record& add(const std::string& name, const std::string& text) { return raw(name, '"' + text + '"'); }  // plain words only
  Record& add(const std::string& name, const char* text) { return add(name, std::string(text)); }
  Record& add(const std::string& name, double number) { return raw(name, std::isfinite(number) ? fmt::format("{:.6g}", number) : "null"); }
  template <std::integral Integer>
  Record& add(const std::string& name, Integer number) {
    return raw(name, fmt::format("{}", number));
  }
  // Nanoseconds: mean, median, p99, p99.9 and the slowest.
  Record& add_latencies(const std::string& name, const Latencies& of) {
    add(name + "_ns", of.mean() * 1e9).add(name + "_p50_ns", of.at(.5) * 1e9).add(name + "_p99_ns", of.at(.99) * 1e9);
    return add(name + "_p999_ns", of.at(.999) * 1e9).add(name + "_max_ns", of.at(1) * 1e9).add(name + "_count", of.count());
  }
  void write() const {
    fmt::print("{{{}}}\n", json_);
    std::fflush(stdout);
  }

 private:
  Record& raw(const std::string& name, const std::string& value) {
    json_ += fmt::format("{}\"{}\":{}", json_.empty() ? "" : ",", name, value);
    return *this;
  }
  std::string json_{};
};

}  // namespace bench_store
