#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "leitong/error.h"
#include "records/read_input_test.h"
#include "records/spool.h"

namespace leitong::records {
namespace {

std::string many_lines(int count) {
  std::mt19937 random(1);
  std::string plain;
  for (int i = 0; i < count; ++i) {
    plain += "{\"id\":" + std::to_string(i) + ",\"text\":\"" + std::string(random() % 900, static_cast<char>('a' + i % 26)) + "\\n\"}\n";
  }
  return plain;
}

void expect_same(Reread& again, const Seen& seen) {
  ASSERT_EQ(again.raw(seen.source, seen.offset, seen.length), seen.raw);
  ASSERT_EQ(again.text(seen.source, seen.offset, seen.length), seen.text);
}

TEST(Reread, ForwardSparseAndBackward) {
  const TemporaryDirectory dir;
  const std::string plain = many_lines(12000);
  InputOptions options;
  options.paths = {dir.write("a.jsonl", plain), dir.write("b.jsonl", gzip(plain)), dir.write("c.jsonl", zstd(plain)),
                   dir.write("d.txt", "a whole file"), dir.write("e.csv", "text\n\"one\"\"\"\ntwo\n")};
  const ReadAll read = read_all(options);
  ASSERT_EQ(read.all.size(), 36003U);
  Reread again(options, read.sources, "");
  for (const Seen& seen : read.all) expect_same(again, seen);
  std::mt19937 random(2);
  for (std::size_t i = 0; i < read.all.size(); i += 1 + random() % 4000) expect_same(again, read.all[i]);  // sparse, ascending
  for (int i = 0; i < 60; ++i) expect_same(again, read.all[random() % read.all.size()]);
}

ErrorCode code_of(Reread& again, std::uint32_t source, std::uint64_t offset, std::uint64_t length, const std::string& name) {
  try {
    static_cast<void>(again.text(source, offset, length));
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
    return error.code();
  }
  ADD_FAILURE() << "no error";
  return ErrorCode::usage;
}

TEST(Reread, ChangedSourcesAreSeen) {
  const TemporaryDirectory dir;
  const std::string path = dir.write("a.jsonl", "{\"text\":\"one\"}\n{\"text\":\"two\"}\n");
  const InputOptions options = options_for(path);
  const std::vector<Source> sources = read_all(options).sources;
  {
    Reread again(options, sources, "");
    EXPECT_EQ(again.text(0, 15, 14), "two");
    EXPECT_EQ(code_of(again, 0, 15, 13, "a.jsonl"), ErrorCode::format);   // not a record
    EXPECT_EQ(code_of(again, 0, 15, 100, "a.jsonl"), ErrorCode::format);  // beyond the end
    EXPECT_EQ(code_of(again, 0, ~0ULL - 3, 14, "a.jsonl"), ErrorCode::format);
    EXPECT_EQ(code_of(again, 0, 0, ~0ULL, "a.jsonl"), ErrorCode::format);
    EXPECT_EQ(code_of(again, 7, 0, 1, "source"), ErrorCode::format);
  }
  using namespace std::chrono_literals;
  std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) + 5s);
  Reread touched(options, sources, "");
  EXPECT_EQ(code_of(touched, 0, 0, 14, "a.jsonl"), ErrorCode::format);
  dir.write("a.jsonl", "{\"text\":\"longer than before\"}\n{\"text\":\"two\"}\n");
  Reread longer(options, sources, "");
  EXPECT_EQ(code_of(longer, 0, 0, 14, "a.jsonl"), ErrorCode::format);
  std::filesystem::remove(path);
  Reread gone(options, sources, "");
  EXPECT_EQ(code_of(gone, 0, 0, 14, "a.jsonl"), ErrorCode::io);
}

TEST(Spool, ReadsFromAnywhere) {
  const TemporaryDirectory dir;
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, spool_frame - 1, spool_frame, 3 * spool_frame + 17}) {
    std::mt19937 random(static_cast<unsigned>(size));
    std::string bytes(size, '\0');
    for (char& c : bytes) c = static_cast<char>('a' + random() % 8);
    SpoolWriter writer(dir / "spool");
    for (std::size_t at = 0; at < size;) {
      const std::size_t count = std::min<std::size_t>(size - at, 1 + random() % 300'000);
      writer.append(std::string_view(bytes).substr(at, count));
      at += count;
    }
    writer.finish();
    EXPECT_EQ(writer.written(), std::filesystem::file_size(dir / "spool"));
    SpoolReader reader(dir / "spool");
    std::string back(size + 10, '\0');
    EXPECT_EQ(reader.read(back.data(), back.size()), size);
    EXPECT_EQ(back.substr(0, size), bytes);
    for (int i = 0; i < 20 && size > 0; ++i) {
      const std::size_t at = random() % size;
      reader.seek(at);
      const std::size_t got = reader.read(back.data(), 1000);
      EXPECT_EQ(back.substr(0, got), bytes.substr(at, 1000));
    }
    // It is a zstd file like any other.
    InputOptions options = options_for(dir / "spool", "lines");
    options.max_document_bytes = 8 << 20;
    const ReadAll read = read_all(options);
    EXPECT_EQ(read.texts(), size == 0 ? std::vector<std::string>{} : std::vector<std::string>{bytes});
  }
}

TEST(Spool, DamageIsAnError) {
  const TemporaryDirectory dir;
  {
    SpoolWriter writer(dir / "spool");
    writer.append(std::string(2 * spool_frame, 'x'));
    writer.finish();
  }
  std::ifstream file(dir / "spool", std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(file)), {});
  for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 50) {
    dir.write("cut", std::string_view(whole).substr(0, size));
    EXPECT_THROW(SpoolReader(dir / "cut"), Error);
  }
  int errors = 0;
  for (std::size_t at = 0; at < whole.size(); at += 1 + whole.size() / 100) {
    std::string bad = whole;
    bad[at] = static_cast<char>(~bad[at]);
    dir.write("bad", bad);
    try {
      SpoolReader reader(dir / "bad");
      std::string back(3 * spool_frame, '\0');
      EXPECT_EQ(reader.read(back.data(), back.size()), 2 * spool_frame);
    } catch (const Error&) {
      ++errors;
    }
  }
  EXPECT_GT(errors, 50);
}

TEST(Spool, AnAbandonedOneIsNotWhole) {
  const TemporaryDirectory dir;
  {
    SpoolWriter(dir / "spool").append(std::string(3 * spool_frame, 'x'));
  }
  EXPECT_THROW(SpoolReader(dir / "spool"), Error);
}

TEST(Spool, AFullDiskIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  SpoolWriter writer("/dev/full");
  std::string what;
  try {
    for (int i = 0; i < 20; ++i) writer.append(std::string(spool_frame, 'x'));
    writer.finish();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::io);
    what = error.what();
  }
  EXPECT_NE(what.find("No space left"), std::string::npos);
}

}  // namespace
}  // namespace leitong::records
