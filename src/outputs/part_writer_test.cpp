#include "outputs/part_writer.h"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <random>

#include "leitong/error.h"
#include "records/read_input_test.h"
#include "records/walk.h"

namespace leitong::outputs {
namespace {

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

records::Source source_of(const std::string& path) {
  records::Source source;
  source.path = path;
  EXPECT_TRUE(records::stat_file(path, source.size, source.modified));
  return source;
}

struct Line {
  std::uint64_t offset = 0, length = 0;
};

constexpr std::size_t longest = 1'500'000;

// Lines of very different lengths, the last one without a line feed.
std::string make_lines(std::vector<Line>& lines, std::mt19937_64& random) {
  std::string all, letters;
  while (letters.size() < longest + 26) letters += "abcdefghijklmnopqrstuvwxyz";
  for (std::size_t i = 0; i < 1500; ++i) {
    const std::size_t length = i % 500 == 7 ? longest : random() % (i % 50 == 0 ? 60'000 : 600);
    if (i > 0) all += random() % 10 == 0 ? "\r\n" : "\n";
    lines.push_back({all.size(), length});
    all.append(letters, i % 26, length);
  }
  return all;
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

class PartWriterTest : public testing::Test {
 protected:
  PartWriterTest() : content_(make_lines(lines_, random_)) {
    directory_.write("in", content_);
    source_ = source_of(directory_ / "in");
  }

  const TemporaryDirectory directory_;
  std::mt19937_64 random_{7};
  std::vector<Line> lines_;
  std::string content_;
  records::Source source_;
};

TEST_F(PartWriterTest, WritesWhatOneThreadWouldAppend) {
  for (const unsigned keep : {1U, 3U, 10U}) {  // one of ten lines is left out, seven, none
    std::string expected;
    std::vector<bool> kept, from_caller;
    for (const Line& line : lines_) {
      kept.push_back(keep == 10 || (random_() % 10 < 10 - keep) == (keep == 1));
      from_caller.push_back(random_() % 100 == 0);
      if (kept.back()) expected += content_.substr(line.offset, line.length) + "\n";
    }
    for (const unsigned threads : {1U, 2U, 7U}) {
      const std::string path = directory_ / "out";
      const auto file = storage::posix_vfs().create(path);
      PartWriter writer(*file, threads);
      for (std::size_t i = 0; i < lines_.size(); ++i) {
        if (!kept[i]) continue;
        std::string bytes = content_.substr(lines_[i].offset, lines_[i].length) + "\n";
        from_caller[i] ? writer.add(bytes) : writer.copy(source_, lines_[i].offset, lines_[i].length);
      }
      writer.finish();
      file->close();
      EXPECT_TRUE(content_of(path) == expected) << keep << " " << threads;
    }
  }
}

TEST_F(PartWriterTest, NamesASourceThatHasChanged) {
  directory_.write("other", content_ + "x");
  records::Source other = source_of(directory_ / "other");
  directory_.write("other", content_ + "xy");
  for (const unsigned threads : {1U, 4U}) {
    const auto file = storage::posix_vfs().create(directory_ / "out");
    PartWriter writer(*file, threads);
    const std::string message = message_of([&] {
      for (const Line& line : lines_) writer.copy(source_, line.offset, line.length);
      for (const Line& line : lines_) writer.copy(other, line.offset, line.length);
      writer.finish();
    });
    EXPECT_NE(message.find("other: its size is"), std::string::npos) << message;
    EXPECT_NE(message.find("run again"), std::string::npos) << message;
  }
}

TEST_F(PartWriterTest, SaysThatTheDiskIsFull) {
  for (const unsigned threads : {1U, 4U}) {
    const auto file = storage::posix_vfs().create("/dev/full");
    PartWriter writer(*file, threads);
    const std::string message = message_of([&] {
      for (const Line& line : lines_) writer.copy(source_, line.offset, line.length);
      writer.finish();
    });
    EXPECT_NE(message.find("/dev/full: write failed: No space left"), std::string::npos) << message;
  }
}

TEST_F(PartWriterTest, StopsUnfinished) {
  const auto file = storage::posix_vfs().create(directory_ / "out");
  PartWriter writer(*file, 4);
  for (const Line& line : lines_) writer.copy(source_, line.offset, line.length);
}

}  // namespace
}  // namespace leitong::outputs
