#include "cluster/keep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "cluster/date.h"
#include "leitong/error.h"

namespace leitong::cluster {
namespace {

KeepCandidate candidate(std::uint64_t record, std::uint64_t length, std::string_view source = "",
                        std::vector<std::string_view> fields = {}) {
  return {record, length, source, std::move(fields)};
}

// The first rule that tells two different records apart.
std::size_t deciding(const KeepPolicy& keep, const KeepCandidate& a, const KeepCandidate& b) {
  std::size_t rule = 0;
  while (rule + 1 < keep.rules() && keep.key(rule, a) == keep.key(rule, b)) ++rule;
  return rule;
}

bool better(const KeepPolicy& keep, const KeepCandidate& a, const KeepCandidate& b) {
  const std::size_t rule = deciding(keep, a, b);
  return keep.key(rule, a) < keep.key(rule, b);
}

// The rule by which the first stays; "-" if the second does.
std::string winner(std::string_view policy, const KeepCandidate& a, const KeepCandidate& b) {
  const KeepPolicy keep(policy);
  EXPECT_NE(better(keep, a, b), better(keep, b, a));
  return better(keep, a, b) ? keep.text(deciding(keep, a, b)) : "-";
}

std::string message_of(std::string_view policy) {
  try {
    const KeepPolicy keep(policy);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "";
}

TEST(KeepPolicy, LengthAndRecord) {
  EXPECT_EQ(winner("length:max,first", candidate(2, 20), candidate(1, 10)), "length:max");
  EXPECT_EQ(winner("length:min", candidate(2, 10), candidate(1, 20)), "length:min");
  EXPECT_EQ(winner("length:max,first", candidate(1, 10), candidate(2, 10)), "first");
  EXPECT_EQ(winner("length:max,last", candidate(2, 10), candidate(1, 10)), "last");
  EXPECT_EQ(winner("length:max", candidate(1, 10), candidate(2, 10)), "first") << "the last resort";
}

TEST(KeepPolicy, Central) {
  KeepCandidate alone = candidate(1, 20), amid = candidate(2, 10);
  amid.neighbours = 3, alone.neighbours = 1;
  EXPECT_EQ(winner("central,length:max", amid, alone), "central");
  EXPECT_EQ(winner("length:max,central", alone, amid), "length:max");
  alone.neighbours = 3;
  EXPECT_EQ(winner("central,length:max", alone, amid), "length:max");
  EXPECT_TRUE(KeepPolicy("first,central").fields().empty());
  EXPECT_FALSE(KeepPolicy("first,central").uses_neighbours()) << "it is never asked";
  EXPECT_TRUE(KeepPolicy("central").uses_neighbours());
  EXPECT_NE(message_of("central:max").find("write central alone"), std::string::npos);
}

TEST(KeepPolicy, Addresses) {
  EXPECT_EQ(KeepPolicy("url").fields(), (std::vector<std::string>{"url", "canonical"}));
  const auto at = [](std::string_view url, std::string_view canonical = "") { return candidate(2, 1, "", {url, canonical}); };
  const auto first = [](std::string_view url, std::string_view canonical = "") { return candidate(1, 1, "", {url, canonical}); };
  EXPECT_EQ(winner("url", at("http://a.com/"), first("http://a.com/?x=1")), "url");
  EXPECT_EQ(winner("url", at("https://a.com/longer"), first("http://a.com/")), "url");
  EXPECT_EQ(winner("url", at("http://a.com/longer", "http://a.com/longer"), first("https://a.com/", "http://a.com/longer")), "url");
  EXPECT_EQ(winner("url", at("ftp://a"), first("")), "url");
  EXPECT_EQ(winner("url", at("http://a.com/1"), first("http://a.com/2")), "-");
}

TEST(KeepPolicy, Sites) {
  EXPECT_EQ(KeepPolicy("site:a.com").fields(), (std::vector<std::string>{"site", "url"}));
  const auto at = [](std::uint64_t record, std::string_view url, std::string_view site = "") {
    return candidate(record, 1, "", {site, url});
  };
  EXPECT_EQ(winner("site:a.com", at(2, "http://A.com:80/x"), at(1, "http://b.com/x")), "site:a.com");
  EXPECT_EQ(winner("site:a.com", at(2, "https://user@www.a.com"), at(1, "http://nota.com/x")), "site:a.com");
  EXPECT_EQ(winner("site:a.com>b.com", at(2, "http://b.com"), at(1, "http://c.com/a.com")), "site:a.com>b.com");
  EXPECT_EQ(winner("site:a.com", at(2, "", "a.com"), at(1, "http://b.com/x")), "site:a.com");
  EXPECT_EQ(winner("site:a.com", at(2, "http://a.com/1"), at(1, "http://a.com/2")), "-");
}

TEST(KeepPolicy, Numbers) {
  EXPECT_EQ(winner("score:max", candidate(2, 1, "", {"10"}), candidate(1, 1, "", {"9.5"})), "score:max");
  EXPECT_EQ(winner("score:min", candidate(2, 1, "", {"-1e3"}), candidate(1, 1, "", {"9.5"})), "score:min");
  EXPECT_EQ(winner("score:min", candidate(2, 1, "", {"1"}), candidate(1, 1, "", {""})), "score:min") << "missing comes last";
  EXPECT_EQ(winner("score:max", candidate(2, 1, "", {"-5"}), candidate(1, 1, "", {"many"})), "score:max");
  EXPECT_EQ(winner("score:max", candidate(1, 1, "", {"nan"}), candidate(2, 1, "", {"inf"})), "first") << "both count as missing";
  EXPECT_EQ(winner("score:max", candidate(1, 1), candidate(2, 1)), "first") << "no fields carried along";
}

TEST(KeepPolicy, Dates) {
  EXPECT_EQ(winner("date:newest", candidate(2, 1, "", {"2024-05-01"}), candidate(1, 1, "", {"2024-04-30T23:59:59Z"})), "date:newest");
  EXPECT_EQ(winner("date:oldest", candidate(2, 1, "", {"2024-05-01T01:00+02:00"}), candidate(1, 1, "", {"2024-05-01"})), "date:oldest");
  EXPECT_EQ(winner("date:oldest", candidate(2, 1, "", {"2024"}), candidate(1, 1, "", {"yesterday"})), "date:oldest");
}

TEST(KeepPolicy, ListedValues) {
  EXPECT_EQ(winner("lang:zh>en", candidate(2, 1, "", {"zh"}), candidate(1, 1, "", {"en"})), "lang:zh>en");
  EXPECT_EQ(winner("lang:zh>en", candidate(2, 1, "", {"en"}), candidate(1, 1, "", {"fr"})), "lang:zh>en");
  EXPECT_EQ(winner("lang: zh > en ", candidate(1, 1, "", {"fr"}), candidate(2, 1, "", {"ZH"})), "first");
  EXPECT_EQ(winner("url:http://a>http://b", candidate(2, 1, "", {"http://a"}), candidate(1, 1, "", {"http://b"})), "url:http://a>http://b");
}

TEST(KeepPolicy, SourceIsTheFieldOrElseThePath) {
  const std::string_view policy = "source:gov>news";
  for (const std::string_view path : {"data/gov/a.jsonl", "gov.jsonl.gz", "x/gov-2024.csv", "gov2024.csv", "gov"}) {
    EXPECT_EQ(winner(policy, candidate(2, 1, path, {""}), candidate(1, 1, "news.jsonl", {""})), policy) << path;
  }
  for (const std::string_view path : {"government.csv", "a.gov.jsonl", "xgov/a.jsonl", "Gov.jsonl", "gov公报.jsonl"}) {
    EXPECT_EQ(winner(policy, candidate(2, 1, path, {""}), candidate(1, 1, "news.jsonl", {""})), "-") << path;
  }
  EXPECT_EQ(winner(policy, candidate(2, 1, "news.jsonl", {"gov"}), candidate(1, 1, "gov.jsonl", {"news"})), policy)
      << "the field comes first";
  EXPECT_EQ(winner(policy, candidate(2, 1, "", {"gov/harbour"}), candidate(1, 1, "", {"news/coast"})), policy) << "a part of the field";
  EXPECT_EQ(winner("source:gov/harbour", candidate(2, 1, "", {"gov/harbour"}), candidate(1, 1, "", {"gov/grid"})), "source:gov/harbour");
  EXPECT_EQ(winner("kind:gov", candidate(2, 1, "", {"gov/harbour"}), candidate(1, 1, "", {"news"})), "-")
      << "other fields: the value itself";
}

TEST(KeepPolicy, FieldsInOrderOfFirstUse) {
  const KeepPolicy keep("source:gov>news, meta.date:oldest, length:max, score:min, source:x, dc:date:newest, first");
  EXPECT_EQ(keep.fields(), (std::vector<std::string>{"source", "meta.date", "score", "dc:date"}));
  EXPECT_TRUE(KeepPolicy("length:max,first").fields().empty());
}

TEST(KeepPolicy, KeysFollowTheValues) {
  const KeepPolicy least("x:min"), greatest("x:max"), oldest("x:oldest");
  const std::vector<std::string_view> ascending{"-1e300", "-2", "-1", "-1e-300", "0", "1e-300", "0.5", "1", "1e300"};
  for (std::size_t i = 0; i + 1 < ascending.size(); ++i) {
    const auto small = candidate(1, 1, "", {ascending[i]}), large = candidate(1, 1, "", {ascending[i + 1]}), none = candidate(1, 1);
    EXPECT_LT(least.key(0, small), least.key(0, large)) << ascending[i];
    EXPECT_GT(greatest.key(0, small), greatest.key(0, large)) << ascending[i];
    EXPECT_LT(least.key(0, large), least.key(0, none));
    EXPECT_LT(greatest.key(0, small), greatest.key(0, none));
  }
  EXPECT_EQ(least.key(0, candidate(1, 1, "", {"-0"})), least.key(0, candidate(1, 1, "", {"0"})));
  EXPECT_LT(oldest.key(0, candidate(1, 1, "", {"0001"})), oldest.key(0, candidate(1, 1, "", {"1969"})));
  EXPECT_LT(oldest.key(0, candidate(1, 1, "", {"9999"})), oldest.key(0, candidate(1, 1, "", {"soon"})));
}

TEST(KeepPolicy, WhatStandsBehindATotalOrderIsNotAsked) {
  const KeepPolicy keep("length:max,last,x:max,first");
  EXPECT_EQ(keep.rules(), 2U);
  EXPECT_EQ(keep.text(1), "last");
  EXPECT_EQ(keep.fields(), std::vector<std::string>{"x"});
}

TEST(KeepPolicy, MessagesNameTheRuleAndWhatIsPossible) {
  for (const std::string_view bad :
       {"", " ", "longest", "date", "length:newest", "date:", ":max", "a:x>>y", "a:x>x", "first:max", "date:latest", "date:Newest"}) {
    const std::string message = message_of(bad);
    EXPECT_NE(message.find("FIELD:newest"), std::string::npos) << bad << ": " << message;
    if (!bad.empty() && bad != " ") {
      EXPECT_NE(message.find(bad), std::string::npos) << message;
    }
  }
  EXPECT_NE(message_of("length:max,,first").find("missing beside a comma"), std::string::npos);
  EXPECT_NE(message_of("date:latest").find("\"latest\" is no order: write date:newest"), std::string::npos);
  EXPECT_NE(message_of("score:MAX").find("write score:max"), std::string::npos);
  EXPECT_NE(message_of("length:longest").find("write length:max"), std::string::npos);
  EXPECT_EQ(KeepPolicy("date:latest>earliest").fields().size(), 1U);  // a list of values is what it says
  EXPECT_NE(message_of("first,longest").find("\"longest\": write length:max"), std::string::npos);
}

TEST(KeepPolicy, IsAStrictTotalOrder) {
  std::mt19937_64 random(1);
  const KeepPolicy keep("source:gov>news,date:oldest,score:max,length:max");
  const std::vector<std::string_view> sources{"gov.jsonl", "news.jsonl", "other.jsonl"};
  const std::vector<std::string_view> dates{"2020", "2021-02", "2021-02-01", "", "x"};
  const std::vector<std::string_view> scores{"1", "1.0", "2", "", "x"};
  for (int round = 0; round < 200; ++round) {
    std::vector<KeepCandidate> all;
    for (std::uint64_t record = 0; record < 12; ++record) {
      all.push_back(candidate(record, random() % 2, sources[random() % 3], {"", dates[random() % 5], scores[random() % 5]}));
    }
    std::shuffle(all.begin(), all.end(), random);
    std::sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return better(keep, a, b); });
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = 0; j < all.size(); ++j) ASSERT_EQ(better(keep, all[i], all[j]), i < j);
    }
  }
}

