// Files written and read here; damage and hostile claims. Files of other writers: tests/parquet.

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "leitong/error.h"
#include "parquet/memory_file_test.h"
#include "parquet/row_json.h"
#include "parquet/table.h"
#include "parquet/thrift.h"
#include "parquet/writer.h"

namespace leitong::parquet {
namespace {

const std::vector<FlatField> fields{
    {"text", FlatType::string}, {"n", FlatType::int64, true}, {"u", FlatType::uint64}, {"ok", FlatType::boolean}, {"d", FlatType::float64}};

// `rows` rows, the same for the same number; some are null.
std::string write(std::size_t rows, WriterOptions options = {}) {
  const Schema schema = flat_schema(fields);
  std::string file;
  Writer writer([&](std::string_view bytes) { file += bytes; }, schema, std::move(options));
  std::mt19937 random(3);
  for (std::size_t done = 0; done < rows;) {
    const std::size_t part = std::min<std::size_t>(rows - done, 1 + random() % 700);
    FlatColumn text(schema, 0), number(schema, 1), natural(schema, 2), truth(schema, 3), real(schema, 4);
    for (std::size_t i = done; i < done + part; ++i) {
      if (i % 5 == 0) {
        text.add_null();
        natural.add_null();
        truth.add_null();
        real.add_null();
      } else {
        text.add("text " + std::string(i % 40, 'x') + std::to_string(i));
        natural.add(-static_cast<std::int64_t>(i));
        truth.add(i % 3 == 0);
        real.add(static_cast<double>(i) / 4);
      }
      number.add(static_cast<std::int64_t>(i % 7));
    }
    Batch batch;
    batch.rows = static_cast<std::uint32_t>(part);
    for (FlatColumn* column : {&text, &number, &natural, &truth, &real}) batch.columns.push_back(column->take());
    writer.append(batch, 0, batch.rows);
    done += part;
  }
  writer.finish();
  return file;
}

std::string row(std::size_t i) {
  const std::string n = std::to_string(i % 7);
  if (i % 5 == 0) return R"({"text":null,"n":)" + n + R"(,"u":null,"ok":null,"d":null})";
  std::string d;
  append_value_json(
      d, flat_schema(fields).leaf(4),
      [&] {
        FlatColumn one(flat_schema(fields), 4);
        one.add(static_cast<double>(i) / 4);
        return one.take();
      }(),
      0);
  return R"({"text":"text )" + std::string(i % 40, 'x') + std::to_string(i) + R"(","n":)" + n + R"(,"u":)" +
         std::to_string(-static_cast<std::uint64_t>(i)) + R"(,"ok":)" + (i % 3 == 0 ? "true" : "false") + R"(,"d":)" + d + "}";
}

std::unique_ptr<Table> open(std::string bytes, const Limits& limits = {}) {
  return open_table(std::make_shared<MemoryFile>(std::move(bytes)), "a.parquet", limits);
}

std::vector<std::string> read(const Table& table, const BatchSize& size = {}) {
  std::vector<std::string> rows;
  const RowJson json(table.schema());
  const std::unique_ptr<RowReader> reader = table.read_all();
  for (Batch batch; reader->next(batch, size);) {
    for (std::size_t i = 0; i < batch.rows; ++i) json.append(rows.emplace_back(), batch, i);
  }
  return rows;
}

std::string refusal(const std::string& bytes, const Limits& limits = {}) {
  try {
    static_cast<void>(read(*open(bytes, limits)));
  } catch (const Error& error) {
    return error.what();
  }
  return "not refused";
}

TEST(Parquet, ReadsWhatItWrites) {
  for (const Codec codec : {Codec::none, Codec::snappy, Codec::gzip, Codec::zstd, Codec::lz4_raw}) {
    for (const std::size_t rows : {0U, 1U, 5000U}) {
      const std::unique_ptr<Table> table = open(write(rows, {.codec = codec, .row_group_rows = 1999, .page_bytes = 3000}));
      ASSERT_EQ(table->rows(), rows);
      ASSERT_EQ(table->group_starts().size(), rows == 5000 ? 4U : rows + 1);
      const std::vector<std::string> found = read(*table, {.rows = 100, .bytes = 500});
      ASSERT_EQ(found.size(), rows);
      for (std::size_t i = 0; i < rows; ++i) ASSERT_EQ(found[i], row(i));
    }
  }
}

TEST(Parquet, ADictionaryIsWrittenWhereItPays) {
  WriterOptions with{.codec = Codec::none}, without{.codec = Codec::none, .dictionary_bytes = 0};
  EXPECT_LT(write(20'000, with).size() + 20'000 * 7, write(20'000, without).size());  // n has seven values of eight bytes
}

TEST(Parquet, SeeksAnyRow) {
  const std::unique_ptr<Table> table = open(write(5000, {.row_group_rows = 1999, .page_bytes = 3000}));
  const std::unique_ptr<RowReader> reader = table->read_all();
  const RowJson json(table->schema());
  std::mt19937 random(4);
  Batch batch;
  for (int i = 0; i < 300; ++i) {
    const std::uint64_t wanted = random() % 5000;
    reader->seek(wanted);
    ASSERT_TRUE(reader->next(batch, {.rows = 1 + static_cast<std::uint32_t>(random() % 3)}));
    std::string found;
    json.append(found, batch, batch.rows - 1);
    ASSERT_EQ(found, row(wanted + batch.rows - 1));
  }
  EXPECT_THROW(reader->seek(5001), Error);
  reader->seek(5000);
  EXPECT_FALSE(reader->next(batch));
}

TEST(Parquet, BatchesOwnWhatTheyShow) {
  Batch batch;
  {
    const std::unique_ptr<Table> table = open(write(100));
    ASSERT_TRUE(table->read_all()->next(batch));
  }
  EXPECT_EQ(batch.columns[0].text(1), "text x1");
  EXPECT_EQ(batch.columns[0].text(5), std::nullopt);
}

TEST(Parquet, NamesWhatIsDamaged) {
  const std::string whole = write(1000, {.codec = Codec::none});
  EXPECT_NE(refusal("").find("a.parquet"), std::string::npos);
  EXPECT_NE(refusal(whole.substr(0, 100)).find("cut off"), std::string::npos);
  std::string flipped = whole;
  flipped[200] = static_cast<char>(flipped[200] ^ 1);
  const std::string error = refusal(flipped);
  EXPECT_NE(error.find("a.parquet: row group 0, column text, at byte 4: a page's checksum is wrong"), std::string::npos) << error;
  const std::string encrypted = whole.substr(0, whole.size() - 4) + "PARE";
  EXPECT_NE(refusal(encrypted).find("encrypted"), std::string::npos);
}

TEST(Parquet, DamageAnywhereIsAnErrorOrOtherRows) {
  const std::string whole = write(60, {.codec = Codec::none, .page_bytes = 200});
  std::mt19937 random(5);
  for (std::size_t place = 0; place < whole.size(); ++place) {
    std::string damaged = whole;
    damaged[place] = static_cast<char>(random());
    static_cast<void>(refusal(damaged));
    static_cast<void>(refusal(whole.substr(0, place)));
  }
}

// A file of one page, whose header is made as told.
std::string one_page(std::int32_t size, std::int32_t packed_size, std::int32_t values, std::string_view body) {
  ThriftWriter header;
  header.i32(1, 0);
  header.i32(2, size);
  header.i32(3, packed_size);
  header.begin_struct(5);
  header.i32(1, values);
  header.i32(2, 0);
  header.i32(3, 3);
  header.i32(4, 3);
  header.end_struct();
  std::string file = "PAR1" + header.take() + std::string(body);
  const FlatField text[] = {{"t", FlatType::string, true}};
  const Schema schema = flat_schema(text);
  ThriftWriter footer;
  footer.i32(1, 2);
  footer.begin_list(2, ThriftType::structure, 2);
  for (const Node& node : schema.nodes()) footer.element_raw(node.thrift);
  footer.i64(3, values);
  footer.begin_list(4, ThriftType::structure, 1);
  footer.begin_element();
  footer.begin_list(1, ThriftType::structure, 1);
  footer.begin_element();
  footer.begin_struct(3);
  footer.i32(1, 6);
  footer.i32(4, 6);  // zstd
  footer.i64(5, values);
  footer.i64(7, static_cast<std::int64_t>(file.size()) - 4);
  footer.i64(9, 4);
  footer.end_struct();
  footer.end_struct();
  footer.i64(3, values);
  footer.end_struct();
  const std::string encoded = footer.take();
  const auto length = static_cast<std::uint32_t>(encoded.size());
  return file + encoded + std::string(reinterpret_cast<const char*>(&length), 4) + "PAR1";
}

TEST(Parquet, ClaimsAreNotBelieved) {
  EXPECT_NE(refusal(one_page(2'000'000'000, 5, 1, "abcde")).find("a page of 2000000000 bytes"), std::string::npos);
  EXPECT_NE(refusal(one_page(900'000'000, 5, 1, "abcde")).find("would become"), std::string::npos);
  EXPECT_NE(refusal(one_page(8, 5, 2'000'000'000, "abcde")).find("would have 2000000000 values"), std::string::npos);
  EXPECT_NE(refusal(one_page(8, 500, 1, "abcde")).find("beyond the file's data"), std::string::npos);
  EXPECT_NE(refusal(one_page(8, 5, 1, "abcde")).find("broken zstd data"), std::string::npos);
  EXPECT_NE(refusal(one_page(-1, 5, 1, "abcde")).find("negative"), std::string::npos);
  Limits small;
  small.value_bytes = 3;
  EXPECT_NE(refusal(write(10), small).find("at most 3 are read"), std::string::npos);
}

TEST(Parquet, RefusesWhatIsNeitherFormat) {
  EXPECT_EQ(table_format("PAR1...."), TableFormat::parquet);
  EXPECT_EQ(table_format("ARROW1\0\0"), TableFormat::arrow_file);
  EXPECT_EQ(table_format("{\"text\":"), std::nullopt);
  EXPECT_TRUE(may_be_arrow_stream(std::string_view("\xFF\xFF\xFF\xFF\x78\x00\x00\x00", 8)));
  EXPECT_FALSE(may_be_arrow_stream("{\"text\":"));
  EXPECT_NE(refusal("{\"text\": \"a\"}").find("neither"), std::string::npos);
}

TEST(Parquet, TheWriterRefusesOtherColumns) {
  const Schema schema = flat_schema(fields);
  Writer writer([](std::string_view) {}, schema, {});
  Batch batch;
  batch.rows = 1;
  EXPECT_THROW(writer.append(batch, 0, 1), Error);
  EXPECT_THROW(Writer([](std::string_view) {}, schema, {.codec = Codec::brotli}), Error);
  FlatColumn number(schema, 1);
  EXPECT_THROW(number.add_null(), Error);
  EXPECT_THROW(number.add("text"), Error);
}

}  // namespace
}  // namespace leitong::parquet
