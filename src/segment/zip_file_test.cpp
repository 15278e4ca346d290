#include "segment/zip_file.h"

#include <gtest/gtest.h>

#include <string>

#include "leitong/error.h"
#include "segment/small_hanlp_test.h"

namespace leitong::segment {
namespace {

std::string read(const std::string& path, const std::string& name) {
  const std::vector<std::uint8_t> bytes = ZipFile(path).read(name);
  return {bytes.begin(), bytes.end()};
}

ErrorCode code_of(const std::string& path, const std::string& name) {
  try {
    (void)read(path, name);
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).rfind(path, 0), 0U) << error.what();
    return error.code();
  }
  ADD_FAILURE() << "no error";
  return ErrorCode::interrupted;
}

TEST(ZipFile, ReadsStoredAndDeflatedMembers) {
  const TemporaryDirectory folder;
  const std::string path = folder / "a.jar", large(100'000, 'x');
  for (const int method : {ZIP_CM_STORE, ZIP_CM_DEFLATE}) {
    write_jar(path, {{"data/a.txt", large}, {"empty", ""}, {"名", "值"}}, method);
    EXPECT_EQ(read(path, "data/a.txt"), large);
    EXPECT_EQ(read(path, "empty"), "");
    EXPECT_EQ(read(path, "名"), "值");
    EXPECT_TRUE(ZipFile(path).contains("名"));
    EXPECT_FALSE(ZipFile(path).contains("data"));
    EXPECT_EQ(code_of(path, "none"), ErrorCode::format);
  }
}

TEST(ZipFile, NamesWhatIsNoZip) {
  const TemporaryDirectory folder;
  EXPECT_EQ(code_of(folder / "none.jar", "a"), ErrorCode::io);
  write_file(folder / "text.jar", "no zip at all, but long enough to be one: PK, PK, PK and so on");
  EXPECT_EQ(code_of(folder / "text.jar", "a"), ErrorCode::format);
  write_file(folder / "empty.jar", "");
  EXPECT_EQ(code_of(folder / "empty.jar", "a"), ErrorCode::format);
}

TEST(ZipFile, RefusesBombs) {
  const TemporaryDirectory folder;
  const std::string path = folder / "bomb.jar";
  write_jar(path, {{"zeros", std::string(ZipFile::most_member_bytes + 1, '\0')}});
  EXPECT_EQ(code_of(path, "zeros"), ErrorCode::limit);
}

// Every byte in turn: what is read is right, or it is an Error.
TEST(ZipFile, DamageIsAnError) {
  const TemporaryDirectory folder;
  const std::string path = folder / "a.jar", text = "今天天气很好，今天天气很好，明天天气不好";
  write_jar(path, {{"a.txt", text}});
  std::ifstream in(path, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  int errors = 0;
  const auto check = [&](const std::string& bytes) {
    write_file(path, bytes);
    try {
      EXPECT_EQ(read(path, "a.txt"), text);
    } catch (const Error&) {
      ++errors;
    }
  };
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    check(damaged);
    check(whole.substr(0, at));
  }
  EXPECT_GT(errors, static_cast<int>(whole.size()));
}

}  // namespace
}  // namespace leitong::segment
