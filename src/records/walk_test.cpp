#include "records/walk.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "leitong/error.h"
#include "records/made_files.h"
#include "records/read_input_test.h"

namespace leitong::records {
namespace {

TEST(Walk, Globs) {
  EXPECT_TRUE(glob_match("*", ""));
  EXPECT_TRUE(glob_match("*/copyright", "bash/copyright"));
  EXPECT_TRUE(glob_match("*/copyright", "a/b/copyright"));
  EXPECT_FALSE(glob_match("*/copyright", "copyright"));
  EXPECT_FALSE(glob_match("*/copyright", "bash/copyright.gz"));
  EXPECT_TRUE(glob_match("a*b*c", "a-b-b-c"));
  EXPECT_FALSE(glob_match("a*b*c", "a-c-b"));
  EXPECT_TRUE(glob_match("?.txt", "雷.txt"));
  EXPECT_FALSE(glob_match("?.txt", ".txt"));
  EXPECT_TRUE(glob_match("[a-c]x[!0-9]", "bxy"));
  EXPECT_FALSE(glob_match("[a-c]x[!0-9]", "bx5"));
  EXPECT_FALSE(glob_match("[^a]", "a"));
  EXPECT_TRUE(glob_match("[]-]", "]"));
  EXPECT_TRUE(glob_match("[]-]", "-"));
  EXPECT_TRUE(glob_match("[一-龥]同", "雷同"));
  EXPECT_TRUE(glob_match("a[b", "a[b"));               // a set that is not closed
  EXPECT_TRUE(glob_match("**/*.jsonl", "top.jsonl"));  // no directory is some directories
  EXPECT_TRUE(glob_match("**/*.jsonl", "a/b/deep.jsonl"));
  EXPECT_TRUE(glob_match("**/**/x", "x"));
  EXPECT_TRUE(glob_match("a/**/b", "a/b"));
  EXPECT_TRUE(glob_match("a/**/b/**/c", "a/b/x/b/y/z/c"));
  EXPECT_TRUE(glob_match("a/**/b*/**/c", "a/b/d/bc/c"));
  EXPECT_FALSE(glob_match("a/**/b", "a/xb"));
  EXPECT_FALSE(glob_match("**/b", "ab"));
  EXPECT_TRUE(glob_match("**b", "ab"));
  EXPECT_FALSE(glob_match("**/x", std::string(20000, '/')));
  EXPECT_FALSE(glob_match("", "a"));
  EXPECT_TRUE(glob_match("", ""));
  EXPECT_FALSE(glob_match(std::string(100, '*') + "b", std::string(20000, 'a')));  // in no time
}

TEST(Walk, EntriesAreSortedByBytes) {
  const TemporaryDirectory dir;
  for (const char* name : {"d/b", "d/a/z", "d/a-", "d/a.txt", "d/B", "d/\xE9"}) dir.write(name, "x");
  const std::vector<Entry> entries = expand_paths(options_for(dir / "d"));
  std::vector<std::string> names;
  for (const Entry& entry : entries) {
    names.push_back(entry.path.substr(dir.path().size() + 3));
    EXPECT_EQ(entry.size, 1U);
    EXPECT_GT(entry.modified, 0);
    EXPECT_TRUE(entry.in_directory);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"B", "a-", "a.txt", "a/z", "b", "\xE9"}));
}

TEST(Walk, ResultsAreLeftOutOfMarkedDirectoriesOnly) {
  const TemporaryDirectory dir;
  for (const char* name : {"d/out/kept.jsonl", "d/out/stages/sketch.ltt", "d/out/unfinished/kept.jsonl", "d/out/matches.jsonl",
                           "d/out/mine.jsonl", "d/kept.jsonl", "d/stages/a.txt", "d/other/kept.jsonl"})
    dir.write(name, "x");
  for (const char* marker : {"d/out/.leitong-results", "d/out/unfinished/.leitong-results"}) dir.write(marker, "");
  MadeFiles(dir / "d/out").list({"kept.jsonl", "stages/sketch.ltt"}, dir / "d/out");
  dir.write("d/other/.leitong-results", "somebody's");
  Findings findings;
  std::vector<std::string> names;
  for (const Entry& entry : expand_paths(options_for(dir / "d"), &findings)) names.push_back(entry.path.substr(dir.path().size() + 3));
  EXPECT_EQ(names, (std::vector<std::string>{"kept.jsonl", "other/.leitong-results", "other/kept.jsonl", "out/matches.jsonl",
                                             "out/mine.jsonl", "stages/a.txt"}));
  EXPECT_EQ(findings.with_results, (std::vector<std::string>{dir / "d/out"}));
  EXPECT_EQ(expand_paths(options_for(dir / "d/out/kept.jsonl")).size(), 1U);  // the caller knows what it is
}

TEST(Walk, AFileOfTwoNamesIsReadOnce) {
  const TemporaryDirectory dir;
  for (const char* name : {"d/a.txt", "d/b.txt", "d/c.txt"}) dir.write(name, "the same");
  std::filesystem::create_hard_link(dir / "d/b.txt", dir / "d/z.txt");
  std::filesystem::create_symlink(dir / "d/c.txt", dir / "link");
  InputOptions options = options_for(dir / "d/b.txt");
  options.paths.insert(options.paths.end(), {dir / "d", dir / "link", dir / "d/b.txt"});
  Findings findings;
  std::vector<std::string> names;
  for (const Entry& entry : expand_paths(options, &findings)) names.push_back(entry.path);
  EXPECT_EQ(names, (std::vector<std::string>{dir / "d/b.txt", dir / "d/a.txt", dir / "d/c.txt"}));
  using Twice = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(findings.named_twice, (Twice{{dir / "d/b.txt", dir / "d/b.txt"},
                                         {dir / "d/z.txt", dir / "d/b.txt"},
                                         {dir / "link", dir / "d/c.txt"},
                                         {dir / "d/b.txt", dir / "d/b.txt"}}));
}

TEST(Walk, WhatTheCallerNamesMustExist) {
  const TemporaryDirectory dir;
  try {
    static_cast<void>(expand_paths(options_for(dir / "nothing")));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_NE(std::string(error.what()).find("nothing: No such file"), std::string::npos);
  }
  EXPECT_TRUE(expand_paths(options_for("-")).at(0).spooled);
  EXPECT_TRUE(expand_paths(options_for("/dev/null")).at(0).spooled);
}

}  // namespace
}  // namespace leitong::records
