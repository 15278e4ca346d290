// Near-duplicates of a file removed, from a program.
//
//     example_dedup examples/sample.jsonl OUTPUT_DIRECTORY
//
// OUTPUT_DIRECTORY then holds kept.jsonl, removed.jsonl, report.html and the rest.
#include "leitong/dedup.h"

#include <cstdio>

#include "leitong/error.h"
#include "leitong/stages.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s INPUT OUTPUT_DIRECTORY\n", argv[0]);
    return 2;
  }
  try {
    leitong::DedupOptions options;
    options.input.paths = {argv[1]};
    options.profile = leitong::load_profile(leitong::profile_names().front());
    options.output_dir = argv[2];
    options.keep = "date:oldest,length:max,first";  // the original rather than a reprint
    options.overwrite = true;
    const leitong::Counts counts = leitong::dedup(options);
    std::printf("kept %llu of %llu records, %llu groups, report in %s/report.html\n", static_cast<unsigned long long>(counts.kept),
                static_cast<unsigned long long>(counts.records), static_cast<unsigned long long>(counts.clusters), argv[2]);
  } catch (const leitong::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
  return 0;
}
