// Flipped bytes in every region of every file: each reader gets the answer of the undamaged store or Error(format), and never anything
// else.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "leitong/error.h"
#include "records/read_input_test.h"
#include "storage/column_file.h"
#include "store/store.h"
#include "store/store_model_test.h"

namespace leitong::store {
namespace {

using Bytes = std::vector<std::byte>;

std::vector<std::uint32_t> keys_in(std::string_view sketch) {
  std::vector<std::uint32_t> keys;
  for (const char c : sketch) keys.push_back(static_cast<unsigned char>(c) * 0x9e3779b1U);
  return keys;
}

const KeysOf keys_of = [](const Row& row, std::vector<std::uint32_t>& keys) {
  const auto own = keys_in(row.sketch);
  keys.insert(keys.end(), own.begin(), own.end());
};

Bytes read_file(const std::string& path) {
  const auto file = storage::posix_vfs().open(path);
  Bytes bytes(file->size());
  file->read(0, bytes);
  return bytes;
}
void write_file(const std::string& path, const Bytes& bytes) {
  const auto file = storage::posix_vfs().create(path);
  file->append(bytes);
  file->close();
}

// A store of two runs and a log, and the queries on it.
class Damaged {
 public:
  Damaged(const Shape& shape, const std::string& path, unsigned rows) : shape_(shape), path_(path), rows_(rows) {
    Store::create(storage::posix_vfs(), path_, shape, "{}");
    Limits limits;
    limits.background = false;
    Store store(storage::posix_vfs(), path_, Access::write, limits, keys_of);
    std::mt19937_64 random(3);
    for (unsigned part = 0; part < 3; ++part) {
      std::vector<Change> changes;
      for (unsigned i = 0; i < (part == 2 ? 30 : rows); ++i)
        changes.push_back(change(random, part == 0 ? i : static_cast<unsigned>(random() % (2 * rows))));
      (void)store.add(rows_of(changes), Acknowledge::buffered);
      if (part < 2) store.flush();
    }
    store.close();
  }

  // The answer to each query, or nothing if the damage was noticed.
  [[nodiscard]] std::vector<std::optional<std::string>> ask() const {
    std::vector<std::optional<std::string>> answers;
    std::optional<Store> store;
    noticed([&] { store.emplace(storage::posix_vfs(), path_, Access::read, Limits{}, keys_of); });
    const auto ask = [&](const std::function<std::string(const Snapshot&)>& question) {
      answers.emplace_back();
      if (store) noticed([&] { answers.back() = question(store->snapshot()); });
    };
    std::mt19937_64 random(9);
    for (unsigned q = 0; q < 60; ++q) {
      std::array<std::uint64_t, 4> words = words_of(q * 7);
      words[0] ^= 1ULL << random() % 64;
      ask([&](const Snapshot& now) {
        std::vector<Match> matches;
        now.find(std::span(words).first(shape_.words), shape_.k, true, matches);
        return shown(matches);
      });
      ask([&](const Snapshot& now) {
        const auto row = now.get(id_of(shape_, q * 11));
        return row ? shown(*row) : "none";
      });
    }
    for (const char* sketch : {"a", "mn", "xyz", "!\"#$%&", "01234", "ABCDEFGHIJK", "PQRSTU"})
      ask([&](const Snapshot& now) {
        const auto keys = keys_in(sketch);
        std::vector<Match> matches;
        bool truncated = false;
        if (shape_.keys) now.find_keys({keys, {}, {}}, 100000, matches, truncated);
        return shown(matches);
      });
    ask([&](const Snapshot& now) {
      std::string out;
      const auto rows = now.scan();
      for (Row row; rows->next(row);) out += shown(row);
      return out;
    });
    return answers;
  }

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  static void noticed(const std::function<void()>& call) {
    try {
      call();
    } catch (const Error& error) {
      EXPECT_TRUE(error.code() == ErrorCode::format || error.code() == ErrorCode::unsupported) << error.what();
    }
  }
  [[nodiscard]] std::array<std::uint64_t, 4> words_of(unsigned number) const {
    std::mt19937_64 random(number);
    std::array<std::uint64_t, 4> words{};
    for (unsigned w = 0; w < shape_.words; ++w) words[w] = random();
    return words;
  }
  [[nodiscard]] Change change(std::mt19937_64& random, unsigned number) const {
    Change made = random_change(shape_, random, 1);
    made.id = id_of(shape_, number);
    if (!made.row) return made;
    if ((made.row->flags & flags::fingerprint) != 0) made.row->words = words_of(number);
    if (shape_.keys) {
      made.row->sketch.clear();
      for (unsigned i = 0; i < 4; ++i) made.row->sketch += static_cast<char>('!' + random() % 90);
    }
    return made;
  }
  [[nodiscard]] std::string shown(const Row& row) const {
    std::string out(row.id);
    for (unsigned w = 0; w < shape_.words && row.has_fingerprint(); ++w) out += " " + std::to_string(row.words[w]);
    return out + " " + std::to_string(row.sequence) + " " + std::to_string(row.flags) + " " + std::string(row.sketch) + " " +
           std::string(row.metadata) + " " + std::string(row.text) + "\n";
  }
  [[nodiscard]] std::string shown(const std::vector<Match>& matches) const {
    std::set<std::string> rows;  // rows found by keys have no particular order
    for (const Match& match : matches) rows.insert(std::to_string(match.distance) + " " + shown(match.row));
    std::string out = std::to_string(matches.size()) + "\n";
    for (const std::string& row : rows) out += row;
    return out;
  }

