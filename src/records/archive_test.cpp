// Archives as inputs: what is read, and read again by its place.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "leitong/error.h"
#include "records/format.h"
#include "records/pack.h"
#include "records/read_input_test.h"
#include "records/spool.h"
#include "records/unpack.h"
#include "warc/made_archive_test.h"

namespace leitong::records {
namespace {

using warc::gzip_member;
using warc::response;
using warc::warc_record;
using warc::zstd_frame;

std::string page(int i) { return "<html><p>The page of number " + std::to_string(i) + ".</p></html>"; }

std::vector<std::string> records() {
  std::vector<std::string> all{warc_record("warcinfo", "info", "software: none\r\n"),
                               warc_record("request", "ask", "GET / HTTP/1.1\r\n\r\n")};
  for (int i = 0; i < 6; ++i) all.push_back(response("p" + std::to_string(i), page(i)));
  all.push_back(warc_record("revisit", "again", ""));
  all.push_back(warc_record("conversion", "wet", "Plain \xE4\xB8\xAD\xE6\x96\x87.", "Content-Type: text/plain\r\n"));
  return all;
}

std::string packed(const std::vector<std::string>& parts, std::string (*pack_one)(const std::string&)) {
  std::string all;
  for (const std::string& part : parts) all += pack_one(part);
  return all;
}

struct File {
  const char* name;
  std::string bytes;
};

std::vector<File> files() {
  const auto as_it_is = [](const std::string& bytes) { return bytes; };
  const auto member = [](const std::string& bytes) { return gzip_member(bytes); };
  const auto frame = [](const std::string& bytes) { return zstd_frame(bytes); };
  const std::string plain = packed(records(), as_it_is), dictionary = records()[2] + records()[3];
  std::string with_dictionary = warc::skippable_frame(zstd_frame(dictionary));
  for (const std::string& record : records()) with_dictionary += zstd_frame(record, dictionary);
  return {{"a.warc", plain},
          {"a.warc.gz", packed(records(), member)},
          {"stream.warc.gz", gzip_member(plain)},
          {"a.warc.zst", packed(records(), frame)},
          {"dictionary.warc.zst", with_dictionary},
          {"a.warc.lz4", warc::lz4_frame(plain)},
          {"by-content", packed(records(), member)}};
}

TEST(ArchiveInput, IsReadAlikeHoweverItIsPacked) {
  const TemporaryDirectory dir;
  for (const File& file : files()) {
    InputOptions options = options_for(dir.write(file.name, file.bytes));
    options.fields = {"url", "host", "date", "status", "nothing"};
    options.json_fields = {"url"};
    const ReadAll read = read_all(options);
    ASSERT_EQ(read.all.size(), 7U) << file.name;
    EXPECT_EQ(read.sources[0].format, Format::warc);
    EXPECT_EQ(read.all[0].text, "The page of number 0.") << file.name;
    EXPECT_EQ(read.all[0].id, "\"urn:uuid:p0\"");
    EXPECT_EQ(read.all[0].line, 2U);
    EXPECT_EQ(read.all[0].fields, (std::vector<std::string>{"http://example.com/p0", "example.com", "2024-05-06T07:08:09Z", "200", "",
                                                            "\"http://example.com/p0\""}));
    EXPECT_EQ(read.all[6].text, "Plain \xE4\xB8\xAD\xE6\x96\x87.");
    EXPECT_EQ(read_all(options, 100).all, read.all) << "small chunks";
  }
}

TEST(ArchiveInput, EveryRecordIsReadAgainByItsPlace) {
  const TemporaryDirectory dir;
  for (const File& file : files()) {
    const InputOptions options = options_for(dir.write(file.name, file.bytes));
    const ReadAll read = read_all(options);
    Reread reread(options, read.sources, "");
    for (const bool backwards : {false, true})
      for (std::size_t i = 0; i < read.all.size(); ++i) {
        const Seen& seen = read.all[backwards ? read.all.size() - 1 - i : i];
        EXPECT_EQ(reread.text(seen.source, seen.offset, seen.length), seen.text) << file.name;
      }
    EXPECT_THROW(static_cast<void>(reread.text(0, 1, 10)), Error);
  }
}

TEST(ArchiveInput, KeptRecordsAreCopiedAsTheyStand) {
  const TemporaryDirectory dir;
  for (const File& file : files()) {
    const InputOptions options = options_for(dir.write(file.name, file.bytes));
    const ReadAll read = read_all(options);
    Reread reread(options, read.sources, "");
    for (const Compression packing : {Compression::none, Compression::gzip, Compression::zstd}) {
      std::string out;
      for (const Seen& seen : read.all) reread.append_archived(seen.source, seen.offset, seen.length, packing, out);
      const auto found = warc::read_archive(out);
      ASSERT_EQ(found.records.size(), 7U) << file.name;
      EXPECT_TRUE(found.damage.empty());
      for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(found.records[i] + "\r\n\r\n", records()[i + 2]) << file.name;
      EXPECT_FALSE(found.places[3].in_stream);
      const bool copied = file.name == std::string("a.warc.gz") && packing == Compression::gzip;
      EXPECT_TRUE(!copied || file.bytes.find(out.substr(0, 200)) != std::string::npos);
    }
  }
}

TEST(ArchiveInput, APipeIsKeptAsItCame) {
  const TemporaryDirectory dir;
  const std::string spool = dir / "spool";
  for (const File& file : files()) {
    const std::string pipe = dir / (std::string("pipe-") + file.name);
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << file.bytes; });
    const ReadAll read = read_all(options_for(pipe), std::size_t{1} << 20, spool);
    writer.join();
    ASSERT_EQ(read.all.size(), 7U) << file.name;
    Reread reread(options_for(pipe), read.sources, spool);
    for (const Seen& seen : read.all) EXPECT_EQ(reread.text(seen.source, seen.offset, seen.length), seen.text) << file.name;
  }
}

