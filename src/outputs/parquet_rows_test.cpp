#include "outputs/parquet_rows.h"

#include <gtest/gtest.h>

#include "leitong/error.h"
#include "outputs/parquet_objects.h"
#include "parquet/row_json.h"
#include "records/made_parquet_test.h"
#include "support/temporary_directory.h"

namespace leitong::outputs {
namespace {

using records::MadeRow;
using records::parquet_bytes;

class ParquetRowsTest : public testing::Test {
 protected:
  ParquetRows::Source source(const std::string& name, const std::string& bytes) const {
    return records::open_column_file(records::write_bytes(directory_ / name, bytes), name);
  }
  parquet::Writer::Sink sink() {
    return [this](std::string_view part) { bytes_ += part; };
  }
  // What was written, as JSON.
  std::vector<std::string> rows() const {
    const auto file = source("out.parquet", bytes_);
    const auto objects = file->objects();
    std::vector<std::string> all;
    for (std::uint64_t row = 0; row < *file->rows(); ++row) objects->append(row, all.emplace_back());
    return all;
  }
  TemporaryDirectory directory_;
  std::string bytes_;
};

TEST_F(ParquetRowsTest, KeepSchemaMetadataRowGroupsAndValues) {
  const std::string input = parquet_bytes({{1, "a"}, {2, std::nullopt}, {std::nullopt, "c"}, {4, "d"}, {5, "e"}}, 2);
  ParquetRows out(sink(), source("in.parquet", input), "in.parquet", "");
  out.begin(source("in.parquet", input), "in.parquet");
  for (const std::uint64_t row : {0, 1, 2, 4}) out.add(row, {});
  out.finish();
  EXPECT_EQ(rows(), (std::vector<std::string>{R"({"id":1,"text":"a"})", R"({"id":2,"text":null})", R"({"id":null,"text":"c"})",
                                              R"({"id":5,"text":"e"})"}));
  const auto written = source("out.parquet", bytes_);
  EXPECT_EQ(written->metadata(), source("in.parquet", input)->metadata());
  const std::vector<std::uint64_t> groups(written->group_starts().begin(), written->group_starts().end());
  EXPECT_EQ(groups, (std::vector<std::uint64_t>{0, 2, 4}));
}

TEST_F(ParquetRowsTest, SeveralSourcesMakeOneFileIfTheirColumnsAreTheSame) {
  ParquetRows out(sink(), source("a.parquet", parquet_bytes({{1, "a"}})), "a.parquet", "");
  out.begin(source("a.parquet", parquet_bytes({{1, "a"}})), "a.parquet");
  out.add(0, {});
  out.begin(source("b.parquet", parquet_bytes({{2, "b"}, {3, "c"}})), "b.parquet");
  out.add(1, {});
  try {
    out.begin(source("c.parquet", parquet_bytes({{2, "b"}}, 10, "body")), "c.parquet");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, 50), "c.parquet: its columns are not those of a.parquet,");
  }
  out.finish();
  EXPECT_EQ(rows(), (std::vector<std::string>{R"({"id":1,"text":"a"})", R"({"id":3,"text":"c"})"}));
}

TEST_F(ParquetRowsTest, AnnotationsAreColumns) {
  const auto in = source("in.parquet", parquet_bytes({{1, "a"}, {2, "b"}, {3, "c"}}));
  ParquetRows out(sink(), in, "in.parquet", "leitong");
  out.begin(in, "in.parquet");
  out.add(0, {});
  out.add(2, {false, 7, "x", 12, 3});
  out.finish();
  const std::string none = R"(,"leitong_cluster":null,"leitong_dup_of":null,"leitong_dup_of_record":null,"leitong_distance":null})";
  EXPECT_EQ(rows(), (std::vector<std::string>{
                        R"({"id":1,"text":"a","leitong_keep":true)" + none,
                        R"({"id":3,"text":"c","leitong_keep":false,"leitong_cluster":7,"leitong_dup_of":"x","leitong_dup_of_record":12,)"
                        R"("leitong_distance":3})"}));
  const auto again = source("again.parquet", bytes_);
  EXPECT_THROW(ParquetRows(sink(), again, "again.parquet", "leitong"), Error);
}

TEST_F(ParquetRowsTest, FlatObjectsMakeTheirColumns) {
  ParquetObjects out(sink(), "");
  out.add(R"({"id":1,"text":"a","score":1})", "in:1", {});
  out.add(R"({"text":"b","score":0.5,"ok":true,"none":null})", "in:2", {});
  out.finish();
  EXPECT_EQ(rows(), (std::vector<std::string>{R"({"id":1,"text":"a","score":1,"ok":null,"none":null})",
                                              R"({"id":null,"text":"b","score":0.5,"ok":true,"none":null})"}));
}

TEST_F(ParquetRowsTest, ObjectsThatDoNotFitAreAnErrorThatNamesThem) {
  const auto message = [this](const std::string& last, std::size_t first) {
    ParquetObjects out([](std::string_view) {}, "");
    for (std::size_t i = 0; i < first; ++i) out.add(R"({"n":1})", "in:1", {});
    try {
      out.add(last, "in:9", {});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message(R"({"n":[1]})", 1).find("in:9: \"n\" is no plain value"), std::string::npos);
  EXPECT_NE(message(R"({"n":"x"})", ParquetObjects::first_records).find("in:9: \"n\" is a string, and a whole number in the first"),
            std::string::npos);
  EXPECT_NE(message(R"({"m":1})", ParquetObjects::first_records).find("in:9: a field \"m\" that none of the first 1000"),
            std::string::npos);
  EXPECT_EQ(message(R"({"n":2})", ParquetObjects::first_records), "");
}

}  // namespace
}  // namespace leitong::outputs
