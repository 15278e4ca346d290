#include "outputs/output_bytes.h"

#include <gtest/gtest.h>

#include "outputs/output_forms.h"
#include "records/byte_stream.h"
#include "records/read_input_test.h"
#include "records/unpack.h"

namespace leitong::outputs {
namespace {

std::string file_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string unpacked(const std::string& path) {
  std::string error, out(16 << 20, 0);
  auto file = records::open_file(path, true, error);
  const Compression compression = records::detect_compression(file_of(path).substr(0, 4));
  auto stream = records::unpack(std::move(file), compression, 1'000'000);
  out.resize(stream->read(out.data(), out.size()));
  EXPECT_EQ(stream->fault(), "");
  return out;
}

std::string lines(int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += "{\"id\":" + std::to_string(i) + ",\"text\":\"" + std::string(200, 'x') + "\"}\n";
  return all;
}

void write(const std::string& path, Compression compression, unsigned threads, const std::string& content) {
  OutputBytes bytes(path, compression, threads);
  for (std::size_t begin = 0; begin < content.size();) {
    const std::size_t end = content.find('\n', begin) + 1;
    bytes.buffer().append(content, begin, end - begin);
    bytes.flush_if_full();
    begin = end;
  }
  bytes.finish(true);
}

TEST(OutputBytes, AreTheSameOnAnyNumberOfThreads) {
  const TemporaryDirectory directory;
  const std::string content = lines(40'000);
  for (const Compression compression : {Compression::none, Compression::gzip, Compression::zstd}) {
    write(directory / "one", compression, 1, content);
    write(directory / "four", compression, 4, content);
    EXPECT_TRUE(file_of(directory / "one") == file_of(directory / "four"));
    EXPECT_TRUE(unpacked(directory / "four") == content);
    write(directory / "empty", compression, 4, "");
    EXPECT_EQ(unpacked(directory / "empty"), "");
    EXPECT_EQ(file_of(directory / "empty").empty(), compression == Compression::none);
  }
}

TEST(OutputForms, ChangeWithoutALossAndOneIsLeft) {
  const TemporaryDirectory directory;
  const std::string content = lines(10'000), plain = directory / "rejected.jsonl";
  directory.write("rejected.jsonl", content);
  for (const char* name : {"rejected.jsonl.zst", "rejected.jsonl.gz", "rejected.jsonl"}) {
    const std::string path = directory / name;
    change_form(directory.path(), "rejected", path);
    EXPECT_TRUE(unpacked(path) == content) << name;
    EXPECT_EQ(std::filesystem::exists(plain), path == plain) << name;
  }
  directory.write("rejected.jsonl.gz", "");
  remove_other_forms(directory.path(), "rejected", "rejected.jsonl");
  EXPECT_TRUE(file_of(plain) == content);
  EXPECT_FALSE(std::filesystem::exists(directory / "rejected.jsonl.gz"));
}

}  // namespace
}  // namespace leitong::outputs
