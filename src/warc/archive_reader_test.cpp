#include "warc/archive_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "warc/made_archive_test.h"

namespace leitong::warc {
namespace {

std::string page(int i) { return "<html><p>The page of number " + std::to_string(i) + std::string(200, 'x') + "</html>"; }

std::vector<std::string> three() { return {response("a", page(1)), response("b", page(2)), response("c", page(3))}; }

std::string joined(const std::vector<std::string>& parts) {
  std::string all;
  for (const std::string& part : parts) all += part;
  return all;
}

// The records without the line ends behind them, as a reader gives them.
std::vector<std::string> plain(std::vector<std::string> records) {
  for (std::string& record : records) record.resize(record.size() - 4);
  return records;
}

TEST(ArchiveReader, ReadsThePackingsAlike) {
  const auto records = three();
  std::string members, frames, lz4;
  for (const std::string& record : records) members += gzip_member(record), frames += zstd_frame(record), lz4 += lz4_frame(record);
  for (const std::string& bytes : {joined(records), members, frames, lz4, gzip_member(joined(records)), zstd_frame(joined(records)),
                                   gzip_member(joined(records).substr(0, 300)) + gzip_member(joined(records).substr(300))}) {
    const FoundRecords found = read_archive(bytes);
    EXPECT_EQ(found.records, plain(records));
    EXPECT_TRUE(found.damage.empty());
  }
}

TEST(ArchiveReader, APlaceIsThatOfTheMemberOfARecordThatIsAlone) {
  const auto records = three();
  const std::string first = gzip_member(records[0]), second = gzip_member(records[1] + records[2]);
  const FoundRecords found = read_archive(first + second);
  ASSERT_EQ(found.places.size(), 3U);
  EXPECT_FALSE(found.places[0].in_stream);
  EXPECT_EQ(found.places[0].offset, 0U);
  EXPECT_EQ(found.places[0].length, first.size());
  EXPECT_TRUE(found.places[1].in_stream);
  EXPECT_EQ(found.places[1].offset, records[0].size());
  EXPECT_EQ(found.places[1].length, records[1].size() - 4);
  EXPECT_EQ(found.places[2].offset, records[0].size() + records[1].size());
  const FoundRecords unpacked = read_archive(joined(records));
  EXPECT_EQ(unpacked.places[1].offset, records[0].size());
  EXPECT_FALSE(unpacked.places[1].in_stream);
}

TEST(ArchiveReader, HowTheBytesArriveDoesNotMatter) {
  std::string bytes;
  for (int i = 0; i < 40; ++i) bytes += gzip_member(response("r" + std::to_string(i), page(i)));
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
  const FoundRecords whole = read_archive(bytes);
  for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::size_t{1000}}) {
    std::size_t at = 0;
    // Fewer bytes than asked for are the end, so that short reads are put together here as streams do.
    const FoundRecords again = read_archive({}, {}, [&](char* out, std::size_t size) {
      std::size_t got = 0;
      for (std::size_t part = 1; got < size && part > 0; got += part) {
        part = std::min({step, size - got, bytes.size() - at});
        bytes.copy(out + got, part, at);
        at += part;
      }
      return got;
    });
    EXPECT_EQ(again.records, whole.records);
    EXPECT_EQ(again.damage, whole.damage);
  }
  EXPECT_GE(whole.records.size(), 39U);
  EXPECT_EQ(whole.damage.size(), 1U);
}

// A large member is unpacked piece by piece, a small one at once.
TEST(ArchiveReader, LargeMembersGiveWhatSmallOnesGive) {
  std::string body;
  for (std::size_t i = 0; body.size() < (9U << 20); ++i) body += "line " + std::to_string(i * 7919) + "\n";
  const std::string large = response("large", body);
  const FoundRecords found = read_archive(gzip_member(large) + gzip_member(response("small", page(1))));
  ASSERT_EQ(found.records.size(), 2U);
  EXPECT_EQ(found.records[0], large.substr(0, large.size() - 4));
  EXPECT_EQ(found.places[0].length, gzip_member(large).size());
}

