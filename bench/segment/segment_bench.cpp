// How fast is Chinese text in memory cut into words, and turned into the fingerprints of the articles' Java programs?
//
// usage: bench_segment KIND FILE [--idf FILE --stop-words FILE]   FILE: a text a line; KIND: see the table below; the flags:
// java-hanlp-tfidf
//
//        bench_segment open jieba|hanlp|ik                       milliseconds to open the mapped data, its file in the page cache
//
// Prints one JSON line {"kind","bytes","tokens","seconds":[...]}: processor time of this thread for each of five passes after one that
// warms up; tokens are the one bits of all fingerprints where a whole profile is measured. run.py sets its peers beside it.

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/error.h"
#include "leitong/fingerprint.h"
#include "segment/hanlp_segmenter.h"
#include "segment/ik.h"
#include "segment/jieba.h"
#include "segment/shared_data.h"
#include "text/utf16.h"

namespace {

namespace segment = leitong::segment;
using Work = std::function<std::size_t(std::string_view)>;  // tokens of a text

double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

Work cut_jieba(bool hmm) {
  const auto jieba = std::make_shared<segment::Jieba>(segment::shared_jieba(""));
  const auto tokens = std::make_shared<segment::Tokens>();
  return [=](std::string_view text) {
    jieba->cut(text, hmm, *tokens);
    return tokens->size();
  };
}

Work cut_hanlp() {
  const auto data = segment::shared_hanlp("");
  const auto segmenter = std::make_shared<segment::HanlpSegmenter>(*data);
  const auto units = std::make_shared<std::u16string>();
  return [=](std::string_view text) {
    (void)data;  // must outlive the segmenter
    units->clear();
    leitong::text::append_utf16(text, *units);
    return segmenter->segment(*units).size();
  };
}

Work cut_ik() {
  const auto dictionary = segment::shared_ik("");
  const auto units = std::make_shared<std::u16string>();
  const auto tokens = std::make_shared<segment::IkTokens>();
  return [=](std::string_view text) {
    units->clear();
    leitong::text::append_utf16(text, *units);
    segment::segment_ik(*dictionary, *units, *tokens);
    return tokens->size();
  };
}

Work whole_profile(const leitong::Profile& profile) {
  const auto fingerprinter = std::make_shared<leitong::Fingerprinter>(profile);
  return [=](std::string_view text) {
    const auto fingerprint = (*fingerprinter)(text).fingerprint;
    std::size_t ones = 0;
    for (const std::uint64_t word : fingerprint ? fingerprint->words : std::array<std::uint64_t, 4>{})
      ones += static_cast<unsigned>(std::popcount(word));
    return ones;
  };
}

Work work_of(const std::vector<std::string>& arguments) {
  const std::string& kind = arguments[0];
  if (kind == "jieba" || kind == "jieba-plain") return cut_jieba(kind == "jieba");
  if (kind == "hanlp") return cut_hanlp();
  if (kind == "ik") return cut_ik();
  leitong::Profile profile = leitong::load_profile(kind);
  for (std::size_t i = 2; i + 1 < arguments.size(); i += 2) {
    if (arguments[i] == "--idf") profile.idf_file = arguments[i + 1];
    if (arguments[i] == "--stop-words") profile.stop_words = arguments[i + 1];
  }
  return whole_profile(profile);
}

std::vector<std::string_view> lines_of(std::string_view file) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < file.size();) {
    const std::size_t end = std::min(file.find('\n', at), file.size());
    lines.push_back(file.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

void measure(const std::vector<std::string>& arguments) {
  std::ifstream in(arguments[1], std::ios::binary);
  const std::string file{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (file.empty()) throw leitong::Error(leitong::ErrorCode::io, arguments[1] + ": cannot be read or is empty");
  const auto lines = lines_of(file);
  const Work work = work_of(arguments);
  std::string seconds;
  std::size_t tokens = 0;
  for (int pass = 0; pass <= 5; ++pass) {
    const double start = processor_time();
    tokens = 0;
    for (const std::string_view line : lines) tokens += work(line);
    if (pass > 0) seconds += fmt::format("{}{:.6f}", pass > 1 ? "," : "", processor_time() - start);
  }
  fmt::print("{{\"kind\":\"{}\",\"bytes\":{},\"tokens\":{},\"seconds\":[{}]}}\n", arguments[0], file.size(), tokens, seconds);
}

// Nothing holds the data between the passes, so each maps and checks the file anew.
void measure_opening(const std::string& kind) {
  std::string milliseconds;
  for (int pass = 0; pass <= 11; ++pass) {
    const double start = processor_time();
    if (kind == "jieba") (void)segment::shared_jieba("");
    if (kind == "hanlp") (void)segment::shared_hanlp("");
    if (kind == "ik") (void)segment::shared_ik("");
    if (pass > 0) milliseconds += fmt::format("{}{:.2f}", pass > 1 ? "," : "", 1000 * (processor_time() - start));
  }
  fmt::print("{{\"kind\":\"open {}\",\"milliseconds\":[{}]}}\n", kind, milliseconds);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() < 2) {
    fmt::print(stderr, "usage: bench_segment KIND FILE [--idf FILE --stop-words FILE]\n");
    return 2;
  }
  try {
    if (arguments[0] == "open") {
      measure_opening(arguments[1]);
    } else {
      measure(arguments);
    }
  } catch (const leitong::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
