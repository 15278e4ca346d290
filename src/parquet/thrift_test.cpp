#include "parquet/thrift.h"

#include <gtest/gtest.h>

#include "leitong/error.h"

namespace leitong::parquet {
namespace {

TEST(Thrift, ReadsWhatItWrites) {
  ThriftWriter writer;
  writer.i32(1, -7);
  writer.boolean(2, true);
  writer.i64(40, std::int64_t{1} << 62);  // a step beyond 15
  writer.begin_struct(41);
  writer.binary(1, "name");
  writer.end_struct();
  writer.begin_list(42, ThriftType::i32, 20);  // a long list
  for (int i = 0; i < 20; ++i) writer.element_i32(i - 10);
  const std::string bytes = writer.take();

  ThriftReader reader(bytes);
  ThriftReader::Struct body(reader);
  ThriftReader::Field field;
  ASSERT_TRUE(body.next(field));
  EXPECT_EQ(reader.integer(field), -7);
  ASSERT_TRUE(body.next(field));
  EXPECT_TRUE(reader.boolean(field));
  ASSERT_TRUE(body.next(field));
  EXPECT_EQ(field.id, 40);
  EXPECT_EQ(reader.integer(field), std::int64_t{1} << 62);
  ASSERT_TRUE(body.next(field));
  reader.skip(field.type);
  ASSERT_TRUE(body.next(field));
  ASSERT_EQ(reader.list(field, ThriftType::i32), 20U);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(reader.list_integer(), i - 10);
  EXPECT_FALSE(body.next(field));
  EXPECT_EQ(reader.position(), bytes.size());
}

TEST(Thrift, RefusesWhatEndsTooEarlyAndSaysSo) {
  ThriftWriter writer;
  writer.binary(1, "a string of some length");
  const std::string bytes = writer.take();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ThriftReader reader(std::string_view(bytes).substr(0, size));
    EXPECT_THROW(
        {
          ThriftReader::Struct body(reader);
          for (ThriftReader::Field field; body.next(field);) static_cast<void>(reader.binary(field));
        },
        Error);
    EXPECT_TRUE(reader.ended());
  }
}

TEST(Thrift, RefusesDeepNestingAndHugeLists) {
  const std::string deep(1000, '\x1C');  // field 1 is a struct whose field 1 is ...
  ThriftReader nested(deep);
  EXPECT_THROW(nested.skip(ThriftType::structure), Error);
  const std::string lists(1000, '\x19');  // a list of a list of ...
  ThriftReader list(lists);
  EXPECT_THROW(list.skip(ThriftType::list), Error);
  ThriftReader huge("\xF8\xFF\xFF\xFF\xFF\x0F");  // a list of 2^32 strings
  EXPECT_THROW(huge.skip(ThriftType::list), Error);
}

}  // namespace
}  // namespace leitong::parquet