TEST(ArchiveReader, DamageInAMemberCostsThatMember) {
  std::vector<std::string> members;
  for (int i = 0; i < 5; ++i) members.push_back(gzip_member(response("r" + std::to_string(i), page(i))));
  const std::size_t begin = members[0].size() + members[1].size(), size = members[2].size();
  for (std::size_t at = 0; at < size; ++at) {
    for (const char flip : {char(0x01), char(0x80), char(0xFF)}) {
      std::string bytes = joined(members);
      bytes[begin + at] = static_cast<char>(bytes[begin + at] ^ flip);
      const FoundRecords found = read_archive(bytes);
      // The time and the like in the member's header may change without harm.
      ASSERT_GE(found.records.size(), 4U) << at;
      EXPECT_TRUE(found.records.size() == 5 || !found.damage.empty()) << at;
      EXPECT_EQ(found.records.back().substr(0, 60), response("r4", page(4)).substr(0, 60)) << at;
    }
  }
}

TEST(ArchiveReader, AMemberBehindABrokenOneHasItsOwnPlace) {
  const std::string first = gzip_member(response("a", page(1))), second = gzip_member(response("b", page(2)));
  std::string broken = first;
  broken[10] = '\x07';  // a block of a type that there is not: nothing is unpacked
  const FoundRecords found = read_archive(broken + second);
  ASSERT_EQ(found.places.size(), 1U);
  EXPECT_EQ(found.places[0].offset, first.size());
  EXPECT_EQ(found.places[0].length, second.size());
}

TEST(ArchiveReader, AFrameOfZstdThatIsBrokenCostsThatFrame) {
  std::vector<std::string> frames;
  for (int i = 0; i < 5; ++i) frames.push_back(zstd_frame(response("r" + std::to_string(i), page(i))));
  std::string bytes = joined(frames);
  bytes[frames[0].size() + 6] = static_cast<char>(bytes[frames[0].size() + 6] ^ 0xFF);
  const FoundRecords found = read_archive(bytes);
  EXPECT_GE(found.records.size(), 4U);
  EXPECT_FALSE(found.damage.empty());
}

TEST(ArchiveReader, AWrongLengthCostsNoOtherRecord) {
  auto records = three();
  for (const char* wrong : {"1", "99999", "x", ""}) {
    std::string middle = records[1];
    const std::size_t at = middle.find("Content-Length: ") + 16;
    middle.replace(at, middle.find('\r', at) - at, wrong);
    for (const bool packed : {false, true}) {
      const FoundRecords found =
          read_archive(packed ? gzip_member(records[0]) + gzip_member(middle) + gzip_member(records[2]) : records[0] + middle + records[2]);
      ASSERT_EQ(found.records.size(), 3U) << wrong << packed;
      EXPECT_EQ(found.records[0], plain(records)[0]);
      EXPECT_EQ(found.records[2], plain(records)[2]);
    }
  }
}

TEST(ArchiveReader, ARecordThatIsCutOffIsGivenAsFarAsItGoes) {
  const auto records = three();
  const std::string bytes = joined(records);
  const FoundRecords found = read_archive(bytes.substr(0, bytes.size() - 100));
  ASSERT_EQ(found.records.size(), 3U);
  EXPECT_TRUE(found.cut[2]);
  const std::string packed = gzip_member(bytes);
  const FoundRecords cut = read_archive(packed.substr(0, packed.size() - 20));
  EXPECT_GE(cut.records.size(), 2U);
  ASSERT_GE(cut.damage.size(), 1U);
  EXPECT_NE(cut.damage.back().find("cut off"), std::string::npos);
  EXPECT_TRUE(cut.last);
}

TEST(ArchiveReader, WhatStandsBetweenRecordsIsPassedOver) {
  const auto records = three();
  const FoundRecords found = read_archive(records[0] + "some rubbish\r\nof two lines\r\n" + records[1] + records[2]);
  EXPECT_EQ(found.records, plain(records));
  ASSERT_EQ(found.damage.size(), 1U);
  EXPECT_NE(found.damage[0].find("28 bytes passed over"), std::string::npos) << found.damage[0];
}

