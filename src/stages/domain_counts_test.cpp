#include "stages/domain_counts.h"

#include <gtest/gtest.h>

namespace leitong::stages {
namespace {

TEST(DomainCounts, ListsTheLargestAndSumsUpTheRest) {
  DomainCounts counts;
  for (int i = 0; i < 3; ++i) counts.add("b.com", i == 0);
  counts.add("c.com", false);
  counts.add("a.com", true);
  const auto two = counts.largest(2);
  ASSERT_EQ(two.size(), 3U);
  EXPECT_EQ(two[0].path, "b.com");
  EXPECT_EQ(two[0].records, 3U);
  EXPECT_EQ(two[0].removed, 1U);
  EXPECT_EQ(two[1].path, "a.com");
  EXPECT_EQ(two[2].path, "(1 more domains)");
  EXPECT_EQ(two[2].records, 1U);
  EXPECT_EQ(counts.largest(3).size(), 3U);
}

TEST(DomainCounts, HoldsNoMoreThanItMay) {
  DomainCounts counts(2);
  for (const char* host : {"a", "b", "c", "d", "a"}) counts.add(host, false);
  const auto all = counts.largest(10);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].records, 2U);
  EXPECT_EQ(all[2].path, "(other domains)");
  EXPECT_EQ(all[2].records, 2U);
}

}  // namespace
}  // namespace leitong::stages
