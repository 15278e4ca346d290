#include "redis/redis_records.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "leitong/error.h"

namespace leitong::redis {
namespace {

TEST(PackedRecords, ReadBackInEveryForm) {
  std::mt19937_64 random(1);
  for (unsigned blocks = remote::least_blocks; blocks <= remote::most_blocks; ++blocks) {
    for (const bool number_ids : {false, true}) {
      const remote::BlockForm form{.blocks = blocks, .digits = remote::Digits::bytes, .least_first = blocks % 3 == 0};
      for (unsigned block = 0; block < blocks; ++block) {
        const RecordForm records(form, block, number_ids);
        std::string bytes;
        std::vector<std::pair<std::string, std::uint64_t>> rows;
        for (int i = 0; i < 20; ++i) {
          const std::uint64_t fingerprint = i == 0 ? 0 : i == 1 ? ~std::uint64_t{0} : random();
          const std::uint64_t number = i == 2 ? ~std::uint64_t{0} : random() >> (3 * i);
          rows.emplace_back(number_ids ? std::to_string(number) : std::string(static_cast<std::size_t>(i * i), static_cast<char>('a' + i)),
                            fingerprint);
          records.append(rows.back().first, fingerprint, bytes);
        }
        std::size_t at = 0, size = 0;
        std::string buffer;
        for (RecordReader reader(records, bytes); reader.next(); ++at) {
          ASSERT_LT(at, rows.size());
          EXPECT_EQ(id_text(records, reader.record().id, buffer), rows[at].first);
          EXPECT_EQ(records.whole(reader.rest(), remote::block_of(form, rows[at].second, block)), rows[at].second);
          EXPECT_EQ(records.rest_of(rows[at].second), reader.rest());
          size += reader.record().bytes.size();
        }
        EXPECT_EQ(at, rows.size());
        EXPECT_EQ(size, bytes.size());
      }
    }
  }
}

TEST(PackedRecords, Bytes) {
  const remote::BlockForm form{.blocks = 4};
  std::string bytes;
  RecordForm(form, 1, true).append("300", 0x0123'4567'89ab'cdef, bytes);
  EXPECT_EQ(bytes, std::string("\x01\x23\x89\xab\xcd\xef\xac\x02"));
  bytes.clear();
  RecordForm(form, 3, false).append("id", 0x0123'4567'89ab'cdef, bytes);
  EXPECT_EQ(bytes, std::string("\x01\x23\x45\x67\x89\xab\x02id"));
}

TEST(PackedRecords, WhatIsNone) {
  const remote::BlockForm form{.blocks = 4};
  const auto read = [&](const std::string& bytes, bool number_ids) {
    const RecordForm records(form, 0, number_ids);
    int count = 0;
    for (RecordReader reader(records, bytes); reader.next();) ++count;
    return count;
  };
  EXPECT_EQ(read("", true), 0);
  EXPECT_EQ(read("123456x", true), 1);
  EXPECT_EQ(read(std::string("123456\0", 7), false), 1);
  for (const char* bytes : {"1", "123456", "123456\x80", "123456\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80"}) {
    EXPECT_THROW((void)read(bytes, true), Error) << bytes;
    EXPECT_THROW((void)read(bytes, false), Error) << bytes;
  }
  EXPECT_THROW((void)read("123456\x02x", false), Error);
  EXPECT_THROW((void)read("123456\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01x", false), Error);
  std::string out;
  EXPECT_THROW(RecordForm(form, 0, true).append("a", 0, out), Error);
  for (const char* id : {"", "01", "-1", "+1", "1 ", "18446744073709551616", "x"}) EXPECT_FALSE(number_of_id(id)) << id;
  EXPECT_EQ(number_of_id("18446744073709551615"), ~std::uint64_t{0});
  EXPECT_EQ(number_of_id("0"), 0U);
}

}  // namespace
}  // namespace leitong::redis
