// Index files: what was saved is found, and damage is told, wherever it is.
#include "hamming/index_file.h"

#include <gtest/gtest.h>

#include <algorithm>
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

// Checks give an error; look-ups an error, too, or what they give of the whole file. Nothing leads outside of the file (with the
// sanitizer).
TEST_P(Files, DamageIsFound) {
  const auto [words, k, rows, wide_ids] = GetParam();
  const Values values = random_rows(rows * words, 1);
  const HammingIndexOptions options{.words = words, .k = k};
  FaultVfs vfs;
  write_index(vfs, "a", options, parts_of(values, wide_ids ? random_rows(rows, 2) : Values{}, options));
  auto& bytes = vfs.bytes("a");
  std::mt19937_64 random(5);
  const Values queries(values.begin(), values.begin() + 64 * words);
  const std::vector<IndexPart> whole = map_index(vfs, "a").parts;
  std::vector<std::vector<Found>> expected;
  for (const unsigned radius : {0U, 3U, 6U}) expected.push_back(found_in(whole, queries, radius));
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
      for (unsigned i = 0; i < 3; ++i) EXPECT_TRUE(same(found_in(mapped.parts, queries, 3 * i), expected[i])) << "byte " << at;
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

// Saved indexes have one part, unless there are more than four thousand million rows; the format and the reader allow several, with erased
// ids.
TEST(IndexFile, SeveralPartsWithErasedIds) {
  const HammingIndexOptions options{.words = 1, .k = 3};
  const Values old_rows = random_rows(20000, 1), new_rows = random_rows(3000, 2), old_erased = {0, 7, 19999}, new_erased = {20001};
  Values new_ids;
  for (std::uint64_t i = 0; i < new_rows.size(); ++i) new_ids.push_back(i + 20000);
  std::vector<IndexPart> parts = parts_of(old_rows, {}, options);
  push_change(parts, {{new_rows, new_ids, 0}, old_erased}, {1, 3, 1});
  push_change(parts, {{}, new_erased}, {1, 3, 1});
  ASSERT_EQ(parts.size(), 3U);
  FaultVfs vfs;
  write_index(vfs, "a", options, parts);
  check_index(vfs, "a");
  const MappedIndex mapped = map_index(vfs, "a");
  ASSERT_EQ(mapped.parts.size(), 3U);
  EXPECT_EQ(mapped.parts[0].rows(), 20000U);
  EXPECT_EQ(mapped.parts[0].erased, nullptr);
  EXPECT_EQ(mapped.parts[1].rows(), 3000U);
  EXPECT_EQ(mapped.parts[2].run, nullptr);
  for (const std::size_t p : {1U, 2U}) {
    const Values& erased = p == 1 ? old_erased : new_erased;
    ASSERT_NE(mapped.parts[p].erased, nullptr);
    EXPECT_EQ(mapped.parts[p].erased->size(), erased.size());
    for (const std::uint64_t id : erased) EXPECT_TRUE(mapped.parts[p].erased->contains(id));
    EXPECT_FALSE(mapped.parts[p].erased->contains(8));
  }
  for (const std::size_t p : {0U, 1U}) {
    const auto expected = found_in({parts[p]}, new_rows, 3);
    EXPECT_TRUE(same(found_in({mapped.parts[p]}, new_rows, 3), expected));
    EXPECT_EQ(expected.empty(), p == 0);
  }
}

// The same through the public index: it reads parts that a file has and hides what they erased.
TEST(IndexFile, MappedPartsAreHiddenByLaterOnes) {
  const std::string path = ::testing::TempDir() + "leitong_index_parts_test";
  const HammingIndexOptions options{.words = 1, .k = 3};
  const Values rows = random_rows(20000, 1), again = {rows[7], rows[8]}, again_ids = {7, 30000};
  std::vector<IndexPart> parts = parts_of(rows, {}, options);
  push_change(parts, {{again, again_ids, 0}, {7, 11}}, {1, 3, 1});
  ASSERT_EQ(parts.size(), 2U);
  write_index(storage::posix_vfs(), path, options, parts);
  HammingIndex index = HammingIndex::map(path, 2);
  EXPECT_EQ(index.options().threads, 2U);
  EXPECT_EQ(index.rows(), 20002U);
  const auto count_of = [&](std::uint64_t value, std::uint64_t id) {
    const auto found = index.find(value, 0), nearest = index.nearest(std::span(&value, 1), 10);
    const HammingMatch match{id, 0};
    EXPECT_EQ(std::count(found.begin(), found.end(), match), std::count(nearest.begin(), nearest.end(), match));
    return std::count(found.begin(), found.end(), match);
  };
  const auto check = [&] {
    EXPECT_EQ(count_of(rows[7], 7), 1);  // erased, and added again
    EXPECT_EQ(count_of(rows[8], 8), 1);
    EXPECT_EQ(count_of(rows[8], 30000), 1);
    EXPECT_EQ(count_of(rows[11], 11), 0);
    EXPECT_EQ(count_of(rows[12], 12), 1);
  };
  check();
  index.compact();
  EXPECT_EQ(index.rows(), 20000U);  // two were added, and two erased
  check();
  EXPECT_EQ(code_of([&] { (void)HammingIndex::map(path, 0); }), ErrorCode::usage);
  storage::posix_vfs().remove(path);
}

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
