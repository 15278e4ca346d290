// Files that other programs were tested with, as far as LEITONG_SHARED names a folder that holds them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "warc/made_archive_test.h"

namespace leitong::warc {
namespace {

// Archive records that the better of warcio 1.8.1 and FastWARC 2.0.1 reads (bench/warc/peers.py).
struct Known {
  const char* name;
  std::size_t best_peer;
};
constexpr Known known[] = {{"bad.arc", 4},
                           {"cc.warc.gz", 1},
                           {"example-bad-non-chunked.warc.gz", 6},
                           {"example-bad.warc.gz.bad", 6},
                           {"example-digest.warc", 4},
                           {"example-iana.org-chunked.warc", 3},
                           {"example-resource.warc.gz", 3},
                           {"example-space-in-target-uri.warc.gz", 2},
                           {"example-space-in-url.arc", 2},
                           {"example-trunc.warc", 4},
                           {"example-wget-bad-target-uri.warc.gz", 6},
                           {"example-wrong-chunks.warc.gz", 2},
                           {"example.arc", 2},
                           {"example.arc.gz", 300},
                           {"example.warc", 6},
                           {"example.warc.gz", 822},
                           {"gzip_extra_sl.warc.gz", 1},
                           {"issue-493.warc", 32},
                           {"post-test.warc.gz", 6},
                           {"warcio-example.arc.gz", 2},
                           {"warcio-example.warc.gz", 6}};

TEST(WarcCorpus, ReadsAsManyRecordsAsTheBetterOfItsPeers) {
  const char* shared = std::getenv("LEITONG_SHARED");
  if (shared == nullptr) GTEST_SKIP() << "LEITONG_SHARED names no folder";
  for (const Known& file : known) {
    std::ifstream in(std::string(shared) + "/corpora/warc/" + file.name, std::ios::binary);
    if (!in) GTEST_SKIP() << file.name << " is not there";
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const FoundRecords found = read_archive(bytes);
    EXPECT_GE(found.records.size(), file.best_peer) << file.name;
    RecordProperty(file.name, static_cast<int>(found.records.size()));
    for (const std::string& reason : found.damage) std::cout << file.name << ": " << reason << "\n";
    if (found.records.size() != file.best_peer) std::cout << file.name << ": " << found.records.size() << "\n";
  }
}

}  // namespace
}  // namespace leitong::warc
