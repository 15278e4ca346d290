#include "outputs/output_names.h"

#include <gtest/gtest.h>

#include "leitong/error.h"

namespace leitong::outputs {
namespace {

using Names = std::vector<std::string>;

std::vector<records::Source> sources_of(const Names& paths) {
  std::vector<records::Source> sources;
  for (const std::string& path : paths) sources.push_back({.path = path});
  return sources;
}

Names names(const Names& operands, const Names& paths, std::optional<Compression> compression = {}, const std::string& format = "auto") {
  InputOptions input;
  input.paths = operands, input.format = format;
  return names_by_input(input, sources_of(paths), compression);
}

std::string refusal(const Names& operands, const Names& paths, std::optional<Compression> compression = {}) {
  InputOptions input;
  input.paths = operands;
  InputNames all;
  all.add(input, sources_of(paths), compression);
  try {
    all.check();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "";
}

TEST(OutputNames, FollowTheInputs) {
  EXPECT_EQ(names({"in/", "x/in", "dir/f.jsonl", "-"}, {"in/a/b.jsonl", "in/c", "x/in/d.ndjson", "dir/f.jsonl", "-"}),
            (Names{"a/b.jsonl", "c", "d.ndjson", "f.jsonl", "stdin.jsonl"}));
  EXPECT_EQ(names({"in", "in/sub", "in"}, {"in/a", "in/sub/x", "in/sub/x", "in/a", "in/sub/x"}), (Names{"a", "sub/x", "x", "a", "sub/x"}))
      << "a file belongs to the operand it was found by";
  EXPECT_EQ(names({"."}, {"./a"}), (Names{"a"}));
  EXPECT_EQ(names({"/"}, {"/a/b"}), (Names{"a/b"}));
  EXPECT_EQ(names({"../up", "../../f"}, {"../up/a", "../../f"}), (Names{"a", "f"}));
  EXPECT_EQ(names({"in"}, {"in/"}), (Names{""})) << "a directory that could not be listed";
}

TEST(OutputNames, SayThatLinesOfJsonAreInThem) {
  EXPECT_EQ(names({"in"}, {"in/a.csv", "in/b.HTML", "in/c.txt.gz", "in/d.json", "in/.gz"}),
            (Names{"a.csv.jsonl", "b.HTML.jsonl", "c.txt.jsonl.gz", "d.json", ".gz.jsonl"}));
  EXPECT_EQ(names({"in"}, {"in/part-0", "in/x.csv"}, {}, "csv"), (Names{"part-0.jsonl", "x.csv.jsonl"}));
  EXPECT_EQ(names({"in"}, {"in/part-0.txt"}, {}, "jsonl"), (Names{"part-0.txt"}));
}

TEST(OutputNames, CompressionIsThatOfTheInputUnlessGiven) {
  const Names paths = {"in/a.jsonl.gz", "in/b.jsonl", "in/c.jsonl.zstd", "-"};
  EXPECT_EQ(names({"in", "-"}, paths), (Names{"a.jsonl.gz", "b.jsonl", "c.jsonl.zstd", "stdin.jsonl"}));
  EXPECT_EQ(names({"in", "-"}, paths, Compression::zstd), (Names{"a.jsonl.zst", "b.jsonl.zst", "c.jsonl.zst", "stdin.jsonl.zst"}));
  EXPECT_EQ(names({"in", "-"}, paths, Compression::none), (Names{"a.jsonl", "b.jsonl", "c.jsonl", "stdin.jsonl"}));
}

TEST(OutputNames, TwoOfOneNameAreRefused) {
  EXPECT_EQ(refusal({"a", "b"}, {"a/x", "b/y"}), "");
  EXPECT_NE(refusal({"a", "b"}, {"a/x", "b/x"}).find("a/x and b/x would both be written as x"), std::string::npos);
  EXPECT_NE(refusal({"a", "b"}, {"a/n", "a/x", "b/x/y"}).find("a/x would be written as x, which is a directory for b/x/y"),
            std::string::npos);
  EXPECT_NE(refusal({"a"}, {"a/x.jsonl", "a/x.jsonl.gz"}, Compression::none), "");
  EXPECT_EQ(refusal({"a"}, {"a/x.jsonl", "a/x.jsonl.gz"}), "");
  EXPECT_NE(refusal({"in", "in/x"}, {"in/x", "in/x"}).find("in/x stands twice"), std::string::npos);
}

TEST(OutputNames, NothingIsWrittenElsewhere) {
  EXPECT_THROW((void)names({"in"}, {"in/../../x"}), Error) << "as a broken sketch file could say";
  EXPECT_THROW((void)names({"in"}, {"in//x"}), Error);
  EXPECT_THROW((void)names({"in"}, {"in/" + std::string(250, 'x') + ".csv"}), Error) << "no file system takes the longer name";
}

}  // namespace
}  // namespace leitong::outputs
