#include "record.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace bench_hamming {
namespace {

bool all_equal = true;

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + '"';
}

}  // namespace

Record& Record::add(const std::string& name, const std::string& text) {
  json_ += fmt::format("{}{}:{}", json_.empty() ? "" : ",", quoted(name), quoted(text));
  line_ += fmt::format("{}{}", line_.empty() ? "" : "  ", text);
  return *this;
}

Record& Record::add(const std::string& name, double number) {
  json_ += std::isfinite(number) ? fmt::format(",{}:{:.9g}", quoted(name), number) : fmt::format(",{}:null", quoted(name));
  line_ += fmt::format("  {} {:.4g}", name, number);
  return *this;
}

Record& Record::add_whole(const std::string& name, std::uint64_t number) {
  json_ += fmt::format(",{}:{}", quoted(name), number);
  line_ += fmt::format("  {} {}", name, number);
  return *this;
}

Record& Record::add_times(const std::string& who, const Samples& times, double units) {
  add("who", who).add("rounds", times.wall.size()).add("seconds", times.median()).add("least_seconds", times.least());
  add("processor_seconds", Samples::median(times.processor));
  return add("ns", times.median() / units * 1e9).add("least_ns", times.least() / units * 1e9);
}

Record& Record::add_ratio(const Samples& times, const Samples& yardstick, const std::string& yardstick_name) {
  add("ratio", times.median() / yardstick.median()).add("least_ratio", times.least() / yardstick.least());
  return add("ratio_to", yardstick_name);
}

Record& Record::add_tally(const Tally& tally) { return add("count", tally.count).add("checksum", fmt::format("{:016x}", tally.checksum)); }

Record& Record::add_check(const std::string& how, bool equal) {
  all_equal = all_equal && equal;
  return add("check", how).add("equal", equal ? "equal" : "DIFFERENT");
}

void Record::write(const std::string& json_file) const {
  fmt::print("{}\n", line_);
  std::fflush(stdout);
  if (json_file.empty()) return;
  std::ofstream out(json_file, std::ios::app);
  out << '{' << json_ << "}\n";
  out.close();
  if (!out) throw std::runtime_error("cannot write " + json_file);
}

bool all_checks_held() { return all_equal; }

}  // namespace bench_hamming
