#include "records/encoding.h"

#include <gtest/gtest.h>
#include <iconv.h>

#include "leitong/error.h"
#include "records/encoding_labels.h"
#include "records/read_input_test.h"

namespace leitong::records {
namespace {

std::string in(const char* encoding, const std::string& utf8) {
  const iconv_t descriptor = iconv_open(encoding, "UTF-8");
  EXPECT_NE(descriptor, reinterpret_cast<iconv_t>(-1)) << encoding;
  std::string out(4 * utf8.size() + 16, '\0');
  char* from = const_cast<char*>(utf8.data());
  char* to = out.data();
  std::size_t size = utf8.size(), room = out.size();
  EXPECT_EQ(iconv(descriptor, &from, &size, &to, &room), 0U) << encoding;
  iconv_close(descriptor);
  out.resize(out.size() - room);
  return out;
}

std::string all_of(ByteStream& stream, std::size_t step) {
  std::string out;
  for (std::string part(step, '\0');;) {
    const std::size_t got = stream.read(part.data(), step);
    out.append(part, 0, got);
    if (got < step) return out;
  }
}

std::string converted(const std::string& bytes, const char* encoding, std::size_t step = 1000) {
  const auto stream = convert(std::make_unique<MemoryStream>(bytes), encoding);
  return all_of(*stream, step);
}

const std::string simplified = "雷同检测把相近的文章找出来，只留下一篇。港务局宣布，六月的第一个星期五起，夜间渡轮开始运行。";
const std::string traditional = "雷同檢測把相近的文章找出來，只留下一篇。港務局宣布，六月的第一個星期五起，夜間渡輪開始運行。";

TEST(Encoding, Names) {
  EXPECT_EQ(parse_encoding("auto"), std::nullopt);
  for (const char* name : {"GBK", "gb2312", "GB-18030", "cp936"}) EXPECT_EQ(parse_encoding(name), "GB18030") << name;
  EXPECT_EQ(parse_encoding("utf-8"), "");
  EXPECT_EQ(parse_encoding("UTF_16le"), "UTF-16LE");
  EXPECT_EQ(parse_encoding("KOI8-R"), "KOI8-R");  // the system's own
  for (const char* name : {"", "nonsense", "UTF-8//IGNORE"}) EXPECT_THROW((void)parse_encoding(name), Error) << name;
}

TEST(Encoding, Guesses) {
  const std::string long_text = [] {
    std::string text;
    for (int i = 0; i < 50; ++i) text += simplified;
    return text;
  }();
  EXPECT_EQ(guess_encoding(simplified), "");
  EXPECT_EQ(guess_encoding(std::string_view(simplified).substr(0, 20)), "");  // in the middle of a character
  EXPECT_EQ(guess_encoding(simplified + "\xFF\xFE" + simplified), "");
  for (const std::size_t size : {4U, 20U, 21U, 1000U, 3001U})
    EXPECT_EQ(guess_encoding(in("GB18030", long_text).substr(0, size)), "GB18030") << size;
  EXPECT_EQ(guess_encoding(in("GBK", traditional)), "GB18030");
  EXPECT_EQ(guess_encoding(in("BIG5", traditional)), "Big5");
  EXPECT_EQ(guess_encoding(in("BIG5", traditional).substr(0, 21)), "Big5");
  EXPECT_EQ(guess_encoding(in("ISO-8859-1", "é, déjà vu, garçon, naïve, à bientôt")), std::nullopt);
  EXPECT_EQ(guess_encoding(in("KOI8-R", "ночной паром начнёт ходить в июне, сообщила администрация порта")), std::nullopt);
  EXPECT_EQ(
      guess_encoding(in(
          "EUC-KR",
          "항만 사무소는 유월의 첫 번째 금요일부터 야간 여객선을 운행한다고 밝혔다. 배는 동쪽 부두를 출발하여 자정이 지난 뒤에 도착한다.")),
      std::nullopt);
  EXPECT_EQ(guess_encoding(in("EUC-JP", "港湾事務所は、六月の最初の金曜日から夜間のフェリーを運航すると発表した。船は東の桟橋を出ます。")),
            std::nullopt);
}

TEST(Encoding, HeadsTell) {
  const auto name = [](const std::string& head) {
    const auto found = encoding_of_head(std::nullopt, head);
    return found ? found->name + "/" + found->from : "none";
  };
  EXPECT_EQ(name("\xEF\xBB\xBFx"), "/");
  EXPECT_EQ(name("\xFF\xFEx" + std::string(1, '\0')), "UTF-16LE/byte order mark");
  EXPECT_EQ(name(in("UTF-16LE", "{\"text\":\"plain\"}")), "UTF-16LE/detected");
  EXPECT_EQ(name(in("UTF-16BE", "{\"text\":\"plain\"}")), "UTF-16BE/detected");
  EXPECT_EQ(name(in("UTF-16LE", simplified)), "UTF-16LE/detected");
  EXPECT_EQ(name(in("UTF-16BE", traditional)), "UTF-16BE/detected");
  for (const std::string& other : {std::string("plain"), simplified, in("GB18030", simplified), in("BIG5", traditional),
                                   std::string(64, '\0'), std::string("PNG\0\1\2\3\0\0\0\1\377", 12)})
    EXPECT_EQ(name(other), "none") << other;
  EXPECT_EQ(encoding_of_head("UTF-16", in("UTF-16BE", simplified))->name, "UTF-16BE");
  EXPECT_EQ(encoding_of_head("GB18030", "\xFF\xFEx")->name, "UTF-16LE");  // a mark is surer than what is said
  EXPECT_EQ(declared_encoding("<html><head><META http-equiv=Content-Type content=\"text/html; charset=gb2312\">"), "GB18030");
  EXPECT_EQ(declared_encoding("<meta charset='big5'/>"), "Big5");
  EXPECT_EQ(declared_encoding("<?xml version=\"1.0\" encoding=\"GBK\"?>"), "GB18030");
  for (const char* none :
       {"<meta charset=utf-8>", "<meta charset=\"utf-16\">", "<p>charset=gbk", "<meta charset=nonsense>", "<meta charset"})
    EXPECT_EQ(declared_encoding(none), "") << none;
}

TEST(Encoding, LabelsOfTheWeb) {
  for (const auto& [label, encoding] : {std::pair{"gb2312", "GB18030"},
                                        {" GBK\t", "GB18030"},
                                        {"x-gbk", "GB18030"},
                                        {"iso-8859-1", "windows-1252"},
                                        {"ASCII", "windows-1252"},
                                        {"latin1", "windows-1252"},
                                        {"shift_jis", "Shift_JIS"},
                                        {"x-sjis", "Shift_JIS"},
                                        {"big5-hkscs", "Big5"},
                                        {"ks_c_5601-1987", "EUC-KR"},
                                        {"windows-1251", "CP1251"},
                                        {"koi8-r", "KOI8-R"},
                                        {"UTF8", ""},
                                        {"unicode-1-1-utf-8", ""},
                                        {"utf-16", "UTF-16LE"},
                                        {"windows-874", "CP874"}})
    EXPECT_EQ(encoding_of_label(label), encoding) << label;
  for (const char* unknown : {"", " ", "nonsense", "gb2312 gbk", "utf-7"}) EXPECT_EQ(encoding_of_label(unknown), std::nullopt) << unknown;
}

std::string page_in(const std::string& bytes, const char* declared = "", bool html = true) {
  std::string storage;
  return std::string(page_as_utf8(bytes, declared, html, std::nullopt, storage));
}

TEST(Encoding, PagesByTheirBytesAndWhatIsDeclared) {
  EXPECT_EQ(page_in(in("GB18030", simplified), "gb2312"), simplified);
  EXPECT_EQ(page_in("<meta charset=gbk>" + in("GB18030", simplified)), "<meta charset=gbk>" + simplified);
  EXPECT_EQ(page_in(in("GB18030", simplified)), simplified);
  EXPECT_EQ(page_in(in("GB18030", simplified), "utf-8"), simplified) << "what calls itself UTF-8 and is not";
  EXPECT_EQ(page_in(simplified, "gbk"), simplified) << "UTF-8 wins";
  EXPECT_EQ(page_in("<meta charset=iso-8859-1>" + simplified, "gbk"), "<meta charset=iso-8859-1>" + simplified);
  EXPECT_EQ(page_in("\xEF\xBB\xBF" + simplified, "gbk"), simplified);
  EXPECT_EQ(page_in("\xFF\xFE" + in("UTF-16LE", simplified), "gbk"), simplified);
  EXPECT_EQ(page_in(in("UTF-16LE", simplified), "utf-16"), simplified);
  EXPECT_EQ(page_in("caf\xE9", "iso-8859-1"), "caf\xC3\xA9");
  EXPECT_EQ(page_in("\x80 caf\xE9"), "\xE2\x82\xAC caf\xC3\xA9") << "at last windows-1252";
  EXPECT_EQ(page_in("\xCF\xF0\xE8\xE2\xE5\xF2", "windows-1251"), "\xD0\x9F\xD1\x80\xD0\xB8\xD0\xB2\xD0\xB5\xD1\x82");
  EXPECT_EQ(page_in("\x1b$B4A;z\x1b(B", "iso-2022-jp"), "\xE6\xBC\xA2\xE5\xAD\x97");
  EXPECT_EQ(page_in(simplified + "\xFF" + simplified, "utf-8"), simplified + "\xEF\xBF\xBD" + simplified) << "a few broken characters";
  EXPECT_EQ(page_in("<!-- <meta charset=big5> --><meta charset=gbk>" + in("GB18030", "\xE4\xB8\xAD")),
            "<!-- <meta charset=big5> --><meta charset=gbk>\xE4\xB8\xAD");
  EXPECT_EQ(page_in(in("GB18030", simplified).substr(0, 3), "gbk").substr(0, 3), simplified.substr(0, 3)) << "cut in a character";
}

TEST(Encoding, Conversion) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += simplified + "𠮷 plain\n";
  for (const char* encoding : {"GB18030", "UTF-16LE", "UTF-16BE", "UTF-32LE"})
    for (const std::size_t step : {7U, 1000U, 1000000U}) EXPECT_EQ(converted(in(encoding, text), encoding, step), text) << encoding;
  EXPECT_EQ(converted(in("BIG5", traditional), "Big5"), traditional);
  EXPECT_EQ(converted("a\x81 b\xC0\xD7\n\xD0", "GB18030"), "a\xFF b雷\n\xFF");
  EXPECT_EQ(converted(std::string("\x00\xD8\x0A\x00\xFE", 5), "UTF-16LE"), "\xFF\n\xFF");
  EXPECT_THROW((void)convert(std::make_unique<MemoryStream>(""), "nonsense"), Error);
}

TEST(Encoding, WhatComesLateIsFoundTheSame) {
  const std::string ascii(200000, 'x');
  for (const std::size_t step : {13U, 4096U, 1U << 20}) {
    const std::string bytes = ascii + in("GB18030", simplified);
    DetectingStream stream(std::make_unique<MemoryStream>(bytes), "");
    EXPECT_EQ(all_of(stream, step), ascii + simplified);
    EXPECT_EQ(stream.taken().name, "GB18030");
    DetectingStream same(std::make_unique<MemoryStream>(traditional), "GB18030");  // a page that was converted and declares what it was
    EXPECT_EQ(all_of(same, step), traditional);
    EXPECT_EQ(same.taken().name, "");
  }
}

// Every format, every encoding, asked for or found, read once and again.
TEST(Encoding, FilesReadAsTheirUtf8Would) {
  const TemporaryDirectory dir;
  const std::pair<const char*, std::string> files[] = {
      {"a.jsonl", "{\"id\":\"甲\",\"text\":\"" + simplified + "\"}\n{\"id\":2,\"text\":\"第二条\\n记录\"}\n"},
      {"a.csv", "id,text\r\n甲,\"" + simplified + "\n第二行\"\r\n2,第二条记录\r\n"},
      {"a.txt", simplified + "\n" + simplified},
      {"a.lines", simplified + "\n第二行\n"},
      {"a.html", "<html><body><p>" + simplified + "</p></body></html>"}};
  for (const auto& [name, utf8] : files) {
    const bool lines = std::string_view(name).ends_with("lines");
    const ReadAll expected = read_all(options_for(dir.write(std::string("u/") + name, utf8), lines ? "lines" : "auto"));
    for (const char* encoding : {"GB18030", "GBK", "UTF-16", "UTF-16LE", "UTF-16BE"}) {
      for (const bool packed : {false, true}) {
        InputOptions options = options_for(dir.write(std::string("e/") + name, packed ? gzip(in(encoding, utf8)) : in(encoding, utf8)),
                                           lines ? "lines" : "auto");
        for (const std::string& asked : {std::string("auto"), std::string(encoding)}) {
          options.encoding = asked;
          const ReadAll read = read_all(options, 50);
          ASSERT_EQ(read.texts(), expected.texts()) << name << ' ' << encoding << ' ' << asked;
          EXPECT_EQ(read.sources[0].encoding.substr(0, 2), std::string_view(encoding).substr(0, 2));
          EXPECT_EQ(read.sources[0].encoding_from.empty(), asked != "auto" && std::string_view(encoding) != "UTF-16");
          EXPECT_EQ(read.all.back().line, expected.all.back().line);
          Reread again(options, read.sources, "");
          for (const Seen& seen : read.all) EXPECT_EQ(again.text(0, seen.offset, seen.length), seen.text);
        }
      }
    }
  }
}

TEST(Encoding, InvalidPartsRejectTheirRecord) {
  const TemporaryDirectory dir;
  const std::string good = in("GB18030", "{\"text\":\"" + simplified + "\"}\n");
  const ReadAll read = read_all(options_for(dir.write("a.jsonl", good + "{\"text\":\"\xC0\"}\n" + good)));
  EXPECT_EQ(read.texts().size(), 2U);  // one bad character is no other encoding
  EXPECT_TRUE(are(read.reasons(), {"~invalid GB18030 at byte 9"}));
}

TEST(Encoding, StandardInputIsKeptAsUtf8) {
  const TemporaryDirectory dir;
  const std::string fifo = dir / "fifo";
  dir.write("a.txt", in("GB18030", simplified));
  ASSERT_EQ(std::system(("mkfifo " + fifo + " && (cat " + (dir / "a.txt") + " > " + fifo + " &)").c_str()), 0);
  const InputOptions options = options_for(fifo);
  const ReadAll read = read_all(options, 1000, dir / "spool");
  ASSERT_EQ(read.texts(), std::vector<std::string>{simplified});
  Reread again(options, read.sources, dir / "spool");
  EXPECT_EQ(again.text(0, read.all[0].offset, read.all[0].length), simplified);
}

}  // namespace
}  // namespace leitong::records
