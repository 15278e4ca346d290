#include "records/column_file.h"

#include <sys/stat.h>

#include <thread>

#include "leitong/error.h"
#include "records/made_parquet_test.h"
#include "records/read_input_test.h"

namespace leitong::records {
namespace {

const std::vector<MadeRow> rows = {{1, "one"}, {std::nullopt, "two"}, {3, std::nullopt}, {4, ""}, {5, "f\xFFve"}, {6, "six"}};

class ColumnFileTest : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& bytes) const { return write_bytes(directory_ / name, bytes); }
  TemporaryDirectory directory_;
};

TEST_F(ColumnFileTest, ParquetIsKnownByNameByContentAndByRequest) {
  for (const char* name : {"a.parquet", "part-00000"}) {
    for (const char* format : {"auto", "parquet"}) {
      SCOPED_TRACE(name);
      const ReadAll read = read_all(options_for(write(name, parquet_bytes(rows, 2)), format));
      EXPECT_EQ(read.texts(), (std::vector<std::string>{"one", "two", "", "six"}));
      EXPECT_EQ(read.ids(), (std::vector<std::string>{"1", "", "4", "6"}));
      EXPECT_TRUE(are(read.reasons(), {"field \"text\" is not a string", "invalid UTF-8 at byte 1"}));
      EXPECT_EQ(read.all[5].offset, 5U);
      EXPECT_EQ(read.all[5].line, 5U);
      EXPECT_EQ(read.sources[0].format, Format::parquet);
      EXPECT_GT(read.packed, 0U);
    }
  }
}

TEST_F(ColumnFileTest, AnotherFormatThatWasAskedForSaysWhatTheFileIs) {
  const ReadAll read = read_all(options_for(write("a.parquet", parquet_bytes(rows)), "jsonl"));
  EXPECT_TRUE(are(read.reasons(), {"~is a Parquet file"}));
}

TEST_F(ColumnFileTest, ADirectoryIsReadFileByFile) {
  write("a.parquet", parquet_bytes({{1, "a"}}));
  write("b.parquet", parquet_bytes({{2, "b"}, {3, "c"}}, 1));
  const ReadAll read = read_all(options_for(directory_.path()));
  EXPECT_EQ(read.texts(), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(read.all[2].offset, 1U);
}

TEST_F(ColumnFileTest, AColumnThatOneOfManyFilesLacksIsAnErrorThatNamesBoth) {
  write("a.parquet", parquet_bytes({{1, "a"}}));
  const std::string b = write("b.parquet", parquet_bytes({{2, "b"}}, 10, "body"));
  EXPECT_EQ(refusal(options_for(directory_.path())),
            b + ": it has no column \"text\": its columns are id, body; --text-field says where the text is");
}

TEST_F(ColumnFileTest, ADamagedFileIsOneRejectAndTheOthersAreRead) {
  std::string cut = parquet_bytes({{1, "a"}});
  cut.resize(cut.size() - 5);
  write("a.parquet", cut);
  write("b.parquet", parquet_bytes({{2, "b"}}));
  const ReadAll read = read_all(options_for(directory_.path()));
  EXPECT_EQ(read.texts(), std::vector<std::string>{"b"});
  EXPECT_EQ(read.reasons().size(), 1U);
}

TEST_F(ColumnFileTest, APackedFileIsRefusedWithAdvice) {
  EXPECT_TRUE(are(read_all(options_for(write("a.parquet.gz", gzip(parquet_bytes(rows))))).reasons(), {"~unpack it first"}));
}

TEST_F(ColumnFileTest, RereadFindsRowsAndSaysThatAFileHasChanged) {
  std::vector<MadeRow> many;
  for (int i = 0; i < 3000; ++i) many.push_back({i, "text " + std::to_string(i)});
  const std::string path = write("a.parquet", parquet_bytes(many, 700));
  const InputOptions options = options_for(path);
  const std::vector<Source> sources = read_all(options).sources;
  Reread reread(options, sources, "");
  for (const std::uint64_t row : {0, 1, 699, 700, 2999, 5, 1400, 1500, 1501}) EXPECT_EQ(reread.text(0, row, 1), *many[row].text);
  EXPECT_EQ(reread.raw(0, 7, 1), "{\"id\":7,\"text\":\"text 7\"}");
  write("a.parquet", parquet_bytes(rows));
  Reread again(options, sources, "");
  EXPECT_THROW(static_cast<void>(again.text(0, 0, 1)), Error);
}

TEST_F(ColumnFileTest, ParquetOnAPipeIsSpooledWhole) {
  const std::string pipe = directory_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const bool kept : {true, false}) {
    std::thread writer([&] { write_bytes(pipe, parquet_bytes(rows, 2)); });
    const std::string spool = kept ? directory_ / "spool" : std::string();
    const InputOptions options = options_for(pipe);
    const ReadAll read = read_all(options, 1 << 20, spool);
    writer.join();
    EXPECT_EQ(read.texts(), (std::vector<std::string>{"one", "two", "", "six"}));
    if (!kept) continue;
    Reread reread(options, read.sources, spool);
    EXPECT_EQ(reread.text(0, 5, 1), "six");
    EXPECT_EQ(reread.text(0, 0, 1), "one");
  }
}

}  // namespace
}  // namespace leitong::records
