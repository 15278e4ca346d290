#include "records/pack.h"

#include <gtest/gtest.h>

#include "records/byte_stream.h"
#include "records/read_input_test.h"
#include "records/unpack.h"

namespace leitong::records {
namespace {

std::string unpacked(const std::string& bytes) {
  const Compression compression = detect_compression(bytes);
  const TemporaryDirectory directory;
  std::string error, out(1 << 22, 0);
  auto stream = unpack(open_file(directory.write("packed", bytes), true, error), compression, 1'000'000);
  out.resize(stream->read(out.data(), out.size()));
  EXPECT_EQ(stream->fault(), "");
  return out;
}

TEST(Pack, PartsAreOneStream) {
  for (const Compression compression : {Compression::gzip, Compression::zstd}) {
    std::string out, again;
    const std::string random = [] {
      std::mt19937 chance(1);
      std::string text;
      for (int i = 0; i < 300'000; ++i) text += static_cast<char>(chance());
      return text;
    }();
    for (const std::string& part : {std::string("first\n"), std::string(1 << 20, 'x'), random, std::string()}) {
      pack(part, compression, out);
      pack(part, compression, again);
    }
    EXPECT_EQ(out, again);
    EXPECT_EQ(detect_compression(out), compression);
    EXPECT_TRUE(unpacked(out) == "first\n" + std::string(1 << 20, 'x') + random);
    std::string nothing;
    pack("", compression, nothing);
    EXPECT_EQ(detect_compression(nothing), compression) << "an empty file would be no archive";
    EXPECT_EQ(unpacked(nothing), "");
  }
}

TEST(Pack, NamesPromise) {
  EXPECT_EQ(compression_of_name("a.b/c.jsonl.gz"), Compression::gzip);
  EXPECT_EQ(compression_of_name("C.ZST"), Compression::zstd);
  EXPECT_EQ(compression_of_name("c.zstd"), Compression::zstd);
  EXPECT_EQ(compression_of_name("gz"), Compression::none);
  EXPECT_EQ(without_packing("a.jsonl.zstd"), "a.jsonl");
  EXPECT_EQ(without_packing("a.jsonl"), "a.jsonl");
  EXPECT_EQ(suffix_of(Compression::none), "");
  EXPECT_EQ(suffix_of(Compression::gzip), ".gz");
  EXPECT_EQ(suffix_of(Compression::zstd), ".zst");
}

}  // namespace
}  // namespace leitong::records
