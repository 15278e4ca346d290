#include "records/columns.h"

#include "leitong/columns.h"
#include "leitong/error.h"
#include "records/arrow_arrays_test.h"
#include "records/read_input_test.h"

namespace leitong::records {
namespace {

using Texts = ArrowBuilder::Texts;

std::shared_ptr<const ColumnSource> table_of_one(ArrowBuilder& builder, const ArrowMade& made, const std::string& name = "text") {
  ArrowMade taken = builder.take(made);
  return table_of(taken.schema, {taken.array}, name);
}

InputOptions options_for_table(std::shared_ptr<const ColumnSource> table) {
  InputOptions options = options_for("<records>");
  options.in_memory["<records>"] = std::move(table);
  return options;
}

TEST(Columns, TextsOfEveryLayoutAreTheSame) {
  const Texts values = {"before", "short", std::nullopt, "", "one that is longer than twelve bytes", "中文"};
  for (const std::string format : {"u", "U", "z", "vu"}) {
    for (const std::int64_t offset : {0, 1}) {
      SCOPED_TRACE(format);
      ArrowBuilder builder;
      const auto table = table_of_one(builder, builder.structure("", {builder.strings("text", format, values, offset)}));
      const ReadAll read = read_all(options_for_table(table));
      std::vector<std::string> wanted = {"short", "", "one that is longer than twelve bytes", "中文"};
      if (offset == 0) wanted.insert(wanted.begin(), "before");
      EXPECT_EQ(read.texts(), wanted);
      EXPECT_TRUE(are(read.reasons(), {"field \"text\" is not a string"}));
    }
  }
  EXPECT_EQ(live_arrow_parts(), 0);
}

TEST(Columns, RowsAreNumberedAndIdsAreJson) {
  ArrowBuilder builder;
  const auto table =
      table_of_one(builder, builder.structure("", {builder.numbers<std::int64_t>("id", "l", {-7, std::nullopt, std::int64_t{1} << 60}),
                                                   builder.strings("text", "u", {"a", "b", "c"})}));
  const ReadAll read = read_all(options_for_table(table), 1);  // a chunk a row
  EXPECT_EQ(read.chunks, 3U);
  EXPECT_EQ(read.ids(), (std::vector<std::string>{"-7", "", "1152921504606846976"}));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(read.all[i].offset, i);
    EXPECT_EQ(read.all[i].line, i);
    EXPECT_EQ(read.all[i].length, 1U);
  }
  ASSERT_EQ(read.sources.size(), 1U);
  EXPECT_EQ(read.sources[0].path, "<records>");
  EXPECT_EQ(read.sources[0].format, Format::memory);
}

TEST(Columns, IdsThatAreStringsAreQuoted) {
  ArrowBuilder builder;
  const auto table = table_of_one(builder, builder.structure("", {builder.strings("id", "vu", {"a\"b", "", std::nullopt}),
                                                                  builder.strings("text", "u", {"a", "b", "c"})}));
  EXPECT_EQ(read_all(options_for_table(table)).ids(), (std::vector<std::string>{"\"a\\\"b\"", "\"\"", ""}));
}

TEST(Columns, AStreamOfStringsIsOneColumn) {
  ArrowBuilder builder;
  const auto table = table_of_one(builder, builder.strings("whatever", "U", {"a", std::nullopt, "c"}), "body");
  InputOptions options = options_for_table(table);
  options.text_field = "body";
  EXPECT_EQ(read_all(options).texts(), (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(rows_of(*table), 3U);
}

TEST(Columns, ADictionaryGivesItsValues) {
  ArrowBuilder builder;
  const ArrowMade values = builder.strings("", "u", {"red", std::nullopt, "green"});
  const auto table = table_of_one(builder, builder.structure("", {builder.dictionary("text", {2, 0, std::nullopt, 1, 2}, values)}));
  const ReadAll read = read_all(options_for_table(table));
  EXPECT_EQ(read.texts(), (std::vector<std::string>{"green", "red", "green"}));
  EXPECT_EQ(read.reasons().size(), 2U);
}

TEST(Columns, AnIndexBeyondTheDictionaryIsAnError) {
  ArrowBuilder builder;
  const auto table = table_of_one(builder, builder.structure("", {builder.dictionary("text", {0, 9}, builder.strings("", "u", {"red"}))}));
  EXPECT_NE(refusal(options_for_table(table)).find("beyond its dictionary"), std::string::npos);
}

TEST(Columns, PathsLeadIntoStructsAndLists) {
  ArrowBuilder builder;
  const ArrowMade contents = builder.strings("content", "u", {"a", "b", std::nullopt, "d"});
  const ArrowMade messages = builder.list("messages", {2, 2, 3, 4}, builder.structure("item", {contents}));
  const ArrowMade meta = builder.structure("meta", {builder.strings("text", "u", {"k", "l", "m", "n"})});
  const auto table = table_of_one(builder, builder.structure("", {messages, meta, builder.strings("a.b", "u", {"w", "x", "y", "z"})}));
  InputOptions options = options_for_table(table);
  options.text_field = "messages.*.content";
  EXPECT_EQ(read_all(options).texts(), (std::vector<std::string>{"a\nb", "d"}));
  EXPECT_TRUE(are(read_all(options).reasons(), {"no field \"messages.*.content\"", "no field \"messages.*.content\""}));
  options.text_field = "messages.1.content";
  EXPECT_EQ(read_all(options).texts(), std::vector<std::string>{"b"});
  options.text_field = "meta.text";
  options.more_text_fields = {"a.b"};
  EXPECT_EQ(read_all(options).texts(), (std::vector<std::string>{"k\nw", "l\nx", "m\ny", "n\nz"}));
}

TEST(Columns, BadTextsAreRejectedAsOfOtherFormats) {
  ArrowBuilder builder;
  const auto table = table_of_one(builder, builder.strings("text", "u", {"good", "bad \xFF", std::string(100, 'x')}));
  InputOptions options = options_for_table(table);
  options.max_document_bytes = 50;
  EXPECT_TRUE(are(read_all(options).reasons(), {"invalid UTF-8 at byte 4", "longer than 50 bytes (limit --max-document)"}));
}

TEST(Columns, AColumnThatIsMissingOrNoTextIsAnErrorThatNamesIt) {
  ArrowBuilder builder;
  const auto table = table_of_one(builder, builder.structure("", {builder.numbers<std::int32_t>("text", "i", {1}),
                                                                  builder.list("tags", {1}, builder.strings("item", "u", {"a"}))}));
  InputOptions options = options_for_table(table);
  EXPECT_EQ(refusal(options), "<records>: column \"text\" is int32, not text; --text-field says where the text is");
  options.text_field = "tags";
  EXPECT_NE(refusal(options).find("column \"tags\" is list, not text; --text-field says where the text is (\"tags.*\""), std::string::npos);
  options.text_field = "body";
  EXPECT_EQ(refusal(options), "<records>: it has no column \"body\": its columns are text, tags; --text-field says where the text is");
}

TEST(Columns, TablesOfOneInputHaveTheSameColumns) {
  InputOptions options = options_for_table(table_of({{"id", {"1"}, true}, {"text", {"a"}}}));
  options.paths.emplace_back("<more>");
  options.in_memory["<more>"] = table_of({{"id", {"x"}}, {"text", {"b"}}});
  EXPECT_EQ(refusal(options), "<more>: column \"id\" is string, and json in <records>: a column must be the same in all files");
}

TEST(Columns, FurtherFieldsAreAsOfJson) {
  ArrowBuilder builder;
  const auto table = table_of_one(
      builder, builder.structure("", {builder.strings("text", "u", {"a", "b"}), builder.numbers<double>("score", "g", {0.5, std::nullopt}),
                                      builder.strings("lang", "u", {"z\"h", std::nullopt})}));
  InputOptions options = options_for_table(table);
  options.fields = {"score", "lang", "none"};
  options.json_fields = {"lang", "score"};
  const ReadAll read = read_all(options);
  EXPECT_EQ(read.all[0].fields, (std::vector<std::string>{"0.5", "z\"h", "", "\"z\\\"h\"", "0.5"}));
  EXPECT_EQ(read.all[1].fields, (std::vector<std::string>{"", "", "", "null", "null"}));
}

TEST(Columns, RereadFindsRowsInAnyOrder) {
  std::vector<std::string> texts;
  for (int i = 0; i < 5000; ++i) texts.push_back("text number " + std::to_string(i));
  const InputOptions options = options_for_table(table_of({{"text", {texts.begin(), texts.end()}}}));
  Reread reread(options, read_all(options).sources, "");
  for (const std::uint64_t row : {0, 1, 2, 17, 18, 100, 101, 4999, 3, 2000, 2001, 2016, 2017, 2200})
    EXPECT_EQ(reread.text(0, row, 1), texts[row]);
  for (std::uint64_t row = 0; row < texts.size(); ++row) ASSERT_EQ(reread.text(0, row, 1), texts[row]);
  EXPECT_EQ(reread.raw(0, 7, 1), "{\"text\":\"text number 7\"}");
  EXPECT_THROW(static_cast<void>(reread.text(0, 5000, 1)), Error);
  InputOptions gone = options;
  gone.in_memory.clear();
  Reread without(gone, read_all(options).sources, "");
  EXPECT_THROW(static_cast<void>(without.text(0, 0, 1)), Error);
}

TEST(Columns, RowsAreObjects) {
  ArrowBuilder builder;
  const ArrowMade tags = builder.list("tags", {1, 3}, builder.strings("item", "u", {"a", "b", std::nullopt}));
  const auto table = table_of_one(
      builder, builder.structure("", {tags, builder.structure("meta", {builder.numbers<std::uint64_t>("n", "L", {~0ULL, 1})}),
                                      builder.numbers<float>("f", "f", {1.5F, std::nullopt}), builder.strings("t", "vu", {"\n", "x"})}));
  const auto objects = table->objects();
  std::string out;
  objects->append(0, out);
  EXPECT_EQ(out, R"({"tags":["a"],"meta":{"n":18446744073709551615},"f":1.5,"t":"\n"})");
  out.clear();
  objects->append(1, out);
  EXPECT_EQ(out, R"({"tags":["b",null],"meta":{"n":1},"f":null,"t":"x"})");
  EXPECT_THROW(objects->append(2, out), Error);
}

TEST(Columns, AnArrayThatDoesNotFitItsTypeIsAnError) {
  ArrowBuilder builder;
  ArrowMade made = builder.take(builder.strings("text", "u", {"a"}));
  made.array.n_buffers = 2;
  EXPECT_THROW(static_cast<void>(table_of(made.schema, {made.array})), Error);
  EXPECT_EQ(live_arrow_parts(), 0);
}

struct FailingStream {
  static int schema(ArrowArrayStream* stream, ArrowSchema* out) {
    *out = static_cast<ArrowMade*>(stream->private_data)->schema;
    return 0;
  }
  static int next(ArrowArrayStream*, ArrowArray*) { return 5; }
  static const char* error(ArrowArrayStream*) { return "the disk is on fire"; }
  static void release(ArrowArrayStream* stream) { stream->release = nullptr; }
};

TEST(Columns, AStreamThatFailsSaysWhy) {
  ArrowBuilder builder;
  ArrowMade made = builder.take(builder.strings("text", "u", {"a"}));
  made.array.release(&made.array);
  ArrowArrayStream stream{FailingStream::schema, FailingStream::next, FailingStream::error, FailingStream::release, &made};
  try {
    static_cast<void>(table_of(stream));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the Arrow stream ends with an error: the disk is on fire");
  }
  EXPECT_EQ(stream.release, nullptr);
  EXPECT_EQ(live_arrow_parts(), 0);
}

TEST(Columns, ColumnsOfDifferentLengthsAreRefused) {
  EXPECT_THROW(static_cast<void>(table_of({{"text", {"a"}}, {"id", {}}})), Error);
  EXPECT_EQ(read_all(options_for_table(table_of({{"text", {}}}))).all.size(), 0U);
}

}  // namespace
}  // namespace leitong::records
