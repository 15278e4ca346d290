#include "warc/page.h"

#include <brotli/encode.h>
#include <gtest/gtest.h>

#include <deque>
#include <string>

#include "warc/http.h"
#include "warc/made_archive_test.h"

namespace leitong::warc {
namespace {

constexpr std::size_t limit = std::size_t{1} << 20;
const std::string text = "<html><body><p>A page of some length that is worth packing, packing, packing.</p></body></html>";

std::string brotli(const std::string& bytes) {
  std::string out(BrotliEncoderMaxCompressedSize(bytes.size()) + 64, '\0');
  std::size_t size = out.size();
  BrotliEncoderCompress(5, 22, BROTLI_MODE_TEXT, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()), &size,
                        reinterpret_cast<std::uint8_t*>(out.data()));
  out.resize(size);
  return out;
}

std::string chunked(const std::string& body, std::size_t size) {
  std::string out;
  for (std::size_t at = 0; at < body.size(); at += size) {
    const std::string part = body.substr(at, size);
    char head[32];
    std::snprintf(head, sizeof head, "%zx;name=value\r\n", part.size());
    out += head + part + "\r\n";
  }
  return out + "0\r\n\r\n";
}

std::string decoded(const std::string& header, const std::string& body, bool* cut = nullptr) {
  const std::string block = "HTTP/1.1 200 OK\r\n" + header + "\r\n" + body;
  std::string storage;
  const DecodedBody result = decode_body(parse_http(block), limit, storage);
  if (cut != nullptr) *cut = result.cut;
  return std::string(result.bytes);
}

// Its body outlives the reader.
Page page_of(const std::string& bytes) {
  static std::deque<std::string> bodies;
  ArchiveReader reader(reader_of(bytes), 0, {});
  const auto found = reader.next();
  Page page;
  std::string storage;
  read_page(found.record, limit, page, storage);
  page.body = bodies.emplace_back(page.body);
  return page;
}

TEST(HttpBody, TakesOffEveryCoding) {
  EXPECT_EQ(decoded("Content-Encoding: gzip\r\n", gzip_member(text)), text);
  EXPECT_EQ(decoded("content-encoding: X-GZIP\r\n", gzip_member(text) + gzip_member(text)), text + text);
  EXPECT_EQ(decoded("Content-Encoding: deflate\r\n", gzip_member(text, 15)), text);
  EXPECT_EQ(decoded("Content-Encoding: deflate\r\n", gzip_member(text, -15)), text);
  EXPECT_EQ(decoded("Content-Encoding: br\r\n", brotli(text)), text);
  EXPECT_EQ(decoded("Content-Encoding: zstd\r\n", zstd_frame(text)), text);
  EXPECT_EQ(decoded("Content-Encoding: gzip, br\r\n", brotli(gzip_member(text))), text);
  EXPECT_EQ(decoded("Content-Encoding: gzip\r\nContent-Encoding: br\r\n", brotli(gzip_member(text))), text);
  EXPECT_EQ(decoded("Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n", chunked(gzip_member(text), 10)), text);
  EXPECT_EQ(decoded("Transfer-Encoding:\r\n chunked\r\n", chunked(text, 7)), text);
}

TEST(HttpBody, WhatIsAnnouncedAndNotThereIsPassedBy) {
  for (const char* header :
       {"Content-Encoding: gzip\r\n", "Content-Encoding: br\r\n", "Content-Encoding: deflate\r\n", "Content-Encoding: zstd\r\n",
        "Content-Encoding: gzip, deflate, br\r\n", "Transfer-Encoding: chunked\r\n", "Content-Encoding: sdch\r\n"})
    EXPECT_EQ(decoded(header, text), text) << header;
  EXPECT_EQ(decoded("Transfer-Encoding: chunked\r\n", "add a line\r\nand another"), "add a line\r\nand another");
}

TEST(HttpBody, ABodyThatBreaksOffGivesWhatCameBefore) {
  std::string longer;
  for (int i = 0; i < 5000; ++i) longer += "number " + std::to_string(i * 7919) + " ";
  const std::string packed = gzip_member(longer);
  bool cut = false;
  const std::string part = decoded("Content-Encoding: gzip\r\n", packed.substr(0, packed.size() / 2), &cut);
  EXPECT_TRUE(cut);
  EXPECT_GT(part.size(), 1000U);
  EXPECT_TRUE(longer.starts_with(part));
  EXPECT_EQ(decoded("Transfer-Encoding: chunked\r\n", chunked(text, 1000).substr(0, 50), &cut), text.substr(0, 50 - 15));
  EXPECT_TRUE(cut);
}

TEST(HttpBody, KeepsItsLimit) {
  const std::string block = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzip_member(std::string(50U << 20, 'z'));
  std::string storage;
  const DecodedBody body = decode_body(parse_http(block), limit, storage);
  EXPECT_TRUE(body.too_long);
  EXPECT_LT(storage.size(), 8U << 20);
}

TEST(HttpHeader, ReadsWhatServersWrite) {
  EXPECT_EQ(parse_http("HTTP/1.1 404\nContent-Type: text/html\n\nx").status, 404);
  EXPECT_EQ(parse_http("HTTP/1.1 404\nContent-Type: text/html\n\nx").body, "x");
  EXPECT_EQ(parse_http("HTTP/1.0 200 \r\nA: b\r\nContent-Type:\r\n\ttext/html;\r\n charset=gbk\r\n\r\nx").type, "text/html; charset=gbk");
  EXPECT_EQ(parse_http("<html>").body, "<html>");
  EXPECT_EQ(parse_http("HTTP/1.1 200 OK\r\nContent-Type: a/b").body, "");
  EXPECT_EQ(media_type("Text/HTML ; charset=x"), "text/html");
  EXPECT_EQ(charset_of("text/html; Charset = \"gb2312\" ; x=y"), "gb2312");
  EXPECT_EQ(charset_of("text/html"), "");
}

TEST(Page, IsWhatTheRecordSays) {
  const Page html = page_of(response("a", text, "Content-Type: text/html; charset=gbk\r\n"));
  EXPECT_EQ(html.kind, Kind::page);
  EXPECT_EQ(html.id, "urn:uuid:a");
  EXPECT_EQ(html.url, "http://example.com/a");
  EXPECT_EQ(html.date, "2024-05-06T07:08:09Z");
  EXPECT_EQ(html.charset, "gbk");
  EXPECT_EQ(html.status, 200);
  EXPECT_EQ(html.body, text);
  EXPECT_EQ(page_of(response("a", "x", "Content-Type: text/plain\r\n")).kind, Kind::plain);
  EXPECT_EQ(page_of(response("a", "x", "Content-Type: image/png\r\n")).kind, Kind::other_media);
  EXPECT_EQ(page_of(response("a", text, "")).kind, Kind::page);
  EXPECT_EQ(page_of(response("a", "")).kind, Kind::empty);
  EXPECT_EQ(page_of(warc_record("response", "a", "HTTP/1.1 301 Moved\r\nContent-Type: text/html\r\n\r\n" + text)).kind, Kind::other_status);
  for (const auto& [type, kind] : {std::pair{"revisit", Kind::revisit},
                                   {"request", Kind::request},
                                   {"metadata", Kind::metadata},
                                   {"warcinfo", Kind::warcinfo},
                                   {"continuation", Kind::continuation},
                                   {"strange", Kind::other_type}})
    EXPECT_EQ(page_of(warc_record(type, "a", text)).kind, kind) << type;
  EXPECT_EQ(page_of(warc_record("resource", "a", text, "Content-Type: text/html\r\n")).kind, Kind::page);
  const Page wet = page_of(warc_record("conversion", "a", "Plain words.", "Content-Type: text/plain\r\n"));
  EXPECT_EQ(wet.kind, Kind::conversion);
  EXPECT_EQ(wet.body, "Plain words.");
  EXPECT_TRUE(page_of(warc_record("response", "a", http_block(text), "WARC-Truncated: length\r\n")).truncated);
  EXPECT_FALSE(html.truncated);
}

TEST(Page, MissingStatusTextAndOldVersions) {
  const std::string block = "HTTP/1.1 200\r\nContent-Type: text/html\r\n\r\n" + text;
  for (const char* version : {"WARC/0.17", "WARC/0.18", "WARC/1.0", "WARC/1.1"})
    EXPECT_EQ(page_of(warc_record("response", "a", block, "", version)).body, text) << version;
}

TEST(AsWarc, GivesAWholeRecordByteForByte) {
  const std::string bytes = response("a", text);
  ArchiveReader reader(reader_of(bytes), 0, {});
  EXPECT_EQ(as_warc(reader.next().record), bytes);
}

TEST(AsWarc, MakesARecordThatIsCutValid) {
  const std::string bytes = response("a", text), short_one = bytes.substr(0, bytes.size() - 30);
  ArchiveReader reader(reader_of(short_one), 0, {});
  const std::string made = as_warc(reader.next().record);
  const FoundRecords found = read_archive(made + response("b", text));
  ASSERT_EQ(found.records.size(), 2U);
  EXPECT_FALSE(found.cut[0]);
  EXPECT_TRUE(page_of(made).truncated);
  EXPECT_EQ(page_of(made).id, "urn:uuid:a");
  EXPECT_EQ(page_of(made).body, text.substr(0, text.size() - 26));
}

TEST(AsWarc, MakesARecordOfArc) {
  const std::string block = http_block(text);
  const std::string bytes = "http://example.com/x 1.2.3.4 20140216050222 text/html " + std::to_string(block.size()) + "\n" + block + "\n";
  ArchiveReader reader(reader_of(bytes), 0, {});
  const std::string made = as_warc(reader.next().record);
  const Page page = page_of(made), own = page_of(bytes);
  EXPECT_EQ(page.kind, Kind::page);
  EXPECT_EQ(page.url, "http://example.com/x");
  EXPECT_EQ(page.date, "2014-02-16T05:02:22Z");
  EXPECT_EQ(page.body, text);
  EXPECT_EQ(page.id, own.id);
  EXPECT_EQ(page.id.size(), 45U);
}

}  // namespace
}  // namespace leitong::warc
