// Index files: what was saved is found, and damage is told, wherever it is.
#include "hamming/index_file.h"

#include <gtest/gtest.h>

#include <random>

#include "leitong/error.h"
#include "leitong/hamming_index.h"
#include "storage/fault_vfs_test.h"

namespace leitong::hamming {
namespace {

using storage::FaultVfs;
using Values = std::vector<std::uint64_t>;

Values random_rows(std::size_t words_in_all, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Values values(words_in_all);
  for (auto& v : values) v = random();
  for (std::size_t i = words_in_all / 2; i < words_in_all; ++i) values[i] = values[i - words_in_all / 2] ^ (random() % 3);
  return values;
}

std::vector<IndexPart> parts_of(const Values& values, const Values& ids, const HammingIndexOptions& options) {
  std::vector<IndexPart> parts;
  push_change(parts, {{values, ids, 0}, {}}, {options.words, options.k, 1});
  return parts;
}

std::vector<Found> found_in(const std::vector<IndexPart>& parts, const Values& queries, unsigned k) {
  std::vector<Found> found;
  for (const IndexPart& part : parts) part.run->find(queries, k, found);
  return found;
}

bool same(const std::vector<Found>& a, const std::vector<Found>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Found& x, const Found& y) { return x.query == y.query && x.id == y.id && x.distance == y.distance; });
}

ErrorCode code_of(const std::function<void()>& call, std::string* message = nullptr) {
  try {
    call();
  } catch (const Error& error) {
    if (message != nullptr) *message = error.what();
    return error.code();
  }
  return ErrorCode::interrupted;  // nothing was thrown
}

struct Shape {
  unsigned words, k;
  std::size_t rows;
  bool wide_ids;
};
class Files : public ::testing::TestWithParam<Shape> {};

TEST_P(Files, SayWhatTheIndexSays) {
  const auto [words, k, rows, wide_ids] = GetParam();
  const Values values = random_rows(rows * words, 1);
  const HammingIndexOptions options{.words = words, .k = k};
  const auto parts = parts_of(values, wide_ids ? random_rows(rows, 2) : Values{}, options);
  FaultVfs vfs;
  write_index(vfs, "a", options, parts);
  EXPECT_EQ(vfs.all_names(), std::vector<std::string>{"a"});
  check_index(vfs, "a");
  const MappedIndex mapped = map_index(vfs, "a");
  EXPECT_EQ(mapped.options.words, words);
  EXPECT_EQ(mapped.options.k, k);
  Values queries = random_rows(20 * words, 3);
  queries.insert(queries.end(), values.begin(), values.begin() + 20 * words);
  for (const unsigned radius : {0U, 3U, 5U, 40U}) {
    const auto expected = found_in(parts, queries, radius);
    EXPECT_GE(expected.size(), 20U);
    EXPECT_TRUE(same(found_in(mapped.parts, queries, radius), expected));
  }
}

// Opening may find a damage or not; then look-ups give something, checks an error. Nothing leads outside of the file (with the sanitizer).
TEST_P(Files, DamageIsFound) {
  const auto [words, k, rows, wide_ids] = GetParam();
  const Values values = random_rows(rows * words, 1);
  const HammingIndexOptions options{.words = words, .k = k};
  FaultVfs vfs;
  write_index(vfs, "a", options, parts_of(values, wide_ids ? random_rows(rows, 2) : Values{}, options));
  auto& bytes = vfs.bytes("a");
  std::mt19937_64 random(5);
  const Values queries(values.begin(), values.begin() + 64 * words);
  for (int place = 0; place < 60; ++place) {
    const std::size_t at = place < 10   ? static_cast<std::size_t>(place) * 8
                           : place < 25 ? bytes.size() - 1 - random() % 600
                                        : random() % bytes.size();
    const auto old = bytes[at];
    bytes[at] ^= static_cast<std::byte>(1U << (random() % 8));
    std::string message;
    const ErrorCode code = code_of([&] { check_index(vfs, "a"); }, &message);
    EXPECT_TRUE(code == ErrorCode::format || code == ErrorCode::unsupported) << "byte " << at << " of " << bytes.size();
    EXPECT_EQ(message.rfind("a: ", 0), 0U) << message;
    const ErrorCode used = code_of([&] {
      const MappedIndex mapped = map_index(vfs, "a");
      for (const unsigned radius : {0U, 3U, 6U}) (void)found_in(mapped.parts, queries, radius);
    });
    EXPECT_TRUE(used == ErrorCode::format || used == ErrorCode::unsupported || used == ErrorCode::interrupted);
    bytes[at] = old;
  }
  check_index(vfs, "a");
  for (int cut = 0; cut < 8; ++cut) {
    auto cut_short = std::make_unique<FaultVfs>();
    storage::FaultVfs::Bytes part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(cut == 0 ? 0 : random() % bytes.size()));
    cut_short->create("a")->append(part);
    EXPECT_EQ(code_of([&] { (void)map_index(*cut_short, "a"); }), ErrorCode::format);
  }
}
INSTANTIATE_TEST_SUITE_P(, Files,
                         ::testing::Values(Shape{1, 3, 3000, false}, Shape{1, 3, 3000, true}, Shape{1, 3, 100, true},
                                           Shape{2, 3, 3000, true}, Shape{4, 7, 6000, false}));

TEST(IndexFile, AppearsWholeOrNotAtAll) {
  const Values values = random_rows(100, 1);
  const auto parts = parts_of(values, {}, {});
  FaultVfs dry;
  write_index(dry, "d/a", {}, parts);
  for (std::size_t step = 0; step < dry.operations(); ++step) {
    FaultVfs vfs;
    vfs.create("d/a")->append(std::vector<std::byte>(3));
    vfs.arm(FaultVfs::Fault::io_error, step);
    EXPECT_EQ(code_of([&] { write_index(vfs, "d/a", {}, parts); }), ErrorCode::io);
    if (vfs.bytes("d/a").size() != 3) check_index(vfs, "d/a");  // the fault came after the new name was there
    EXPECT_EQ(vfs.all_names(), std::vector<std::string>{"d/a"});
  }
}

TEST(IndexFile, SavedMappedAndGrown) {
  const std::string path = ::testing::TempDir() + "leitong_index_test";
  const Values values = random_rows(5000, 1);
  HammingIndex index(values, {}, {.k = 4});
  index.erase(17);
  index.add(70000, values[17]);
  index.save(path);
  EXPECT_FALSE(index.find(values[17], 0).empty());
  HammingIndex::check(path);
  HammingIndex mapped = HammingIndex::map(path);
  EXPECT_EQ(mapped.options().k, 4U);
  EXPECT_EQ(mapped.rows(), 5000U);
  for (std::size_t q = 0; q < 50; ++q) EXPECT_EQ(mapped.find(values[q], 4), index.find(values[q], 4));
  mapped.add(80000, values[3]);
  mapped.erase(3);
  const auto found = mapped.find(values[3], 0);
  EXPECT_TRUE(std::find(found.begin(), found.end(), HammingMatch{80000, 0}) != found.end());
  EXPECT_TRUE(std::find(found.begin(), found.end(), HammingMatch{3, 0}) == found.end());
  mapped.save(path);  // over the file that it reads
  EXPECT_EQ(HammingIndex::map(path).find(values[3], 0), found);
  EXPECT_EQ(mapped.find(values[3], 0), found);
  storage::posix_vfs().remove(path);
  EXPECT_EQ(code_of([&] { (void)HammingIndex::map(path); }), ErrorCode::io);
}

}  // namespace
}  // namespace leitong::hamming
