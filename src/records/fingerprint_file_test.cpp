#include "leitong/fingerprint_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <random>
#include <thread>

#include "leitong/error.h"
#include "records/fingerprint_line.h"
#include "records/read_input_test.h"

namespace leitong {
namespace {

using Values = std::vector<std::uint64_t>;
using std::string_literals::operator""s;

std::string raw(const Values& values) {
  std::string bytes(values.size() * 8, '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

Values all(const FingerprintFile& file) { return {file.values().begin(), file.values().end()}; }

std::vector<std::uint64_t> rows(const FingerprintFile& file) {
  std::vector<std::uint64_t> out;
  for (std::uint64_t i = 0; i < file.size(); ++i) out.push_back(file.row(i));
  return out;
}

class FingerprintFiles : public testing::Test {
 protected:
  FingerprintFile read(const std::string& name, std::string_view bytes, const FingerprintFileOptions& options = {}) const {
    return FingerprintFile(directory.write(name, bytes), options);
  }
  // The message of the error that reading gives.
  std::string refusal(const std::string& name, std::string_view bytes, ErrorCode code, const FingerprintFileOptions& options = {}) const {
    try {
      (void)read(name, bytes, options);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      return error.what();
    }
    ADD_FAILURE() << name << " was read";
    return {};
  }
  TemporaryDirectory directory;
};

TEST_F(FingerprintFiles, RawValuesAreMappedAsTheyStand) {
  const Values values = {1, 2, 3, ~std::uint64_t{0}};
  for (const auto& [format, words] : {std::pair("u64", 1U), std::pair("u128", 2U), std::pair("u256", 4U)}) {
    for (const bool by_name : {true, false}) {
      FingerprintFileOptions options;
      options.format = by_name ? "auto" : format;
      const FingerprintFile file = read(by_name ? std::string("a.") + format : "a.bin", raw(values), options);
      EXPECT_EQ(all(file), values);
      EXPECT_EQ(file.words(), words);
      EXPECT_EQ(file.size(), 4 / words);
      EXPECT_EQ(file.format(), format);
      EXPECT_EQ(file.held_bytes(), 0U);
      EXPECT_FALSE(file.has_gaps());
    }
  }
  EXPECT_EQ(all(read("plain", raw(values))), values);  // neither name nor first line says anything: u64
  EXPECT_EQ(all(read("one.u64", raw({42}))), Values{42});
}

TEST_F(FingerprintFiles, RawValuesMayBeginLikeAnything) {
  std::uint64_t gzip_magic = 0;
  std::memcpy(&gzip_magic, "\x1f\x8b\x08\0\0\0\0\0", 8);
  EXPECT_EQ(all(read("a.u64", raw({gzip_magic, 7}))), (Values{gzip_magic, 7}));
  EXPECT_NE(refusal("a", raw({gzip_magic, 7}), ErrorCode::usage).find("--format u64 if they are not packed"), std::string::npos);
  FingerprintFileOptions raw_values;
  raw_values.format = "u64";
  EXPECT_EQ(all(read("a", raw({gzip_magic, 7}), raw_values)), (Values{gzip_magic, 7}));
  std::uint64_t brace = 0;
  std::memcpy(&brace, "{\"fp\x01\x02\x03\x04", 8);
  EXPECT_EQ(all(read("a", raw({brace}))), Values{brace});
}

TEST_F(FingerprintFiles, EmptyFiles) {
  for (const char* name : {"a.u64", "a.u256", "a.hex", "a.jsonl", "a"}) {
    const FingerprintFile file = read(name, "");
    EXPECT_EQ(file.size(), 0U) << name;
    EXPECT_TRUE(file.values().empty());
    EXPECT_GE(file.words(), 1U);
    EXPECT_EQ(file.bad(), 0U);
  }
  EXPECT_EQ(read("b.hex", "\n\n\n").size(), 0U);
  EXPECT_EQ(read("c.hex.gz", records::gzip("")).size(), 0U);
}

TEST_F(FingerprintFiles, OddSizesAreRefusedWithTheSizes) {
  for (const auto& [name, bytes, rows, over] :
       {std::tuple("a.u64", 12, "1 row and", "4 bytes over"), std::tuple("a.u128", 40, "2 rows", "8 bytes over"),
        std::tuple("a.u256", 31, "0 rows and", "31 bytes over"), std::tuple("b.u64", 9, "1 row and", "1 byte over")}) {
    const std::string message = refusal(name, std::string(static_cast<std::size_t>(bytes), '\1'), ErrorCode::format);
    EXPECT_NE(message.find(name), std::string::npos) << message;
    EXPECT_NE(message.find(std::to_string(bytes) + " bytes"), std::string::npos) << message;
    EXPECT_NE(message.find(rows), std::string::npos) << message;
    EXPECT_NE(message.find(over), std::string::npos) << message;
  }
}

TEST_F(FingerprintFiles, HexIsMostSignificantFirstAndValuesLeastSignificantWordFirst) {
  EXPECT_EQ(all(read("a.hex", "00000000000000ff\n0xFF00000000000000\r\n  0Xdeadbeefcafebabe \n")),
            (Values{0xff, 0xff00000000000000, 0xdeadbeefcafebabe}));
  const FingerprintFile wide = read("b.hex", "00000000000000010000000000000002\n");
  EXPECT_EQ(all(wide), (Values{2, 1}));
  EXPECT_EQ(wide.words(), 2U);
  const FingerprintFile widest =
      read("c", "0000000000000001000000000000000200000000000000030000000000000004");  // by its first line, no line end
  EXPECT_EQ(widest.format(), "hex");
  EXPECT_EQ(all(widest), (Values{4, 3, 2, 1}));
  EXPECT_EQ(all(read("d",
                     "\xEF\xBB\xBF"
                     "00000000000000ff\n")),
            Values{0xff});  // a byte order mark
}

TEST_F(FingerprintFiles, BadLinesAreListedAndLeaveTheirRow) {
  const FingerprintFile file =
      read("a.hex", "0000000000000001\nxyz\n\n0000000000000002\n00000000000000000000000000000003\n123\n0000000000000004\n");
  EXPECT_EQ(all(file), (Values{1, 2, 4}));
  EXPECT_EQ(rows(file), (std::vector<std::uint64_t>{0, 3, 6}));
  EXPECT_TRUE(file.has_gaps());
  EXPECT_EQ(file.lines(), 7U);
  ASSERT_EQ(file.bad(), 3U);
  EXPECT_EQ(file.bad_lines()[0].line, 2U);
  EXPECT_NE(file.bad_lines()[0].reason.find("not hexadecimal"), std::string::npos);
  EXPECT_EQ(file.bad_lines()[1].line, 5U);
  EXPECT_NE(file.bad_lines()[1].reason.find("32 digits, where the first fingerprint has 16"), std::string::npos);
  EXPECT_EQ(file.bad_lines()[2].line, 6U);

  FingerprintFileOptions strict;
  strict.strict = true;
  const std::string message = refusal("a.hex", "0000000000000001\nxyz\n", ErrorCode::format, strict);
  EXPECT_NE(message.find("a.hex:2: "), std::string::npos) << message;
}

TEST_F(FingerprintFiles, OnlySoManyBadLinesAreListedButAllAreCounted) {
  std::string bytes;
  for (int i = 0; i < 1000; ++i) bytes += "bad\n";
  const FingerprintFile file = read("a.hex", bytes + "0000000000000001\n");
  EXPECT_EQ(file.bad(), 1000U);
  EXPECT_EQ(file.bad_lines().size(), FingerprintFile::most_listed);
  EXPECT_EQ(rows(file), std::vector<std::uint64_t>{1000});
}

TEST_F(FingerprintFiles, JsonLinesByTheNamesThatFingerprintPrints) {
  const FingerprintFile file = read("a.jsonl",
                                    "{\"id\":\"x\",\"fp\":\"00000000000000ff\",\"features\":3}\n"
                                    "{\"id\":null,\"fp\":null,\"features\":0}\n"
                                    "{\"fingerprint\":\"0x0000000000000001\"}\n"
                                    "{\"fp\":\"0000000000000002\",\"fingerprint\":\"0000000000000003\"}\n");
  EXPECT_EQ(all(file), (Values{0xff, 1, 2}));
  EXPECT_EQ(rows(file), (std::vector<std::uint64_t>{0, 2, 3}));
  EXPECT_EQ(file.without(), 1U);
  EXPECT_EQ(file.bad(), 0U);
  EXPECT_EQ(file.format(), "jsonl");
  EXPECT_EQ(read("noname", "{\"fp\":\"00000000000000ff\"}\n").format(), "jsonl");
}

TEST_F(FingerprintFiles, JsonFieldOfAnotherNameAndBadRecords) {
  FingerprintFileOptions options;
  options.field = "meta.hash";
  const FingerprintFile file = read("a.jsonl",
                                    "{\"meta\":{\"hash\":\"00000000000000ff\"}}\n"
                                    "{\"fp\":\"00000000000000ff\"}\n"
                                    "{\"meta\":{\"hash\":17}}\n"
                                    "{\"meta\":\n"
                                    "[1]\n"
                                    "{\"meta\":{\"hash\":\"\\u0030000000000000001\"}}\n"
                                    "{\"meta\":{\"hash\":\"\xff\"}}\n",
                                    options);
  EXPECT_EQ(all(file), (Values{0xff, 1}));
  ASSERT_EQ(file.bad(), 5U);
  const char* reasons[] = {"no field \"meta.hash\"", "is not a string", "broken JSON", "not a JSON object", "invalid UTF-8"};
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_NE(file.bad_lines()[i].reason.find(reasons[i]), std::string::npos) << file.bad_lines()[i].reason;
}

TEST_F(FingerprintFiles, Ids) {
  const std::string a = "{\"id\":7,\"fp\":\"0000000000000001\"}\n{\"id\":18446744073709551615,\"fp\":\"0000000000000002\"}\n";
  FingerprintFileOptions options;
  options.ids = KeepIds::numbers;
  const FingerprintFile numbers = read("a.jsonl", a, options);
  EXPECT_EQ(Values(numbers.numbers().begin(), numbers.numbers().end()), (Values{7, ~std::uint64_t{0}}));
  EXPECT_FALSE(numbers.row_without_number());
  for (const char* id : {"\"7\"", "1.5", "-1", "18446744073709551616", "null", "1e3"}) {
    const FingerprintFile others = read("b.jsonl", a + "{\"id\":" + id + ",\"fp\":\"0000000000000003\"}\n", options);
    EXPECT_TRUE(others.numbers().empty()) << id;
    EXPECT_EQ(others.row_without_number(), 2U) << id;
  }
  options.ids = KeepIds::text;
  const FingerprintFile text =
      read("c.jsonl", a + "{\"fp\":\"0000000000000003\"}\n{\"id\":\"\\u4e2d\",\"fp\":\"0000000000000004\"}\n", options);
  ASSERT_EQ(text.size(), 4U);
  EXPECT_EQ(text.id(0), "7");
  EXPECT_EQ(text.id(2), "");
  EXPECT_EQ(text.id(3), "\"\\u4e2d\"");
  options.id_field = "name";
  EXPECT_EQ(read("d.jsonl", "{\"name\":\"n\",\"fp\":\"0000000000000004\"}\n", options).id(0), "\"n\"");
}

TEST_F(FingerprintFiles, PackedText) {
  const std::string text = "0000000000000001\n0000000000000002\n";
  EXPECT_EQ(all(read("a.hex.gz", records::gzip(text))), (Values{1, 2}));
  EXPECT_EQ(all(read("a.zst", records::zstd(text))), (Values{1, 2}));
  EXPECT_EQ(all(read("plain", records::gzip("00000000000000ff\n"))), Values{0xff});  // by its first bytes, as from a pipe
  EXPECT_EQ(all(read("b.jsonl.zst", records::zstd("{\"fp\":\"0000000000000001\"}\n"))), Values{1});
  EXPECT_NE(refusal("a.u64.gz", records::gzip(raw({1, 2})), ErrorCode::usage).find("unpack"), std::string::npos);

  std::string many;
  std::mt19937_64 random(1);
  for (int i = 0; i < 200'000; ++i) {
    char line[18];
    std::snprintf(line, sizeof line, "%016llx\n", static_cast<unsigned long long>(random()));
    many += line;
  }
  const std::string packed = records::gzip(many);
  const FingerprintFile cut = read("c.hex.gz", std::string_view(packed).substr(0, packed.size() / 2));
  EXPECT_GT(cut.size(), 10'000U);  // what stands before the break is good
  EXPECT_EQ(cut.bad(), 0U);
  EXPECT_NE(cut.broken_off().find("cut off"), std::string::npos) << cut.broken_off();
  FingerprintFileOptions strict;
  strict.strict = true;
  EXPECT_NE(refusal("c.hex.gz", std::string_view(packed).substr(0, packed.size() / 2), ErrorCode::format, strict).find("cut off"),
            std::string::npos);
}

// Many chunks: rows and gaps run on from one to the next.
TEST_F(FingerprintFiles, LongTextsAreReadInChunks) {
  std::string text;
  Values values;
  std::vector<std::uint64_t> expected_rows;
  std::mt19937_64 random(2);
  for (std::uint64_t i = 0; i < 150'000; ++i) {
    char line[20];
    if (i % 50'000 == 77) {
      text += "no digits\n";
      continue;
    }
    values.push_back(random());
    expected_rows.push_back(i);
    std::snprintf(line, sizeof line, "%016llx\r\n", static_cast<unsigned long long>(values.back()));
    text += line;
  }
  const FingerprintFile file = read("a.hex", text);
  EXPECT_EQ(all(file), values);
  EXPECT_EQ(rows(file), expected_rows);
  EXPECT_EQ(file.bad(), 3U);
  EXPECT_EQ(file.bad_lines()[2].line, 100'078U);

  FingerprintFileOptions small;
  small.most_memory = 1 << 20;
  const std::string message = refusal("a.hex", text, ErrorCode::limit, small);
  EXPECT_NE(message.find("--memory"), std::string::npos) << message;
  EXPECT_EQ(read("a.u64", raw(values), small).size(), values.size());  // mapped, so not in memory
}

TEST_F(FingerprintFiles, PipesAreRead) {
  Values values(300'000);
  std::mt19937_64 random(3);
  for (std::uint64_t& value : values) value = random();
  const std::string pipe = directory / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const auto feed = [&](const std::string& bytes, const std::string& format) {
    std::jthread writer([&] { std::ofstream(pipe, std::ios::binary) << bytes; });
    FingerprintFileOptions options;
    options.format = format;
    return FingerprintFile(pipe, options);
  };
  EXPECT_EQ(all(feed(raw(values), "u64")), values);
  EXPECT_EQ(all(feed(raw(values), "auto")), values);
  EXPECT_EQ(feed(raw(values), "u128").size(), values.size() / 2);
  EXPECT_EQ(all(feed("{\"fp\":\"00000000000000ff\"}\n", "auto")), Values{0xff});
  EXPECT_EQ(all(feed(records::gzip("00000000000000ff\n"), "auto")), Values{0xff});
  EXPECT_THROW((void)feed(std::string(13, '\1'), "u64"), Error);
}

TEST_F(FingerprintFiles, WhatIsNoListOfFingerprints) {
  EXPECT_NE(refusal("a.sketch", "\x89LTB\r\n\x1a\n more of it", ErrorCode::usage).find("sketch files are joined"), std::string::npos);
  for (const char* text : {"eightish", "12345678", "one two three four five six", "\xE9\x9B\xB7\xE5\x90\x8C.."})  // however small
    EXPECT_NE(refusal("notes", text, ErrorCode::usage).find("looks like text"), std::string::npos) << text;
  EXPECT_NE(refusal("notes", std::string(20, 'a') + "\n" + std::string(100, 'b') + "\n", ErrorCode::usage).find("looks like text"),
            std::string::npos);
  EXPECT_NE(refusal("a.u64", "\x89LHX\r\n\x1a\n and the rest of it.....", ErrorCode::usage).find("an index"), std::string::npos);
  FingerprintFileOptions odd;
  odd.format = "u32";
  EXPECT_NE(refusal("a.u64", "", ErrorCode::usage, odd).find("u64, u128"), std::string::npos);
  EXPECT_THROW(FingerprintFile(directory.path()), Error);
  EXPECT_THROW(FingerprintFile(directory / "missing"), Error);
}

// Files whose first bytes say that other programs made them are no raw values, unless the user says so.
TEST_F(FingerprintFiles, FilesOfOtherPrograms) {
  const std::string rest(54, '\1');
  FingerprintFileOptions raw_values;
  raw_values.format = "u64";
  for (const auto& [magic, word] : {std::pair("\x93NUMPY\1\0v\0"s, "tofile"), std::pair("PK\x03\x04\0\0\0\0\0\0"s, "npz"),
                                    std::pair("PAR1\x15\4\x15\4\x15\4"s, "Parquet"), std::pair("BZh91AY&SY"s, "bzip2 -d"),
                                    std::pair("\xFD"
                                              "7zXZ\0\0\4\0\0"s,
                                              "xz -d"),
                                    std::pair("ARROW1\0\0\1\1"s, "Arrow"), std::pair("\x89HDF\r\n\x1a\n\1\1"s, "HDF5"),
                                    std::pair("\xFF\xFE"
                                              "0\0"
                                              "0\0"
                                              "0\0"
                                              "0\0"s,
                                              "iconv")}) {
    for (const char* name : {"a", "a.u64", "a.hex", "a.u64.gz"}) {
      const std::string message = refusal(name, magic + rest, ErrorCode::usage);
      EXPECT_NE(message.find(word), std::string::npos) << message;
    }
    EXPECT_EQ(read("a", magic + rest, raw_values).size(), 8U);
  }
  EXPECT_NE(refusal("a.hex.gz", records::gzip("PAR1" + rest), ErrorCode::usage).find("Parquet"), std::string::npos);
  EXPECT_NE(refusal("a.hex.gz", "00000000000000ff\n", ErrorCode::format).find("its name says so"), std::string::npos);
}

TEST_F(FingerprintFiles, WhatNothingSaysIsGuessed) {
  FingerprintFileOptions raw_values;
  raw_values.format = "u64";
  EXPECT_TRUE(read("a.bin", raw({1, 2})).guessed());
  EXPECT_FALSE(read("a.bin", raw({1, 2}), raw_values).guessed());
  EXPECT_FALSE(read("a.u64", raw({1, 2})).guessed());
  EXPECT_FALSE(read("a.bin", "").guessed());
  EXPECT_FALSE(read("a.bin", "00000000000000ff\n").guessed());
}

TEST_F(FingerprintFiles, OfDigits) {
  EXPECT_EQ(all(FingerprintFile::of_hex({"00000000000000ff", " 0x0000000000000001"})), (Values{0xff, 1}));
  EXPECT_THROW((void)FingerprintFile::of_hex({"ff"}), Error);
  EXPECT_THROW((void)FingerprintFile::of_hex({"00000000000000ff", "000000000000000000000000000000ff"}), Error);
}

TEST(HexLine, Reasons) {
  EXPECT_EQ(records::parse_hex("").count, 0U);
  EXPECT_NE(records::parse_hex("00ff00ff").reason.find("32 bits"), std::string::npos);
  EXPECT_NE(records::parse_hex("00ff00ff00ff00f").reason.find("15 hexadecimal digits"), std::string::npos);
  EXPECT_NE(records::parse_hex("00ff00ff00ff00fg").reason.find("character 16"), std::string::npos);
  EXPECT_EQ(records::parse_hex(std::string(64, 'F')).count, 4U);
}

}  // namespace
}  // namespace leitong