TEST(ArchiveInput, DamageIsARejectAndLongRecordsToo) {
  const TemporaryDirectory dir;
  InputOptions options = options_for(dir.write("a.warc", response("a", page(1)) + "rubbish\r\n" + response("b", std::string(200'000, 'x')) +
                                                             response("c", page(3) + std::string(100, 'x')).substr(0, 330)));
  options.max_document_bytes = 100'000;
  const ReadAll read = read_all(options);
  EXPECT_TRUE(are(read.reasons(), {"~no record begins here: 9 bytes passed over", "longer than 100000 bytes (limit --max-document)"}));
  EXPECT_EQ(read.texts().size(), 2U);
  options.paths = {dir.write("cut.warc.gz", files()[1].bytes.substr(0, files()[1].bytes.size() - 30))};
  EXPECT_TRUE(are(read_all(options).reasons(), {"~the header of a record is cut off", "~gzip data ends too early"}));
  options.paths = {dir.write("none.warc", "{\"text\":\"a\"}\n")};
  EXPECT_TRUE(are(read_all(options).reasons(), {"~is no archive"}));
}

TEST(ArchiveInput, PagesAreReadInTheirEncoding) {
  const TemporaryDirectory dir;
  const auto text_of = [&](const std::string& body, const std::string& header) {
    return read_all(options_for(dir.write("a.warc", response("a", body, header)))).texts().at(0);
  };
  const std::string header = "Content-Type: text/html; charset=";
  EXPECT_EQ(text_of("<p>\xD6\xD0\xCE\xC4", header + "gb2312\r\n"), "\xE4\xB8\xAD\xE6\x96\x87");
  EXPECT_EQ(text_of("<meta charset=big5><p>\xA4\xA4\xA4\xE5", "Content-Type: text/html\r\n"), "\xE4\xB8\xAD\xE6\x96\x87");
  EXPECT_EQ(text_of("<p>\xE4\xB8\xAD\xE6\x96\x87", header + "iso-8859-1\r\n"), "\xE4\xB8\xAD\xE6\x96\x87");
  EXPECT_EQ(text_of("<p>caf\xE9", "Content-Type: text/html\r\n"), "caf\xC3\xA9");
}

}  // namespace
}  // namespace leitong::records
