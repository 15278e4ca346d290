#include "cli/cluster_feed.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "leitong/error.h"
#include "support/temporary_directory.h"

namespace {
std::vector<off_t> synced;  // how long a file was each time
}

// The one of the program, instead of the library's.
extern "C" int fsync(int file) {
  struct stat about{};
  if (::fstat(file, &about) == 0) synced.push_back(about.st_size);
  return static_cast<int>(::syscall(SYS_fsync, file));
}

namespace leitong::cli {
namespace {

namespace fs = std::filesystem;

class ClusterFeedTest : public testing::Test {
 protected:
  [[nodiscard]] std::string content() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void append(const std::string& text) const { std::ofstream(path_, std::ios::binary | std::ios::app) << text; }

  static CollectionClusterState state(std::uint64_t number, std::uint64_t key) { return {{number, key}, 9, 1, 2, "near-1", "0f"}; }
  static constexpr const char* line = "{\"state\":3,\"sequence\":9,\"change\":\"reset\"}\n";
  const TemporaryDirectory directory_;
  const std::string path_ = directory_ / "feed";
};

TEST_F(ClusterFeedTest, RemembersWhatItsLastLineSays) {
  {
    ClusterFeed feed(path_);
    EXPECT_EQ(feed.mark(), CollectionClusterMark());
    feed.write(line);
    feed.finish(ClusterFeed::end_line(state(3, 0xfedcba9876543210U)));
  }
  EXPECT_EQ(content(), std::string(line) +
                           "{\"state\":3,\"sequence\":9,\"change\":\"end\",\"key\":\"fedcba9876543210\",\"clusters\":1,\"documents\":2,"
                           "\"rule\":\"near-1\",\"rule_id\":\"0f\"}\n");
  const CollectionClusterMark last{3, 0xfedcba9876543210U};
  EXPECT_EQ(ClusterFeed(path_).mark(), last);
  const std::string whole = content();
  append("{\"state\":4,\"seq");  // half a line counts for nothing
  EXPECT_EQ(ClusterFeed(path_).mark(), last);
  ClusterFeed(path_).write("{\"state\":4,\"sequence\":9,\"change\":\"gone\"}\n");
  EXPECT_EQ(content(), whole + "{\"state\":4,\"sequence\":9,\"change\":\"gone\"}\n");
  // What was broken off has a number, so that the next has another, and no key.
  EXPECT_EQ(ClusterFeed(path_).mark(), (CollectionClusterMark{4, 0}));
  append("{\"state\":5,\"sequence\":9,\"change\":\"new\",\"added\":[\"" + std::string(9000, 'x') + "\"]}\n");
  EXPECT_EQ(ClusterFeed(path_).mark(), (CollectionClusterMark{5, 0}));
  append("{\"state\":6,\"sequence\":9,\"change\":\"end\",\"clusters\":1,\"documents\":2}\n");
  EXPECT_EQ(ClusterFeed(path_).mark(), (CollectionClusterMark{6, 0}));
}

TEST_F(ClusterFeedTest, TheLastLineReachesTheDiskAfterThoseThatItVouchesFor) {
  ClusterFeed feed(path_);
  feed.write(line);
  feed.write(line);
  synced.clear();
  feed.finish(ClusterFeed::end_line(state(3, 7)));
  const auto lines = static_cast<off_t>(2 * std::string_view(line).size());
  EXPECT_EQ(synced, (std::vector<off_t>{lines, static_cast<off_t>(fs::file_size(path_))}));
}

TEST_F(ClusterFeedTest, LeavesOtherFilesAlone) {
  append("{\"id\":\"a\"}\n");
  EXPECT_THROW(ClusterFeed{path_}, Error);
  EXPECT_THROW(ClusterFeed{"/dev/null"}, Error);
  EXPECT_THROW(ClusterFeed{directory_ / "none/feed"}, Error);
  EXPECT_EQ(content(), "{\"id\":\"a\"}\n");
}

}  // namespace
}  // namespace leitong::cli
