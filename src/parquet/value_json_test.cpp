#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include "parquet/row_json.h"

namespace leitong::parquet {
namespace {

std::string shown(Physical physical, const LogicalType& type, std::string_view bytes) {
  Node node;
  node.physical = physical;
  node.logical = type;
  node.width = physical == Physical::bytes ? 0 : static_cast<std::uint32_t>(bytes.size());
  Column column;
  column.entries = 1;
  if (physical == Physical::bytes) {
    column.strings.push_back(bytes);
  } else {
    const auto* data = reinterpret_cast<const std::byte*>(bytes.data());
    column.values.assign(data, data + bytes.size());
  }
  std::string out;
  append_value_json(out, node, column, 0);
  return out;
}

template <typename T>
std::string shown(Physical physical, const LogicalType& type, T value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  return shown(physical, type, std::string_view(bytes, sizeof value));
}

TEST(ValueJson, Dates) {
  const LogicalType date{.kind = Logical::date};
  EXPECT_EQ(shown(Physical::int32, date, std::int32_t{0}), "\"1970-01-01\"");
  EXPECT_EQ(shown(Physical::int32, date, std::int32_t{19782}), "\"2024-02-29\"");
  EXPECT_EQ(shown(Physical::int32, date, std::int32_t{-1}), "\"1969-12-31\"");
  EXPECT_EQ(shown(Physical::int32, date, std::int32_t{-719528}), "\"0000-01-01\"");
  EXPECT_EQ(shown(Physical::int32, date, std::int32_t{2932897}), "\"+010000-01-01\"");
}

TEST(ValueJson, TimestampsBeforeTheEpoch) {
  EXPECT_EQ(shown(Physical::int64, {.kind = Logical::timestamp, .unit = Unit::micros, .utc = true}, std::int64_t{-1}),
            "\"1969-12-31T23:59:59.999999Z\"");
  EXPECT_EQ(shown(Physical::int64, {.kind = Logical::timestamp, .unit = Unit::nanos}, std::int64_t{1}),
            "\"1970-01-01T00:00:00.000000001\"");
}

TEST(ValueJson, Decimals) {
  const LogicalType two{.kind = Logical::decimal, .scale = 2, .precision = 9};
  EXPECT_EQ(shown(Physical::int32, two, std::int32_t{-5}), "-0.05");
  EXPECT_EQ(shown(Physical::int32, two, std::int32_t{1230}), "12.30");
  EXPECT_EQ(shown(Physical::bytes, two, std::string_view("\xFF\x7F", 2)), "-1.29");
  EXPECT_EQ(shown(Physical::bytes, two, std::string_view("\x00", 1)), "0.00");
  EXPECT_EQ(shown(Physical::int64, {.kind = Logical::decimal}, std::int64_t{INT64_MIN}), "-9223372036854775808");
}

TEST(ValueJson, StringsAndBytes) {
  EXPECT_EQ(shown(Physical::bytes, {.kind = Logical::string}, std::string_view("a\"\\\n\x01 中\xFF\xE4\xB8")),
            "\"a\\\"\\\\\\n\\u0001 中\xEF\xBF\xBD\xEF\xBF\xBD\"");
  EXPECT_EQ(shown(Physical::bytes, {}, std::string_view("ab")), "\"YWI=\"");
  EXPECT_EQ(shown(Physical::bytes, {}, std::string_view("")), "\"\"");
  EXPECT_EQ(shown(Physical::fixed, {.kind = Logical::uuid},
                  std::string_view("\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff", 16)),
            "\"00112233-4455-6677-8899-aabbccddeeff\"");
}

TEST(ValueJson, Numbers) {
  EXPECT_EQ(shown(Physical::int32, {.kind = Logical::integer, .is_signed = false, .bits = 32}, std::int32_t{-1}), "4294967295");
  EXPECT_EQ(shown(Physical::int64, {.kind = Logical::integer, .is_signed = false, .bits = 64}, std::int64_t{-1}), "18446744073709551615");
  EXPECT_EQ(shown(Physical::float32, {}, 0.1F), "0.1");
  EXPECT_EQ(shown(Physical::float64, {}, 1e300), "1e+300");
  EXPECT_EQ(shown(Physical::float64, {}, std::numeric_limits<double>::quiet_NaN()), "null");
  EXPECT_EQ(shown(Physical::fixed, {.kind = Logical::float16}, std::string_view("\x00\x3C", 2)), "1");
  EXPECT_EQ(shown(Physical::fixed, {.kind = Logical::float16}, std::string_view("\x01\x00", 2)), "5.9604645e-08");
  EXPECT_EQ(shown(Physical::boolean, {}, std::uint8_t{1}), "true");
}

}  // namespace
}  // namespace leitong::parquet