std::int64_t seconds(std::string_view text) { return parse_date(text).value_or(-1) / 1'000'000; }

TEST(Date, Forms) {
  EXPECT_EQ(seconds("1970"), 0);
  EXPECT_EQ(seconds("1970-02"), 31 * 86400);
  EXPECT_EQ(seconds("2000-02-29"), 951782400);
  EXPECT_EQ(seconds("2024-01-31T12:34:56Z"), 1706704496);
  EXPECT_EQ(seconds("2024-01-31 12:34:56"), 1706704496);
  EXPECT_EQ(seconds("2024-01-31T20:34:56+08:00"), 1706704496);
  EXPECT_EQ(seconds("2024-01-31T20:34:56+0800"), 1706704496);
  EXPECT_EQ(seconds("2024-01-31T07:04:56-05:30"), 1706704496);
  EXPECT_EQ(seconds("2024-01-31T20:34+08"), 1706704440);
  EXPECT_EQ(parse_date("1970-01-01T00:00:00.25Z"), 250'000);
  EXPECT_EQ(parse_date("1970-01-01T00:00:00.123456789Z"), 123'456);
  EXPECT_EQ(parse_date("1706704496.5"), 1706704496500000);
  EXPECT_EQ(parse_date("-1"), -1'000'000);
  EXPECT_EQ(seconds(" 1969-12-31 "), -86400);
}

TEST(Date, EverythingElseIsMissing) {
  for (const std::string_view text :
       {"", "x", "2024-13", "2024-02-30", "2023-02-29", "2024-01-01T", "2024-01-01T25:00", "2024-01-01T10", "2024/01/01",
        "2024-01-01T10:60", "2024-01-01Z", "2024-1-1", "1e300", "nan", "inf", "0x10", "+-1", "2024-01-01T10:00+99:00"}) {
    EXPECT_FALSE(parse_date(text)) << text;
  }
}

}  // namespace
}  // namespace leitong::cluster
