// Uses one function of each part of the library, so that linking the installed archive needs all that it needs.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "leitong/dedup.h"
#include "leitong/error.h"
#include "leitong/fingerprint.h"
#include "leitong/similarity.h"
#include "leitong/version.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::filesystem::path directory = argv[1];
  const std::filesystem::path input = directory / "input.jsonl";
  std::ofstream(input) << R"({"id":"a","text":"The ferry to the island leaves at nine and comes back at five in the afternoon."})" << '\n'
                       << R"({"id":"b","text":"The ferry to the island leaves at nine and comes back at five in the afternoon!"})" << '\n'
                       << R"({"id":"c","text":"Fresh noodles need only two minutes in boiling water, dried ones about seven."})" << '\n';
  try {
    leitong::DedupOptions options;
    options.input.paths = {input.string()};
    options.profile = leitong::load_profile(leitong::profile_names().front());
    options.output_dir = (directory / "out").string();
    const leitong::Counts counts = leitong::dedup(options);
    const leitong::Comparison same = leitong::compare("one two three", "One, two, three!", options.profile);
    std::printf("leitong %s: %d records, %d kept\n", leitong::version().c_str(), static_cast<int>(counts.records),
                static_cast<int>(counts.kept));
    return counts.records == 3 && counts.kept == 2 && same.distance == 0U ? 0 : 1;
  } catch (const leitong::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}
