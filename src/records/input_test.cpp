#include "records/input.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <random>
#include <thread>

#include "leitong/error.h"
#include "records/byte_stream.h"
#include "records/read_input_test.h"

namespace leitong::records {
namespace {

TEST(Input, JsonLinesGiveRecordsAndRejects) {
  const TemporaryDirectory dir;
  const std::string path = dir.write("a.jsonl",
                                     "\xEF\xBB\xBF{\"id\":\"x\\n1\",\"text\":\"one\"}\r\n"
                                     "\n   \n"
                                     "{\"id\":18446744073709551617,\"text\":\"t\\u00e9\\n\\ud83d\\ude00 \\ud800!\\u0000\"}\n"
                                     "{\"id\":null,\"text\":\"three\"}\n"
                                     "{\"id\":4}\n"
                                     "{\"id\":5,\"text\":5}\n"
                                     "{\"id\":6,\"text\":\"x\"\n"
                                     "{\"text\":\"a\xFF\"}\n"
                                     "[1]\n"
                                     "{\"text\":\"first\",\"text\":\"second\",\"id\":[1]}");
  const ReadAll read = read_all(options_for(path));
  EXPECT_TRUE(are(read.texts(), {"one", std::string("té\n😀 \xED\xA0\x80!\0", 14), "three", "first"}));
  EXPECT_TRUE(are(read.ids(), {"\"x\\n1\"", "18446744073709551617", "", ""}));
  EXPECT_TRUE(are(read.reasons(),
                  {"no field \"text\"", "field \"text\" is not a string", "broken JSON at byte 18: expected a comma or a closing brace",
                   "invalid UTF-8 at byte 10", "not a JSON object"}));
  ASSERT_EQ(read.all.size(), 9U);
  EXPECT_EQ(read.all[0].offset, 3U);
  EXPECT_EQ(read.all[0].raw, "{\"id\":\"x\\n1\",\"text\":\"one\"}\r");
  EXPECT_EQ(read.all[1].line, 3U);
  EXPECT_EQ(read.all[3].line, 5U);
  EXPECT_EQ(read.all[8].line, 10U);
  ASSERT_EQ(read.sources.size(), 1U);
  EXPECT_EQ(read.sources[0].format, Format::jsonl);
  EXPECT_EQ(read.packed, read.sources[0].size);
}

TEST(Input, DottedPathsAndFurtherFields) {
  const TemporaryDirectory dir;
  InputOptions options = options_for(dir.write("a.jsonl",
                                               "{\"meta\":{\"text\":\"nested\",\"n\":1.50},\"meta.text\":\"flat\",\"k\":\"v\\t\"}\n"
                                               "{\"meta.text\":\"flat\",\"meta\":{\"x\":1},\"k\":true}\n"
                                               "{\"me\\u0074a\":{\"te\\u0078t\":\"escaped key\"},\"k\":{\"a\":1}}\n"
                                               "{\"meta\":{},\"meta\":{\"text\":\"the first meta counts\"}}\n"));
  options.text_field = "meta.text";
  options.fields = {"meta.n", "k"};
  const ReadAll read = read_all(options);
  EXPECT_TRUE(are(read.texts(), {"nested", "flat", "escaped key"}));
  EXPECT_TRUE(are(read.all[0].fields, {"1.50", "v\t"}));
  EXPECT_TRUE(are(read.all[1].fields, {"", "true"}));
  EXPECT_TRUE(are(read.all[2].fields, {"", ""}));
  EXPECT_TRUE(are(read.reasons(), {"no field \"meta.text\""}));
}

TEST(Input, LongLinesAreSkippedWithoutHoldingThem) {
  const TemporaryDirectory dir;
  const std::string good = "{\"text\":\"good\"}";
  const std::string path = dir.write(
      "a.jsonl", good + "\n{\"text\":\"" + std::string(3 << 20, 'x') + "\"}\n" + good + "\n" + std::string(200, ' ') + "\n" + good);
  InputOptions options = options_for(path);
  options.max_document_bytes = 100;
  for (const std::size_t chunk : {10U, 64U, 1000U, 1U << 20, 8U << 20}) {
    const ReadAll read = read_all(options, chunk);
    EXPECT_TRUE(are(read.texts(), {"good", "good", "good"})) << chunk;
    EXPECT_TRUE(are(read.reasons(), {"longer than 100 bytes (limit --max-document)", "~longer than 100 bytes"}));
    EXPECT_EQ(read.all.back().line, 4U);
    EXPECT_EQ(read.all[1].offset, good.size() + 1);
    EXPECT_LT(read.largest_chunk, std::max<std::size_t>(4 * chunk, 200'000));
  }
  options.max_document_bytes = 4 << 20;
  EXPECT_EQ(read_all(options, 1000).all, read_all(options).all);
}

TEST(Input, ExactlyTheLimitIsGood) {
  const TemporaryDirectory dir;
  const std::string line = "{\"text\":\"12345\"}";
  for (const char* end : {"\n", "\r\n", ""}) {
    InputOptions options = options_for(dir.write("a.jsonl", line + end));
    options.max_document_bytes = line.size();
    EXPECT_EQ(read_all(options, 1).texts().size(), 1U);
    options.max_document_bytes = line.size() - 1;
    EXPECT_EQ(read_all(options, 1).reasons().size(), 1U);
    EXPECT_EQ(read_all(options).reasons().size(), 1U);
  }
}

TEST(Input, LinesAndText) {
  const TemporaryDirectory dir;
  const std::string path = dir.write("a.txt", "\xEF\xBB\xBFone\r\n\n \t\ntwo\nbad\xC3(\nthree");
  ReadAll read = read_all(options_for(path, "lines"));
  EXPECT_TRUE(are(read.texts(), {"one", "two", "three"}));
  EXPECT_TRUE(are(read.ids(), {"", "", ""}));
  EXPECT_TRUE(are(read.reasons(), {"invalid UTF-8 at byte 3"}));
  EXPECT_EQ(read.all[3].line, 5U);
  read = read_all(options_for(path));
  EXPECT_TRUE(are(read.reasons(), {"invalid UTF-8 at byte 16"}));
  read = read_all(options_for(dir.write("b\"c", "whole\nfile\n")));
  EXPECT_TRUE(are(read.texts(), {"whole\nfile\n"}));
  EXPECT_EQ(read.ids()[0], "\"" + dir.path() + "/b\\\"c\"");
  read = read_all(options_for(dir.write("empty.md", "")));
  EXPECT_TRUE(are(read.texts(), {""}));
  InputOptions options = options_for(dir.write("long.txt", std::string(5000, 'x')));
  options.max_document_bytes = 1000;
  EXPECT_TRUE(are(read_all(options, 100).reasons(), {"~longer than 1000 bytes"}));
  EXPECT_TRUE(are(read_all(options).reasons(), {"~longer than 1000 bytes"}));
}

TEST(Input, HtmlBecomesText) {
  const TemporaryDirectory dir;
  const ReadAll read = read_all(options_for(dir.write("a.html", "<p>one &amp; two<script>no</script></p>")));
  ASSERT_EQ(read.texts().size(), 1U);
  EXPECT_TRUE(are(read.texts(), {"~one & two"}));
  EXPECT_EQ(read.texts()[0].find("no"), std::string::npos);
  EXPECT_EQ(read.sources[0].format, Format::html);
}

TEST(Input, FormatByNameThenByContent) {
  const TemporaryDirectory dir;
  const auto format_of = [&](const std::string& name, std::string_view bytes) {
    return read_all(options_for(dir.write(name, bytes))).sources[0].format;
  };
  EXPECT_EQ(format_of("a.ndjson", "x"), Format::jsonl);
  EXPECT_EQ(format_of("a.JSON.gz", gzip("{}")), Format::jsonl);
  EXPECT_EQ(format_of("a.csv.zst", zstd("a\n")), Format::csv);
  EXPECT_EQ(format_of("a.tsv", ""), Format::tsv);
  EXPECT_EQ(format_of("a.rst", "{}"), Format::text);
  EXPECT_EQ(format_of("README", "{braces}"), Format::text);
  EXPECT_EQ(format_of(".profile", "words"), Format::text);
  EXPECT_EQ(format_of("a.xhtml", ""), Format::html);
  EXPECT_EQ(format_of("a.dat", " {\"text\":\"\"}"), Format::jsonl);
  EXPECT_EQ(format_of("a.dat", "\n<!DOCTYPE html>"), Format::html);
  EXPECT_EQ(format_of("a.dat", "<HTML lang=zh>"), Format::html);
  EXPECT_EQ(format_of("a.dat", "words"), Format::text);
  EXPECT_THROW(read_all(options_for(dir / "a.dat", "xml")), Error);
}

TEST(Input, WhatCannotBeReadIsRefusedWithAdvice) {
  const TemporaryDirectory dir;
  InputOptions utf8 = options_for(dir.write("a.txt", std::string_view("\xFF\xFEx\0", 4)));
  utf8.encoding = "utf8";
  EXPECT_TRUE(are(read_all(utf8).reasons(), {"~--encoding"}));
  EXPECT_TRUE(are(read_all(options_for(dir.write("a.json", "[{\"text\":\"x\"}]"))).reasons(), {"~jq"}));
  EXPECT_THROW(read_all(options_for(dir / "nothing")), Error);
}

TEST(Input, FilesOfOtherProgramsAreNamed) {
  using namespace std::string_view_literals;
  const TemporaryDirectory dir;
  std::string tar(512, '\0');
  tar.replace(0, 5, "a.txt");
  tar.replace(257, 8, "ustar\00000"sv.substr(0, 8));
  const std::pair<std::string, std::string> files[] = {{"a.tar", tar},
                                                       {"a.tar.gz", gzip(tar)},
                                                       {"a.tgz", gzip(tar)},
                                                       {"a.bz2", "BZh91AY&SY"},
                                                       {"a.jsonl.xz", std::string("\xFD\x37zXZ\0", 6)},
                                                       {"b.txt", "PK\3\4"},
                                                       {"c.docx", "PK\3\4"},
                                                       {"a.parquet", "PAR1\x15"},
                                                       {"no-archive.zip", "plain"},
                                                       {"a.pdf", "%PDF-1.7"}};
  const std::vector<std::string> wanted = {"~tar -xf",
                                           "~tar archive",
                                           "~tar archive",
                                           "~bzip2 -dc",
                                           "~is an xz file",
                                           "~is a zip archive",
                                           "~an office document",
                                           "~too few for a Parquet file",
                                           "~is by its name a zip archive",
                                           "~is a PDF document"};
  for (std::size_t i = 0; i < std::size(files); ++i) {
    const ReadAll read = read_all(options_for(dir.write(files[i].first, files[i].second)));
    EXPECT_TRUE(are(read.reasons(), {wanted[i]})) << files[i].first;
    EXPECT_TRUE(read.texts().empty());
  }
  InputOptions lines = options_for(dir / "no-archive.zip", "lines");  // who says what it is knows it
  EXPECT_TRUE(are(read_all(lines).texts(), {"plain"}));
  lines.paths = {dir / "a.parquet"};
  EXPECT_TRUE(are(read_all(lines).reasons(), {"~is a Parquet file"}));
}

TEST(Input, ASourceThatEndsInARecordIsCutOff) {
  const TemporaryDirectory dir;
  const auto reasons = [&](const char* name, const std::string& bytes) { return read_all(options_for(dir.write(name, bytes))).reasons(); };
  const std::string good = "{\"text\":\"one\"}\n";
  EXPECT_TRUE(are(reasons("a.jsonl", good + "{\"text\":\"tw"), {"~ends in the middle of a record"}));
  EXPECT_TRUE(are(reasons("a.jsonl", good + "{\"text\":\"\xE9\x9B"), {"~ends in the middle of a record"}));
  EXPECT_TRUE(are(reasons("a.jsonl", good + "{\"text\":\"tw\n"), {"~broken JSON at byte 11"}));
  EXPECT_TRUE(are(reasons("a.jsonl", good + "{\"text\" 1}"), {"~broken JSON at byte 8"}));
  EXPECT_TRUE(reasons("a.jsonl", good + "{\"text\":\"two\"}").empty());
  EXPECT_TRUE(are(reasons("a.csv", "id,text\n1,one\n2"), {"~ends in the middle of a record"}));
  EXPECT_TRUE(are(reasons("a.csv", "id,text\n1,one\n2\n"), {"1 columns instead of 2"}));
}

TEST(Input, SeveralTextFieldsAreJoined) {
  const TemporaryDirectory dir;
  InputOptions options =
      options_for(dir.write("a.jsonl",
                            "{\"title\":\"T\\u0031\",\"messages\":[{\"content\":\"a\\n\"},{\"content\":null},{\"content\":\"b\"}]}\n"
                            "{\"messages\":[{\"content\":\"only\"}]}\n"
                            "{\"title\":\"T3\",\"messages\":[]}\n"
                            "{\"title\":3}\n"
                            "{\"other\":\"x\",\"deep\":{\"er\":[{\"y\":1}]}}\n"));
  options.text_field = "title";
  options.more_text_fields = {"messages.*.content"};
  const ReadAll read = read_all(options);
  EXPECT_TRUE(are(read.texts(), {"T1\na\n\nb", "only", "T3"}));
  EXPECT_TRUE(are(read.reasons(), {"field \"title\" is not a string", "no field \"title\" or \"messages.*.content\""}));
  Reread again(options, read.sources, "");
  for (const Seen& seen : read.all) {
    if (seen.good) {
      EXPECT_EQ(again.text(0, seen.offset, seen.length), seen.text);
    }
  }
  InputOptions table = options_for(dir.write("a.csv", "id,title,body\n1,\"a \"\"b\"\"\",c\n2,,d\n"));
  table.text_field = "body";
  table.more_text_fields = {"title", "none"};
  EXPECT_TRUE(are(read_all(table).texts(), {"c\na \"b\"", "d\n"}));
  table.text_field = "nowhere";
  table.more_text_fields = {"none"};
  EXPECT_TRUE(are(read_all(table).reasons(), {"~no field", "~no field"}));
}

TEST(Input, DirectoriesAreWalkedInOrder) {
  const TemporaryDirectory dir;
  dir.write("d/b/copyright", "b");
  dir.write("d/a/copyright", "a");
  dir.write("d/a/other.txt", "other");
  dir.write("d/a.b/copyright", "a.b");
  dir.write("d/.git/copyright", "git");
  dir.write("d/image", std::string_view("PNG\0\1", 5));
  ASSERT_EQ(::symlink("a/copyright", (dir / "d/link").c_str()), 0);
  ASSERT_EQ(::symlink("a", (dir / "d/linked").c_str()), 0);
  ASSERT_EQ(::mkfifo((dir / "d/fifo").c_str(), 0600), 0);
  InputOptions options = options_for(dir / "d");
  options.include = {"*/copyright"};
  EXPECT_TRUE(are(read_all(options).texts(), {"git", "a.b", "a", "b"}));
  options.exclude = {".git"};
  EXPECT_TRUE(are(read_all(options).texts(), {"a.b", "a", "b"}));
  options.exclude = {"a/*", ".git"};
  EXPECT_TRUE(are(read_all(options).texts(), {"a.b", "b"}));
  options.include = {"other.*", "[a-b]/copy?ight"};
  options.exclude = {};
  options.paths = {dir / "d/"};
  ReadAll read = read_all(options);
  EXPECT_TRUE(are(read.texts(), {"a", "other", "b"}));
  EXPECT_EQ(read.sources[0].path, dir.path() + "/d/a/copyright");
  options.include = {};
  read = read_all(options);
  EXPECT_EQ(read.texts().size(), 5U);
  EXPECT_TRUE(are(read.reasons(), {"~looks binary"}));
  options.format = "lines";  // as asked for: no guess about binary
  EXPECT_EQ(read_all(options).reasons().size(), 0U);
  EXPECT_TRUE(are(read_all(options_for(dir / "d/link")).texts(), {"a"}));  // named by the caller
  EXPECT_TRUE(are(read_all(options_for(dir / "d/image")).texts(), {std::string("PNG\0\1", 5)}));
}

TEST(Input, ManySmallFilesShareChunks) {
  const TemporaryDirectory dir;
  std::vector<std::string> expected;
  for (int i = 0; i < 300; ++i) {
    dir.write("d/" + std::to_string(1000 + i), std::string(static_cast<std::size_t>(i % 7) * 10, 'x'));
    expected.emplace_back(static_cast<std::size_t>(i % 7) * 10, 'x');
  }
  const ReadAll read = read_all(options_for(dir / "d"));
  EXPECT_EQ(read.texts(), expected);
  EXPECT_EQ(read.chunks, 1U);
  for (const std::size_t chunk : {1U, 7U, 33U, 100U}) EXPECT_EQ(read_all(options_for(dir / "d"), chunk).all, read.all);
}

TEST(Input, PackedEqualsPlain) {
  const TemporaryDirectory dir;
  std::string plain;
  for (int i = 0; i < 2000; ++i) plain += "{\"id\":" + std::to_string(i) + ",\"text\":\"line " + std::string(i % 50, 'y') + "\\n\"}\n";
  const std::vector<Seen> expected = read_all(options_for(dir.write("a.jsonl", plain))).all;
  ASSERT_EQ(expected.size(), 2000U);
  const std::string half = plain.substr(0, 777), rest = plain.substr(777);
  const std::string skippable("\x53\x2a\x4d\x18\x03\0\0\0abc", 11);
  const std::vector<std::string> packed = {gzip(plain), gzip(half) + gzip("") + gzip(rest) + std::string(512, '\0'), zstd(plain),
                                           skippable + zstd(half) + skippable + zstd(rest) + zstd("")};
  for (std::size_t i = 0; i < packed.size(); ++i) {
    const std::string path = dir.write("b.jsonl", packed[i]);  // the name does not tell
    for (const std::size_t chunk : {100U, 4096U, 1U << 20}) {
      const ReadAll read = read_all(options_for(path), chunk);
      EXPECT_EQ(read.all, expected) << i << ' ' << chunk;
      EXPECT_EQ(read.packed, packed[i].size()) << i;
      EXPECT_EQ(read.sources[0].compression, i < 2 ? Compression::gzip : Compression::zstd);
    }
  }
}

TEST(Input, WhatComesBeforeABreakIsGood) {
  const TemporaryDirectory dir;
  std::string plain;
  for (int i = 0; i < 20000; ++i) plain += "{\"text\":\"" + std::to_string(i * 7919) + "\"}\n";
  for (const bool use_gzip : {true, false}) {
    const std::string whole = use_gzip ? gzip(plain) : zstd(plain);
    const ReadAll cut = read_all(options_for(dir.write("a.jsonl", whole.substr(0, whole.size() * 3 / 4))));
    EXPECT_TRUE(are(cut.reasons(), {"~ends too early"}));
    if (use_gzip) {
      EXPECT_GT(cut.texts().size(), 10000U);
    }
    EXPECT_FALSE(cut.all.back().good);
    for (const Seen& seen : cut.all) {
      if (seen.good) {
        EXPECT_EQ(plain.substr(seen.offset, seen.length), seen.raw);
      }
    }
    std::string bad = whole;
    for (std::size_t i = 0; i < 64; ++i) bad[bad.size() / 2 + i] = '\xAA';
    const ReadAll broken = read_all(options_for(dir.write("a.jsonl", bad)));
    ASSERT_FALSE(broken.all.empty());
    EXPECT_TRUE(are({broken.all.back().reason}, {use_gzip ? "~broken gzip" : "~broken zstd"}));
    EXPECT_EQ(read_all(options_for(dir.write("a.txt", bad))).all.size(), 1U);  // a whole-file document is one reject
  }
  const ReadAll trailing = read_all(options_for(dir.write("a.jsonl", gzip("{\"text\":\"x\"}\n") + "garbage")));
  EXPECT_TRUE(are(trailing.texts(), {"x"}));
  EXPECT_TRUE(are(trailing.reasons(), {"~other bytes follow"}));
  EXPECT_TRUE(are(read_all(options_for(dir.write("b.jsonl.gz", plain))).reasons(), {"~not valid gzip data"}));
  EXPECT_TRUE(are(read_all(options_for(dir.write("b.jsonl.zst", ""))).reasons(), {"~not valid zstd data"}));
}

TEST(Input, BombsAreStopped) {
  const TemporaryDirectory dir;
  std::string lines;
  while (lines.size() < (66U << 20)) lines += std::string(999'999, 'x') + '\n';
  for (const bool use_gzip : {true, false}) {
    InputOptions options = options_for(dir.write("a", use_gzip ? gzip(lines) : zstd(lines)), "lines");
    options.max_expansion = 100;
    EXPECT_TRUE(are(read_all(options).reasons(), {"~--max-expansion 100"}));
    options.max_expansion = 1'000'000;
    EXPECT_TRUE(read_all(options).reasons().empty());
  }
}

TEST(Input, ZstdWindowIsLimited) {
  const TemporaryDirectory dir;
  // A frame header that asks for a window of 2^31 bytes.
  const std::string path = dir.write("a.jsonl", std::string("\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00", 9));
  EXPECT_TRUE(are(read_all(options_for(path)).reasons(), {"~128 MiB"}));
}

TEST(Input, PipesAreSpooledAndReadAgain) {
  const TemporaryDirectory dir;
  std::string plain;
  for (int i = 0; i < 60000; ++i) plain += "{\"id\":" + std::to_string(i) + ",\"text\":\"" + std::string(i % 100, 'z') + "\\t\"}\n";
  const std::vector<Seen> expected = read_all(options_for(dir.write("plain.jsonl", plain))).all;
  InputOptions options;
  options.paths = {dir / "first.jsonl", dir / "plain.jsonl", dir / "second"};
  for (const char* name : {"first.jsonl", "second"}) ASSERT_EQ(::mkfifo((dir / name).c_str(), 0600), 0);
  std::thread writer([&] {
    std::ofstream(dir / "first.jsonl", std::ios::binary) << plain;
    std::ofstream(dir / "second", std::ios::binary) << gzip(plain);
  });
  const ReadAll read = read_all(options, 1 << 20, dir / "spool");
  writer.join();
  ASSERT_EQ(read.all.size(), expected.size() * 3);
  EXPECT_TRUE(std::filesystem::exists(dir / "spool"));
  EXPECT_TRUE(std::filesystem::exists(dir / "spool.1"));
  Reread again(options, read.sources, dir / "spool");
  for (const Seen& seen : read.all) {
    ASSERT_EQ(again.raw(seen.source, seen.offset, seen.length), seen.raw);
    ASSERT_EQ(again.text(seen.source, seen.offset, seen.length), seen.text);
  }
  EXPECT_EQ(again.raw(0, read.all[1].offset, read.all[1].length), read.all[1].raw);
}

TEST(Input, StandardInput) {
  const TemporaryDirectory dir;
  const std::string file = dir.write("in", "first line\nsecond line\n");
  const int saved = ::dup(STDIN_FILENO);
  const int replacement = ::open(file.c_str(), O_RDONLY);
  ::dup2(replacement, STDIN_FILENO);
  const ReadAll read = read_all(options_for("-"), 1 << 20, dir / "spool");
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  ::close(replacement);
  EXPECT_TRUE(are(read.texts(), {"first line", "second line"}));
  EXPECT_EQ(read.sources[0].size, 0U);
  Reread again(options_for("-"), read.sources, dir / "spool");
  EXPECT_EQ(again.text(0, read.all[1].offset, read.all[1].length), "second line");
  std::filesystem::resize_file(dir / "spool", 20);
  Reread damaged(options_for("-"), read.sources, dir / "spool");
  EXPECT_THROW(damaged.raw(0, 0, 5), Error);
  Reread unkept(options_for("-"), read.sources, "");
  EXPECT_THROW(unkept.raw(0, 0, 5), Error);
}

TEST(Input, ASpoolThatCannotBeWrittenIsAnError) {
  const TemporaryDirectory dir;
  ASSERT_EQ(::mkfifo((dir / "pipe").c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(dir / "pipe") << "x\n"; });
  EXPECT_THROW(read_all(options_for(dir / "pipe"), 1 << 20, dir / "no/such/spool"), Error);
  writer.join();
}

// What a line means, line by line, from the whole of the bytes.
struct Line {
  std::string raw, text;
  std::uint64_t number, offset;
};

TEST(Input, RandomJsonLinesInChunksEqualTheReference) {
  const TemporaryDirectory dir;
  std::mt19937 random(9);
  for (int round = 0; round < 100; ++round) {
    std::string bytes;
    std::vector<Line> expected;
    std::uint64_t number = 0;
    for (auto lines = random() % 40; lines > 0; --lines, ++number) {
      const std::string text(random() % 60, static_cast<char>('a' + random() % 26));
      const std::string raw = random() % 5 == 0 ? "" : "{\"text\":\"" + text + "\\u96f7\"}";
      const bool ends = lines > 1 || random() % 2 == 0;
      const std::string end = !ends ? "" : random() % 3 == 0 ? "\r\n" : "\n";
      if (!raw.empty()) expected.push_back({raw + (end.size() == 2 ? "\r" : ""), text + "雷", number, bytes.size()});
      bytes += raw + end;
    }
    const std::string path = dir.write("a.jsonl", round % 3 == 0 ? gzip(bytes) : round % 3 == 1 ? zstd(bytes) : bytes);
    for (const std::size_t chunk : {std::size_t{1}, 1 + random() % 100, 1 + random() % 1000}) {
      const ReadAll read = read_all(options_for(path), chunk);
      ASSERT_EQ(read.all.size(), expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(read.all[i].raw, expected[i].raw);
        ASSERT_EQ(read.all[i].text, expected[i].text);
        ASSERT_EQ(read.all[i].line, expected[i].number);
        ASSERT_EQ(read.all[i].offset, expected[i].offset);
      }
    }
  }
}

// Common names of shards; and texts that have no extension either.
TEST(Input, AFileWithoutExtensionIsKnownByItsContent) {
  const TemporaryDirectory dir;
  const std::string shard = "{\"text\":\"a\"}\n{ \"text\": \"b\"}\n";
  dir.write("d/part-00000", shard);
  dir.write("d/part-00001", gzip(shard));
  dir.write("d/part-00002", "{a} brace begins a text\nof two lines");
  dir.write("d/part-00003", "<!DOCTYPE html><p>c</p>");
  EXPECT_TRUE(are(read_all(options_for(dir / "d")).texts(), {"a", "b", "a", "b", "{a} brace begins a text\nof two lines", "c"}));
}

TEST(Input, ACarriageReturnStaysWithItsJson) {
  const TemporaryDirectory dir;
  const std::string path = dir.write("a.jsonl", "{\"text\":\"a\"}\r\n \r\n{\"text\":\"b\"}\r\n");
  const ReadAll read = read_all(options_for(path));
  ASSERT_EQ(read.all.size(), 2U);
  EXPECT_EQ(read.all[0].raw, "{\"text\":\"a\"}\r");
  EXPECT_EQ(read.all[1].raw, "{\"text\":\"b\"}\r");
}

TEST(Input, AWaitForInputEndsWhenItIsStopped) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::atomic<bool> stop = false;
  FileStream stream(ends[0], &stop);
  std::thread later([&] { stop = true; });
  char byte = 0;
  EXPECT_THROW((void)stream.read(&byte, 1), Error);
  later.join();
  ::close(ends[1]);
}

TEST(Input, UnreadableFilesInDirectoriesAreRejects) {
  const TemporaryDirectory dir;
  dir.write("d/a", "a");
  dir.write("d/b", "b");
  Input input(options_for(dir / "d"), "");
  std::filesystem::remove(dir / "d/a");  // between the walk and the reading
  Chunk chunk;
  Parsed parsed;
  ASSERT_TRUE(input.next(chunk));
  input.parse(chunk, parsed);
  ASSERT_EQ(parsed.rejects.size(), 1U);
  EXPECT_TRUE(are({parsed.rejects[0].reason}, {"~cannot be opened"}));
  ASSERT_EQ(parsed.records.size(), 1U);
  EXPECT_EQ(parsed.records[0].text, "b");
  EXPECT_FALSE(input.next(chunk));
}

}  // namespace
}  // namespace leitong::records
