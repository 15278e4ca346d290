#include "records/csv.h"

#include <gtest/gtest.h>

#include <random>

#include "leitong/error.h"
#include "records/read_input_test.h"

namespace leitong::records {
namespace {

using Fields = std::vector<std::string>;

Fields split(std::string_view row, char delimiter = ',') {
  std::vector<CsvField> fields;
  split_csv_row(row, delimiter, true, fields);
  Fields out;
  for (const CsvField& field : fields) {
    std::string value(field.raw.size(), '\0');
    value.resize(unescape_csv(field.raw, value.data()));
    out.push_back(field.escaped ? value : std::string(field.raw));
  }
  return out;
}

TEST(Csv, Splitting) {
  EXPECT_EQ(split(""), (Fields{""}));
  EXPECT_EQ(split("a,b,"), (Fields{"a", "b", ""}));
  EXPECT_EQ(split(",\"\",\"x,\"\"y\"\"\n\""), (Fields{"", "", "x,\"y\"\n"}));
  EXPECT_EQ(split("a\"b,c"), (Fields{"a\"b", "c"}));
  EXPECT_EQ(split("\"\"\"\""), (Fields{"\""}));
  EXPECT_EQ(split("\"not closed"), (Fields{"not closed"}));  // never happens after scan_csv_row, and does no harm
}

TEST(Csv, RowEnds) {
  const auto scan = [](std::string_view bytes, bool complete, std::size_t limit = 100) {
    return scan_csv_row(bytes, complete, ',', limit);
  };
  EXPECT_EQ(scan("a,b\r\nc", false).length, 3U);
  EXPECT_EQ(scan("a,b\r\nc", false).next, 5U);
  EXPECT_EQ(scan("a,\"b\n\"\nc", false).next, 7U);
  EXPECT_EQ(scan("a,\"b\n\"\nc", false).lines, 2U);
  EXPECT_EQ(scan("a,b", false).state, CsvRow::State::incomplete);
  EXPECT_EQ(scan("a,b", true).state, CsvRow::State::good);
  EXPECT_EQ(scan("a,\"b\n", false).state, CsvRow::State::incomplete);
  EXPECT_EQ(scan("a,\"b\"", false).state, CsvRow::State::incomplete);  // "" may follow
  EXPECT_EQ(scan("a,\"b\"\r", false).state, CsvRow::State::incomplete);
  EXPECT_EQ(scan("a,\"b\"", true).state, CsvRow::State::good);
  EXPECT_EQ(scan("a,\"b\nc\n", true).state, CsvRow::State::bad_quotes);
  EXPECT_EQ(scan("a,\"b\nc\n", true).next, 5U);
  EXPECT_EQ(scan("\"a\"b\nc\n", false).state, CsvRow::State::bad_quotes);
  EXPECT_EQ(scan("\"a\"b\nc\n", false).next, 5U);
  EXPECT_EQ(scan("abcdef\n", false, 6).state, CsvRow::State::good);
  EXPECT_EQ(scan("abcdef\n", false, 5).state, CsvRow::State::too_long);
  EXPECT_EQ(scan("\"bcde\"\r\nx", false, 6).state, CsvRow::State::good);
  EXPECT_EQ(scan("\"b\nde\"\r\nx", false, 6).state, CsvRow::State::good);
  EXPECT_EQ(scan("\"b\nde\"\r\nx", false, 5).state, CsvRow::State::bad_quotes);
  EXPECT_EQ(scan("\"b\nde\"\r\nx", false, 5).next, 3U);
}

TEST(Csv, HeaderNamesTheColumns) {
  const TemporaryDirectory dir;
  InputOptions options = options_for(dir.write("a.csv",
                                               "\xEF\xBB\xBF\n\"the \"\"id\"\"\",text,date\r\n"
                                               "1,\"one\nline, \"\"two\"\"\",2001\r\n"
                                               "\r\n"
                                               ",second,\n"
                                               "3,third\n"
                                               "4,\"fourth\"x,2004\n"
                                               "5,bad \xFF,2005\n"
                                               "6,sixth,2006"));
  options.id_field = "the \"id\"";
  options.fields = {"date", "missing"};
  const ReadAll read = read_all(options);
  EXPECT_EQ(read.texts(), (Fields{"one\nline, \"two\"", "second", "sixth"}));
  EXPECT_EQ(read.ids(), (Fields{"\"1\"", "", "\"6\""}));
  EXPECT_TRUE(are(read.reasons(), {"2 columns instead of 3", "~broken quotes", "invalid UTF-8 at byte 6"}));
  EXPECT_EQ(read.all[0].fields, (Fields{"2001", ""}));
  EXPECT_EQ(read.all[0].line, 2U);
  EXPECT_EQ(read.all[1].line, 5U);
  EXPECT_EQ(read.all.back().line, 9U);
  EXPECT_EQ(read.all[0].raw, "1,\"one\nline, \"\"two\"\"\",2001");
  for (const std::size_t chunk : {1U, 5U, 16U, 50U}) EXPECT_EQ(read_all(options, chunk).all, read.all) << chunk;
  Reread again(options, read.sources, "");
  for (const Seen& seen : read.all) {
    if (seen.good) {
      EXPECT_EQ(again.text(0, seen.offset, seen.length), seen.text);
    }
  }
  EXPECT_THROW(again.text(0, read.all[2].offset, 7), Error);
}

TEST(Csv, LinesMayEndAtAReturnAlone) {
  const TemporaryDirectory dir;
  const InputOptions options = options_for(dir.write("a.csv",
                                                     "id,text\r1,one\r2,\"two\rlines\"\r3,three\n"
                                                     "4,four\r\n5,\"five\r\n\"\"5\"\"\"\r\r6,\"six\"\r7,seven\r"));
  const ReadAll read = read_all(options);
  EXPECT_EQ(read.texts(), (Fields{"one", "two\rlines", "three", "four", "five\r\n\"5\"", "six", "seven"}));
  EXPECT_TRUE(read.reasons().empty());
  EXPECT_EQ(read.all[2].line, 4U);
  EXPECT_EQ(read.all[6].line, 10U);
  for (const std::size_t chunk : {1U, 5U, 16U, 50U}) EXPECT_EQ(read_all(options, chunk).all, read.all) << chunk;
  Reread again(options, read.sources, "");
  for (const Seen& seen : read.all) EXPECT_EQ(again.text(0, seen.offset, seen.length), seen.text);
}

TEST(Csv, ARowBeyondTheLimitEndsAtAReturnToo) {
  const TemporaryDirectory dir;
  InputOptions options = options_for(dir.write("a.csv", "id,text\r1," + std::string(100, 'x') + "\r2,two\r3,three\r"));
  for (std::uint64_t limit = 10; limit <= 105; ++limit) {
    options.max_document_bytes = limit;
    for (const std::size_t chunk : {1U, 7U, 64U, 1000U})
      EXPECT_EQ(read_all(options, chunk).texts().size(), limit < 102 ? 2U : 3U) << limit << ' ' << chunk;
  }
}

TEST(Csv, LinesOfOneKindTakeLinearTime) {
  const TemporaryDirectory dir;
  std::string mac = "id,text\r", unix = "id,text\n";
  for (int i = 0; i < 100000; ++i) mac += "1,two\r", unix += "1,two\n";
  EXPECT_EQ(read_all(options_for(dir.write("m.csv", mac))).all.size(), 100000U);
  EXPECT_EQ(read_all(options_for(dir.write("u.csv", unix))).all.size(), 100000U);
}

TEST(Csv, WithoutHeader) {
  const TemporaryDirectory dir;
  InputOptions options = options_for(dir.write("a.csv", "x,one\ny,two\nz\n"));
  options.header = false;
  options.id_field = "0";
  options.text_field = "1";
  const ReadAll read = read_all(options, 4);
  EXPECT_EQ(read.texts(), (Fields{"one", "two"}));
  EXPECT_EQ(read.ids(), (Fields{"\"x\"", "\"y\""}));
  EXPECT_TRUE(are(read.reasons(), {"1 columns instead of 2"}));
  options.text_field = "2";
  EXPECT_TRUE(are(read_all(options).reasons(), {"no field \"2\"", "no field \"2\"", "1 columns instead of 2"}));
}

TEST(Csv, HeaderThatCannotBeRead) {
  const TemporaryDirectory dir;
  EXPECT_TRUE(are(read_all(options_for(dir.write("a.csv", "id,\"text\n1,x\n"))).reasons(), {"~header row"}));
  InputOptions options = options_for(dir.write("a.csv", "id,text," + std::string(500, 'x') + "\n1,x\n"));
  options.max_document_bytes = 100;
  EXPECT_TRUE(are(read_all(options, 64).reasons(), {"~header row"}));
  EXPECT_TRUE(are(read_all(options).reasons(), {"~header row"}));
}

TEST(Csv, TabsWithAndWithoutQuotes) {
  const TemporaryDirectory dir;
  const ReadAll read = read_all(options_for(dir.write("a.tsv",
                                                      "id\ttext\n"
                                                      "1\t\"quoted\ttab\nand line\"\n"
                                                      "2\t\"Hello,\" she said\n"
                                                      "3\tplain \"x\", y\n"
                                                      "4\t\"never closed\n"
                                                      "5\tlast\n")));
  EXPECT_EQ(read.texts(), (Fields{"quoted\ttab\nand line", "\"Hello,\" she said", "plain \"x\", y", "\"never closed", "last"}));
  EXPECT_TRUE(read.reasons().empty());
}

TEST(Csv, AnOpenQuoteDoesNotSwallowTheFile) {
  const TemporaryDirectory dir;
  std::string text = "id,text\n0,\"open\n";
  for (int i = 1; i < 20000; ++i) text += std::to_string(i) + ",text of row\n";
  InputOptions options = options_for(dir.write("a.csv", text));
  options.max_document_bytes = 1000;
  const ReadAll read = read_all(options);
  EXPECT_EQ(read.texts().size(), 19999U);
  EXPECT_TRUE(are(read.reasons(), {"~broken quotes"}));
  for (const std::size_t chunk : {64U, 999U, 5000U}) {
    const ReadAll again = read_all(options, chunk);
    EXPECT_EQ(again.all, read.all);
    EXPECT_LT(again.largest_chunk, 30'000U);
  }
}

// What RFC 4180 says, byte by byte: rows of well-formed text.
std::vector<Fields> reference(std::string_view text) {
  std::vector<Fields> rows;
  Fields row;
  std::string field;
  bool quoted = false, any = false;
  const auto end_row = [&] {
    row.push_back(field);
    field.clear();
    if (row.size() > 1 || !row[0].empty() || any) rows.push_back(row);
    row.clear();
    any = false;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"') {
        field += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        field += text[++i];
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = any = true;
    } else if (c == ',') {
      row.push_back(field);
      field.clear();
    } else if (c == '\n') {
      end_row();
    } else if (c != '\r') {
      field += c;
    }
  }
  if (!field.empty() || !row.empty() || any) end_row();
  return rows;
}

std::string random_csv(std::mt19937& random) {
  static const std::vector<std::string> part_list = {"a", "雷", " ", ",", "\n", "\r\n", "\"\"", "word", "long words in a row"};
  const std::string line_end = random() % 2 == 0 ? "\n" : "\r\n";
  std::string out = "id,text,c" + line_end;
  for (auto rows = random() % 30; rows > 0; --rows) {
    for (int column = 0; column < 3; ++column) {
      const bool quoted = random() % 2 == 0;
      if (column > 0) out += ',';
      if (quoted) out += '"';
      for (auto n = random() % 5; n > 0; --n) {
        const std::string& part = part_list[random() % part_list.size()];
        if (quoted || part.find_first_of(",\n\"") == std::string::npos) out += part;
      }
      if (quoted) out += '"';
    }
    if (rows > 1 || random() % 2 == 0) out += line_end;
  }
  return out;
}

TEST(Csv, RandomTablesInChunksEqualTheReference) {
  const TemporaryDirectory dir;
  std::mt19937 random(5);
  for (int round = 0; round < 150; ++round) {
    const std::string text = random_csv(random);
    const std::vector<Fields> rows = reference(text);
    InputOptions options = options_for(dir.write("a.csv", round % 3 == 0 ? gzip(text) : round % 3 == 1 ? zstd(text) : text));
    options.fields = {"c"};
    for (const std::size_t chunk : {std::size_t{1}, 1 + random() % 40, std::size_t{1} << 20}) {
      const ReadAll read = read_all(options, chunk);
      ASSERT_EQ(read.all.size() + 1, rows.size()) << text;
      for (std::size_t i = 0; i < read.all.size(); ++i) {
        ASSERT_TRUE(read.all[i].good) << read.all[i].reason;
        ASSERT_EQ(read.all[i].text, rows[i + 1][1]);
        ASSERT_EQ(read.all[i].fields[0], rows[i + 1][2]);
        ASSERT_EQ(text.substr(read.all[i].offset, read.all[i].length), read.all[i].raw);
      }
    }
  }
}

// Broken tables have no reference, but how they are cut into chunks must not matter.
TEST(Csv, BrokenTablesAreTheSameInAnyChunks) {
  const TemporaryDirectory dir;
  std::mt19937 random(6);
  for (int round = 0; round < 300; ++round) {
    std::string text = random_csv(random);
    for (int i = 0; i < 3; ++i) text.insert(10 + random() % (text.size() - 9), 1, "\"\n,x\r"[random() % 5]);
    InputOptions options = options_for(dir.write(round % 2 == 0 ? "a.csv" : "a.tsv", text));
    options.max_document_bytes = 20 + random() % 60;
    const std::vector<Seen> expected = read_all(options).all;
    for (const std::size_t chunk : {std::size_t{1}, 1 + random() % 40, 1 + random() % 200}) {
      ASSERT_EQ(read_all(options, chunk).all, expected) << text << "\n" << options.max_document_bytes << ' ' << chunk;
    }
  }
}

}  // namespace
}  // namespace leitong::records
