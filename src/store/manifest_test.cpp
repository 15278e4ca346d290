// A manifest whose bytes are whole, but whose JSON is not a manifest's.
#include "store/manifest.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include <fstream>
#include <sstream>

#include "leitong/error.h"
#include "support/temporary_directory.h"

namespace leitong::store {
namespace {

class ManifestFile : public testing::Test {
 protected:
  void write() const {
    Manifest manifest;
    manifest.shape.words = 1;
    manifest.shape.k = 3;
    manifest.about = R"({"layout" : [1, 2]})";
    manifest.runs.push_back({.number = 7, .rows = 3, .identity = "id", .index = 1, .keys = 2});
    write_manifest(storage::posix_vfs(), directory(), manifest);
  }
  [[nodiscard]] std::string directory() const { return directory_.path(); }
  // Writes `to` instead of `from`, with the checksum that fits.
  void replace(std::string_view from, std::string_view to) const {
    std::ostringstream content;
    content << std::ifstream(manifest_path(directory()), std::ios::binary).rdbuf();
    std::string json = content.str().substr(0, content.str().rfind('\n', content.str().size() - 2));
    const std::size_t at = json.find(from);
    ASSERT_NE(at, std::string::npos) << json;
    json.replace(at, from.size(), to);
    std::ofstream(manifest_path(directory()), std::ios::binary)
        << json << fmt::format("\n{:016x}\n", XXH3_64bits(json.data(), json.size()));
  }
  [[nodiscard]] std::string refused() const {
    try {
      (void)read_manifest(storage::posix_vfs(), directory());
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::format);
      return error.what();
    }
    return "";
  }

 private:
  TemporaryDirectory directory_;
};

TEST_F(ManifestFile, ComesBackWithItsRecordWithoutSpaces) {
  write();
  const Manifest read = read_manifest(storage::posix_vfs(), directory());
  EXPECT_EQ(read.about, R"({"layout":[1,2]})");
  ASSERT_EQ(read.runs.size(), 1U);
  EXPECT_EQ(read.runs[0].rows, 3U);
}

TEST_F(ManifestFile, NamesItselfWhereAMemberIsMissingOrOfAnotherKind) {
  const std::pair<const char*, const char*> changes[] = {{R"("shape":)", R"("shap":)"},
                                                         {R"("shape":{)", R"("shape":7,"x":{)"},
                                                         {R"("about":)", R"("bout":)"},
                                                         {R"("runs":[{)", R"("runs":[7,{)"},
                                                         {R"("runs":[)", R"("runs":7,"x":[)"}};
  for (const auto& [from, to] : changes) {
    write();
    replace(from, to);
    EXPECT_TRUE(refused().starts_with(manifest_path(directory()) + ": ")) << to << ": " << refused();
  }
}

}  // namespace
}  // namespace leitong::store
