// Exact Hamming joins and look-ups beside their yardsticks and the articles' strategies. See README.md.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

#include "settings.h"

namespace {

using bench_hamming::Settings;

const std::map<std::string, void (*)(const Settings&)> modes = {
    {"generate", bench_hamming::generate},         {"join", bench_hamming::measure_join},   {"index", bench_hamming::measure_index},
    {"articles", bench_hamming::measure_articles}, {"bands", bench_hamming::measure_bands}, {"giga", bench_hamming::measure_giga},
    {"beside", bench_hamming::measure_beside}};

double number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);  // 1e6 is a number of rows, too
  if (end == text.c_str() || *end != '\0' || value < 0) throw std::invalid_argument(text + " is not a number");
  return value;
}

std::vector<unsigned> numbers(const std::string& text) {
  std::vector<unsigned> values;
  std::istringstream in(text);
  for (std::string one; std::getline(in, one, ',');) values.push_back(static_cast<unsigned>(number(one)));
  return values;
}

template <typename Integer>
std::function<void(Settings&, const std::string&)> whole(Integer Settings::* member) {
  return [member](Settings& s, const std::string& text) { s.*member = static_cast<Integer>(number(text)); };
}

std::function<void(Settings&, const std::string&)> word(std::string Settings::* member) {
  return [member](Settings& s, const std::string& text) { s.*member = text; };
}

const std::map<std::string, std::function<void(Settings&, const std::string&)>> flags = {
    {"--data", [](Settings& s, const std::string& text) { s.set.kind = text; }},
    {"--n", [](Settings& s, const std::string& text) { s.set.rows = static_cast<std::size_t>(number(text)); }},
    {"--words", [](Settings& s, const std::string& text) { s.set.words = static_cast<unsigned>(number(text)); }},
    {"--k", [](Settings& s, const std::string& text) { s.set.k = static_cast<unsigned>(number(text)); }},
    {"--seed", [](Settings& s, const std::string& text) { s.set.seed = static_cast<std::uint64_t>(number(text)); }},
    {"--threads", [](Settings& s, const std::string& text) { s.threads = numbers(text); }},
    {"--memory", whole(&Settings::memory)},
    {"--rounds", whole(&Settings::rounds)},
    {"--queries", whole(&Settings::queries)},
    {"--queries-checked", whole(&Settings::queries_checked)},
    {"--bands", whole(&Settings::bands)},
    {"--expanded-rows", whole(&Settings::expanded_rows)},
    {"--left-rows", whole(&Settings::left_rows)},
    {"--many-tables-only", [](Settings& s, const std::string& text) { s.many_tables_only = number(text) != 0; }},
    {"--keep", [](Settings& s, const std::string& text) { s.keep = number(text) != 0; }},
    {"--grow", [](Settings& s, const std::string& text) { s.grow = number(text) != 0; }},
    {"--pairs", [](Settings& s, const std::string& text) { s.pairs = number(text) != 0; }},
    {"--counts", [](Settings& s, const std::string& text) { s.counts = numbers(text); }},
    {"--call", word(&Settings::call)},
    {"--json", word(&Settings::json)},
    {"--out", word(&Settings::out)},
    {"--queries-out", word(&Settings::queries_out)}};

int usage() {
  std::string text = "bench_hamming MODE [FLAG VALUE]…\nmodes:";
  for (const auto& [name, unused] : modes) text += " " + name;
  text += "\nflags:";
  for (const auto& [name, unused] : flags) text += " " + name;
  std::fprintf(stderr, "%s\ndata: uniform skewed skewed-distinct clustered flooded; calls of join: pairs count clusters classes cross\n",
               text.c_str());
  return 2;
}

Settings read_settings(int argc, char** argv) {
  Settings settings;
  for (int i = 2; i < argc; i += 2) {
    const auto flag = flags.find(argv[i]);
    if (flag == flags.end() || i + 1 == argc) throw std::invalid_argument(std::string(argv[i]) + " is no flag or lacks its value");
    flag->second(settings, argv[i + 1]);
  }
  const auto& set = settings.set;
  if (!bench_hamming::is_kind(set.kind)) throw std::invalid_argument(set.kind + " is no kind of data");
  if (set.words != 1 && set.words != 2 && set.words != 4) throw std::invalid_argument("--words is 1, 2 or 4");
  if (settings.threads.empty() || std::ranges::count(settings.threads, 0U) > 0 || settings.rounds < 1)
    throw std::invalid_argument("--threads and --rounds are at least 1");
  return settings;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || !modes.contains(argv[1])) return usage();
  try {
    modes.at(argv[1])(read_settings(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_hamming: %s\n", error.what());
    return 2;
  }
  return bench_hamming::all_checks_held() ? 0 : 1;
}