TEST(ArchiveReader, LongRecordsArePassedOverByTheirLength) {
  ArchiveLimits limits;
  limits.block = 1000;
  const std::string bytes = response("a", page(1)) + response("long", std::string(5000, 'y')) + response("c", page(3));
  for (const std::string& each : {bytes, gzip_member(bytes)}) {
    const FoundRecords found = read_archive(each, limits);
    EXPECT_EQ(found.records.size(), 2U);
    EXPECT_EQ(found.too_long, 1U);
    EXPECT_TRUE(found.damage.empty());
  }
  // A length beyond the file does not take the rest with it.
  std::string lie = response("lie", page(2));
  lie.replace(lie.find("Content-Length: ") + 16, 3, "9999999999");
  const FoundRecords found = read_archive(response("a", page(1)) + lie + response("c", page(3)), limits);
  EXPECT_EQ(found.records.size(), 2U);
  EXPECT_EQ(found.too_long, 1U);
}

TEST(ArchiveReader, AMemberThatUnpacksToTooMuchIsGivenUp) {
  ArchiveLimits limits;
  limits.expansion = 100;
  const std::string bomb = gzip_member(warc_record("response", "bomb", std::string(100U << 20, '\0')));
  const FoundRecords found = read_archive(bomb + gzip_member(response("after", page(1))), limits);
  ASSERT_EQ(found.records.size(), 1U);
  ASSERT_GE(found.damage.size(), 1U);
  EXPECT_NE(found.damage[0].find("--max-expansion"), std::string::npos);
}

TEST(ArchiveReader, ADictionaryStandsInFront) {
  std::vector<std::string> records;
  for (int i = 0; i < 50; ++i) records.push_back(response("r" + std::to_string(i), page(i)));
  const std::string dictionary = records[0] + records[1];  // of content alone
  std::string frames;
  for (const std::string& record : records) frames += zstd_frame(record, dictionary);
  for (const std::string& content : {dictionary, zstd_frame(dictionary)}) {
    const FoundRecords found = read_archive(skippable_frame(content) + frames);
    EXPECT_EQ(found.records, plain(records));
    EXPECT_TRUE(found.damage.empty());
    EXPECT_EQ(found.places[0].offset, skippable_frame(content).size());
  }
  // Other skippable frames are passed by, wherever they stand.
  std::string mixed;
  for (int i = 0; i < 3; ++i) mixed += zstd_frame(records[i]) + skippable_frame("a table", 0x184D2A5E);
  EXPECT_EQ(read_archive(mixed).records.size(), 3U);
}

TEST(ArchiveReader, ReadsArc) {
  const std::string head = "filedesc://a.arc 0.0.0.0 20140216050221 text/plain 13\n1 0 Somebody\n\n";
  const std::string block = http_block(page(1));
  const std::string record = "http://example.com/a b?c d 1.2.3.4 20140216050222 text/html " + std::to_string(block.size()) + "\n" + block;
  for (const std::string& bytes :
       {head + "\n" + record + "\n" + record + "\n", gzip_member(head + "\n") + gzip_member(record + "\n") + gzip_member(record + "\n")}) {
    const FoundRecords found = read_archive(bytes);
    ASSERT_EQ(found.records.size(), 3U);
    EXPECT_EQ(found.records[1], record);
    EXPECT_EQ(found.records[2], record);
  }
}

TEST(ArchiveReader, AnswersToWhatIsNoArchive) {
  for (const char* bytes :
       {"", "\n\n", "hello", "WARC/1.0", "WARC/1.0\r\n\r\n", "\x1f\x8b\x08", "filedesc://", "\x5d\x2a\x4d\x18\xff\xff\xff\xff"}) {
    const FoundRecords found = read_archive(bytes);
    EXPECT_LE(found.records.size(), 1U) << bytes;
  }
  EXPECT_EQ(read_archive("hello").damage.size(), 1U);
  EXPECT_TRUE(read_archive("hello").last);
}

}  // namespace
}  // namespace leitong::warc
