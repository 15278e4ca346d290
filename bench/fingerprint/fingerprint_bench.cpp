// How fast is text in memory turned into sketches, stage by stage?
//
// usage: fingerprint_bench FILE.jsonl...   each line an object with a "text"; at least some tens of MB a file, for a steady figure
//
// Prints MB/s of UTF-8 text on one thread, by its processor time: the median of five rounds, with memcpy of the same bytes as the
// yardstick.

#include <simdjson.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "fingerprint/features.h"
#include "fingerprint/minhash.h"
#include "fingerprint/simhash.h"
#include "fingerprint/sketcher.h"
#include "text/tokenize.h"

namespace {

using leitong::Profile;
namespace fp = leitong::fingerprint;

struct Collection {
  std::vector<std::string> texts;
  std::size_t bytes = 0;
};

Collection load(const char* path) {
  Collection corpus;
  simdjson::dom::parser parser;
  simdjson::padded_string file = simdjson::padded_string::load(path);
  for (const simdjson::dom::element record : parser.parse_many(file, 1 << 25)) {
    corpus.texts.emplace_back(std::string_view(record["text"]));
    corpus.bytes += corpus.texts.back().size();
  }
  return corpus;
}

// Processor time of this thread: what other programs on the machine take does not count.
double now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

std::uint64_t sum = 0;  // keeps the work alive

void measure(const char* name, const Collection& corpus, const std::function<void(const std::string&)>& work) {
  std::vector<double> seconds;
  for (int round = 0; round < 5; ++round) {
    const double start = now();
    for (const std::string& text : corpus.texts) work(text);
    seconds.push_back(now() - start);
  }
  std::sort(seconds.begin(), seconds.end());
  std::printf("  %-42s %8.0f MB/s %8.2f us a text\n", name, static_cast<double>(corpus.bytes) / seconds[2] / 1e6,
              seconds[2] * 1e6 / static_cast<double>(corpus.texts.size()));
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const Collection corpus = load(argv[i]);
    std::printf("%s: %zu texts, %.1f MB\n", argv[i], corpus.texts.size(), static_cast<double>(corpus.bytes) / 1e6);
    std::vector<char> copy(64 << 20);
    measure("memcpy", corpus, [&](const std::string& text) {
      std::memcpy(copy.data(), text.data(), std::min(text.size(), copy.size()));
      sum += static_cast<unsigned char>(copy[0]);
    });
    leitong::text::Tokens tokens;
    measure("tokens", corpus, [&](const std::string& text) {
      leitong::text::tokenize(text, {}, tokens);
      sum += tokens.size();
    });
    fp::FeatureExtractor extractor{Profile{}};
    measure("+ token hashes", corpus, [&](const std::string& text) {
      extractor.set_text(text);
      sum += extractor.token_hashes().size();
    });
    measure("+ majority: SimHash-64 of unigrams", corpus, [&](const std::string& text) {
      extractor.set_text(text);
      sum += fp::majority(extractor.token_hashes());
    });
    measure("token hashes + numbered bigrams", corpus, [&](const std::string& text) {
      extractor.set_text(text);
      sum += extractor.bigrams().numbered.size();
    });
    measure("+ numbered unigrams (O12)", corpus, [&](const std::string& text) {
      extractor.set_text(text);
      sum += extractor.features().hashes.size();
    });
    measure("+ SimHash-64", corpus, [&](const std::string& text) {
      extractor.set_text(text);
      sum += fp::majority(extractor.features().hashes);
    });
    fp::Sketcher sketcher{Profile{}};
    fp::Sketch sketch;
    measure("the default's whole sketch", corpus, [&](const std::string& text) {
      sketcher(text, sketch);
      sum += sketch.content[0];
    });
  }
  std::printf("(%llx)\n", static_cast<unsigned long long>(sum));
}
