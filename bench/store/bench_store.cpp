// One question of the store a call, answered by one JSON object on standard output: bench_store WHAT DIR [ROWS] [--flag value …]
#include <cstdlib>
#include <functional>
#include <map>
#include <stdexcept>
#include <string_view>

#include "settings.h"

namespace {

using bench_store::Settings;

constexpr std::string_view usage_text =
    "usage: bench_store WHAT DIR [ROWS] [--flag value …]\n"
    "  peer      --who leitong|rocksdb|sqlite|redis: adds, look-ups, bytes, answers checked   --queries --rounds --batches --checked\n"
    "  add       buffered adds, until acknowledged, synced, in runs, compact                  --runs --table-rows\n"
    "  durable   durable batches beside fdatasync, from one thread and from four              --batches --rounds\n"
    "  look      look-ups beside the index in memory, quiet and beside adds                   --runs --queries --rounds --seconds --rate\n"
    "  latency   single look-ups, quiet and under full write load, here and in a process      --seconds --table-rows\n"
    "  curve     reading, writing and space over the merge policy                             --runs --table-rows --queries\n"
    "  open      opening what is there, warm                                                  --rounds\n"
    "  recover   opening after a writer that ended without a word                             --log-mb\n"
    "  profile   documents of the default profile                                             --texts 0|1 --queries\n";

double number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != '\0' || value < 0) throw std::runtime_error("not a number: " + text);
  return value;
}

template <typename To>
auto sets(To Settings::* field) {
  return [field](Settings& settings, const std::string& value) {
    if constexpr (std::is_same_v<To, std::string>)
      settings.*field = value;
    else
      settings.*field = static_cast<To>(number(value));
  };
}

using Set = std::function<void(Settings&, const std::string&)>;
const std::map<std::string, Set> flags = {
    {"--who", sets(&Settings::who)},         {"--queries", sets(&Settings::queries)},       {"--checked", sets(&Settings::checked)},
    {"--batches", sets(&Settings::batches)}, {"--rounds", sets(&Settings::rounds)},         {"--seconds", sets(&Settings::seconds)},
    {"--runs", sets(&Settings::runs)},       {"--table-rows", sets(&Settings::table_rows)}, {"--rate", sets(&Settings::rate)},
    {"--log-mb", sets(&Settings::log_mb)},   {"--texts", sets(&Settings::texts)},           {"--write", sets(&Settings::write)},
};
const std::map<std::string, void (*)(const Settings&)> measures = {
    {"peer", bench_store::measure_peer},       {"add", bench_store::measure_add},         {"durable", bench_store::measure_durable},
    {"look", bench_store::measure_look},       {"latency", bench_store::measure_latency}, {"reader", bench_store::measure_reader},
    {"curve", bench_store::measure_curve},     {"open", bench_store::measure_open},       {"recover", bench_store::measure_recover},
    {"profile", bench_store::measure_profile},
};

int run(int argc, char** argv) {
  const auto measure = argc < 3 ? measures.end() : measures.find(argv[1]);
  if (measure == measures.end()) {
    fmt::print(stderr, "{}", usage_text);
    return 2;
  }
  Settings settings;
  settings.directory = argv[2];
  int at = 3;
  if (at < argc && argv[at][0] != '-') settings.rows = static_cast<std::uint64_t>(number(argv[at++]));
  for (; at < argc; at += 2) {
    const auto flag = flags.find(argv[at]);
    if (flag == flags.end() || at + 1 == argc) throw std::runtime_error(std::string("unknown flag, or one without a value: ") + argv[at]);
    flag->second(settings, argv[at + 1]);
  }
  measure->second(settings);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_store: {}\n", error.what());
    return 1;
  }
}