  Shape shape_;
  std::string path_;
  unsigned rows_;
};

// Positions to damage: in each column of a column file, and spread over any file.
std::vector<std::size_t> places_in(const std::string& path, const Bytes& bytes, unsigned most) {
  std::mt19937_64 random(bytes.size());
  std::set<std::size_t> places{0, 8, bytes.size() - 1, bytes.size() - 20};
  if (path.ends_with(".index") || path.ends_with(".keys")) {
    std::uint64_t table = 0, columns = 0;
    std::memcpy(&table, bytes.data() + bytes.size() - 64, 8);
    std::memcpy(&columns, bytes.data() + bytes.size() - 56, 8);
    for (std::uint64_t c = 0; c < columns; ++c) {
      storage::ColumnEntry entry{};
      std::memcpy(&entry, bytes.data() + table + c * sizeof entry, sizeof entry);
      places.insert(table + c * sizeof entry);
      if (entry.size == 0) continue;
      for (unsigned i = 0; i < 6; ++i) places.insert(entry.offset + random() % entry.size);
      places.insert({entry.offset, entry.offset + entry.size - 1});
    }
  }
  while (places.size() < std::min<std::size_t>(most, bytes.size() / 2)) places.insert(random() % bytes.size());
  return {places.begin(), places.end()};
}

class Damage : public ::testing::TestWithParam<Shape> {};

TEST_P(Damage, GivesAnErrorOrTheSameAnswer) {
  const TemporaryDirectory directory;
  const Damaged store(GetParam(), directory / "s", GetParam().words == 1 ? 1500 : 400);
  const auto expected = store.ask();
  ASSERT_TRUE(std::all_of(expected.begin(), expected.end(), [](const auto& answer) { return answer.has_value(); }));
  std::size_t noticed = 0;
  for (const std::string& name : storage::posix_vfs().list(store.path())) {
    if (name == "LOCK") continue;
    const std::string path = store.path() + "/" + name;
    const Bytes bytes = read_file(path);
    for (const std::size_t at : places_in(path, bytes, 60)) {
      Bytes damaged = bytes;
      damaged[at] ^= std::byte{1} << (at % 8);
      write_file(path, damaged);
      const auto answers = store.ask();
      ASSERT_EQ(answers.size(), expected.size());
      for (std::size_t i = 0; i < answers.size(); ++i) {
        EXPECT_TRUE(!answers[i] || answers[i] == expected[i]) << name << ", byte " << at << " of " << bytes.size() << ", question " << i;
        noticed += answers[i] ? 0 : 1;
      }
    }
    write_file(path, bytes);
  }
  EXPECT_GT(noticed, 100U);
  EXPECT_EQ(store.ask(), expected);
}

INSTANTIATE_TEST_SUITE_P(, Damage,
                         ::testing::Values(Shape{.words = 1, .k = 3, .sketches = true, .metadata = true, .texts = true, .keys = true},
                                           Shape{.words = 1, .k = 6, .numeric_ids = true, .keys = false},
                                           Shape{.words = 2, .k = 6, .sketches = true, .keys = true}));

// A part whose checksum was correct is not compared again, and damage in a part that is not read causes no error.
TEST(ColumnFilePages, AreComparedWhenTheyAreRead) {
  const TemporaryDirectory directory;
  const std::string path = directory / "a";
  constexpr storage::ColumnKind file_kind{"testcols", 1, "write it again"};
  const std::vector<std::uint64_t> numbers(4096, 7);
  {
    storage::ColumnFileWriter file(storage::posix_vfs(), path, file_kind);
    file.add(1, numbers.data(), numbers.size());
    file.finish();
  }
  Bytes bytes = read_file(path);
  bytes[64 + 8 * 3000] ^= std::byte{4};
  write_file(path, bytes);
  const storage::ColumnFile file(storage::posix_vfs(), path, file_kind);
  const auto column = file.column<std::uint64_t>(1, numbers.size());
  for (int again = 0; again < 2; ++again) {
    EXPECT_NO_THROW(file.touch(column.data(), 2000));
    EXPECT_NO_THROW(file.touch(column.data() + 3600, 496));
    try {
      file.touch(column.data() + 2900, 10);
      file.touch(column.data() + 3000, 1);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()), path + ": the checksum of the 4096 bytes from offset 20480 differs; write it again");
    }
  }
}

}  // namespace
}  // namespace leitong::store
