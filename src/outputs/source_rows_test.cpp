#include "outputs/source_rows.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

namespace leitong::outputs {
namespace {

std::vector<std::string> shown(const std::vector<report::Source>& rows) {
  std::vector<std::string> all;
  for (const auto& row : rows) all.push_back(fmt::format("{} {} {} {}", row.path, row.records, row.removed, row.rejected));
  return all;
}

TEST(SourceRows, FewFilesStayAsTheyAre) {
  EXPECT_EQ(shown(source_rows({{"d/a", 1, 0, 0}, {"d/x/b", 5, 2, 1}}, {"d"})), (std::vector<std::string>{"d/x/b 5 2 1", "d/a 1 0 0"}));
}

TEST(SourceRows, ManyFilesAreSummedByWhatStandsInTheirDirectory) {
  std::vector<report::Source> files;
  for (int i = 0; i < 30; ++i) files.push_back({fmt::format("d/gov/{}.txt", i), 2, 1, 0});
  for (int i = 0; i < 10; ++i) files.push_back({fmt::format("d/news/deep/{}.txt", i), 1, 0, 1});
  files.push_back({"d/one.jsonl", 7, 0, 0});
  files.push_back({"dd/other.jsonl", 3, 0, 0});  // "dd" begins like "d", but is another directory
  std::vector<std::size_t> row_of;
  EXPECT_EQ(shown(source_rows(files, {"d/", "dd/other.jsonl"}, &row_of)),
            (std::vector<std::string>{"d/gov/ 60 30 0", "d/news/ 10 0 10", "d/one.jsonl 7 0 0", "dd/other.jsonl 3 0 0"}));
  ASSERT_EQ(row_of.size(), files.size());
  EXPECT_EQ(row_of[29], 0U);
  EXPECT_EQ(row_of[30], 1U);
  EXPECT_EQ(row_of[41], 3U);
}

TEST(SourceRows, VeryManyEntriesAreSummedByTheirBeginnings) {
  std::vector<report::Source> files;
  for (int i = 0; i < 40; ++i) files.push_back({fmt::format("/doc/python3-{}/copyright", i), 1, 1, 0});
  for (int i = 0; i < 30; ++i)
    files.push_back({fmt::format("/doc/{}/copyright", std::string(1, static_cast<char>('a' + i % 26)) + std::to_string(i)), 1, 0, 0});
  files.push_back({"/doc/perl-base/copyright", 1, 0, 0});
  EXPECT_EQ(shown(source_rows(files, {"/doc"})), (std::vector<std::string>{"/doc/python3-* 40 40 0", "/doc/… (31 others) 31 0 0"}));
}

TEST(SourceRows, NothingIsLostAndTheRowsAreFew) {
  std::vector<report::Source> files;
  for (std::uint64_t i = 0; i < 1000; ++i) files.push_back({fmt::format("in/{}x/{}", i % 300, i), i % 7, i % 3, i % 2});
  const auto rows = source_rows(files, {"in"});
  EXPECT_EQ(rows.size(), most_source_rows + 1);
  const auto total = [](const std::vector<report::Source>& all) {
    report::Source sum;
    for (const auto& row : all) sum.records += row.records, sum.removed += row.removed, sum.rejected += row.rejected;
    return shown({sum});
  };
  EXPECT_EQ(total(rows), total(files));
  EXPECT_EQ(rows.back().path, "in/… (280 others)");
}

TEST(SourceRows, EntriesOfOneRecordEachAreOneRow) {
  std::vector<report::Source> files;
  for (int i = 0; i < 100; ++i) files.push_back({fmt::format("in/{}", i), 1, 0, 0});
  EXPECT_EQ(shown(source_rows(files, {"in"})), (std::vector<std::string>{"in/… (100 entries) 100 0 0"}));
}

}  // namespace
}  // namespace leitong::outputs
