// Groups of sorted rows give the pairs of the joins that hold all rows, wherever the sorted rows are cut.
#include "candidates/groups.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <tuple>

#include "candidates/band_join.h"
#include "candidates/set_join.h"

namespace leitong::candidates {
namespace {

using Pairs = std::set<std::pair<std::uint64_t, std::uint64_t>>;
using Valued = std::map<std::pair<std::uint64_t, std::uint64_t>, float>;

// Rows whose keys in one band are drawn so that groups of all sizes are there, of limit and of limit + 1 as well.
std::vector<std::uint32_t> keys_of_groups(std::mt19937_64& random) {
  std::vector<std::uint32_t> keys;
  for (const std::uint32_t size : {1, 2, 3, 16, 17, 64, 65, 300, 511, 512, 513, 514, 700, 2000})
    for (std::uint32_t i = 0; i < size; ++i) keys.push_back(size * 7919);
  std::shuffle(keys.begin(), keys.end(), random);
  return keys;
}

TEST(Groups, KeysGiveThePairsOfTheBandJoin) {
  std::mt19937_64 random(3);
  const std::vector<std::uint32_t> keys = keys_of_groups(random);
  std::vector<std::uint32_t> rows(keys.size());
  for (std::uint32_t i = 0; i < rows.size(); ++i) rows[i] = 3 * i;
  const std::vector<std::uint64_t> bits(keys.size(), 0);
  BandInput input;
  input.rows = 3 * keys.size(), input.bands = 1, input.active = rows, input.bits = bits, input.words = 1;
  input.keys = [&](unsigned, std::span<std::uint32_t> out) { std::ranges::copy(keys, out.begin()); };
  std::vector<std::uint8_t> marks;
  Pairs expected;
  band_join(
      input,
      [&](std::span<const Candidate> found) {
        for (const auto& pair : found) expected.emplace(pair.a, pair.b);
      },
      marks);
  std::set<std::uint64_t> expected_bounded;
  for (std::size_t i = 0; i < marks.size(); ++i)
    if (marks[i] != 0) expected_bounded.insert(rows[i]);

  std::vector<std::pair<std::uint32_t, std::uint32_t>> sorted;
  for (std::size_t i = 0; i < keys.size(); ++i) sorted.emplace_back(keys[i], rows[i]);
  std::ranges::sort(sorted);
  Pairs found;
  std::set<std::uint64_t> bounded;
  KeyGroups groups({[&](std::uint64_t a, std::uint64_t b) { found.emplace(a, b); }, [&](std::uint64_t row) { bounded.insert(row); }});
  for (const auto& [key, row] : sorted) groups.add(key, row);
  groups.finish();
  EXPECT_EQ(found, expected);
  EXPECT_EQ(bounded, expected_bounded);
  EXPECT_EQ(expected_bounded.size(), 513 + 514 + 700 + 2000);
}

struct Sets {
  std::vector<std::vector<std::uint32_t>> sets;
  std::vector<std::uint8_t> is_short;
};

// Sets of skewed features, families of copies, and `flood` copies of one set of which each differs a little.
Sets made_sets(std::uint64_t seed, std::size_t count, std::size_t flood) {
  std::mt19937_64 random(seed);
  const auto feature = [&] {
    return static_cast<std::uint32_t>(std::pow(900.0, std::uniform_real_distribution<>()(random))) * 2654435761U;
  };
  Sets out;
  std::vector<std::uint32_t> base(40);
  for (auto& f : base) f = static_cast<std::uint32_t>(random());
  for (std::size_t i = 0; i < count + flood; ++i) {
    std::vector<std::uint32_t> set = i < count ? std::vector<std::uint32_t>() : base;
    if (i < count && i % 3 == 2) set = out.sets[random() % i];
    if (i < count && i % 3 != 2)
      for (std::size_t size = random() % 40; set.size() < size;) set.push_back(feature());
    for (auto& f : set)
      if (random() % 10 == 0) f = i < count ? feature() : static_cast<std::uint32_t>(random());
    std::ranges::sort(set);
    set.erase(std::unique(set.begin(), set.end()), set.end());
    out.sets.push_back(set);
    out.is_short.push_back(random() % 4 != 0 ? 1 : 0);
  }
  return out;
}

struct Result {
  Valued pairs;
  std::set<std::uint64_t> bounded;
  friend bool operator==(const Result&, const Result&) = default;
};

Result by_join(const Sets& sets, double threshold) {
  std::vector<std::uint32_t> rows, features;
  std::vector<std::uint64_t> offsets = {0};
  for (std::uint32_t i = 0; i < sets.sets.size(); ++i) {
    rows.push_back(i);
    features.insert(features.end(), sets.sets[i].begin(), sets.sets[i].end());
    offsets.push_back(features.size());
  }
  SetInput input;
  input.rows = rows, input.offsets = offsets, input.features = features, input.is_short = sets.is_short, input.threshold = threshold;
  Result out;
  std::vector<std::uint8_t> marks;
  set_join(
      input,
      [&](std::span<const SetPair> found) {
        for (const auto& pair : found) out.pairs[{pair.a, pair.b}] = pair.similarity;
      },
      marks);
  for (std::size_t i = 0; i < marks.size(); ++i)
    if (marks[i] != 0) out.bounded.insert(i);
  return out;
}

Result by_groups(const Sets& sets, double threshold) {
  std::uint64_t all = 0;
  for (const auto& set : sets.sets) all += set.size();
  const unsigned bits = counter_bits(all);
  std::vector<std::uint32_t> counters(std::size_t{1} << bits);
  for (const auto& set : sets.sets)
    for (const std::uint32_t feature : set) ++counters[counter_of(feature, bits)];
  std::vector<std::tuple<std::uint32_t, std::size_t, std::size_t, bool>> postings;
  std::vector<std::uint64_t> scratch;
  for (std::size_t i = 0; i < sets.sets.size(); ++i)
    visit_prefix(sets.sets[i], counters, threshold, scratch,
                 [&](std::uint32_t feature, bool in_short) { postings.emplace_back(feature, sets.sets[i].size(), i, in_short); });
  std::ranges::sort(postings);
  Result out;
  SetGroups groups(threshold, {[&](std::uint64_t a, std::uint64_t b, float similarity) { out.pairs[{a, b}] = similarity; },
                               [&](std::uint64_t row) { out.bounded.insert(row); }});
  for (const auto& [feature, size, i, in_short] : postings) groups.add(feature, {i, sets.is_short[i] != 0, in_short, sets.sets[i]});
  groups.finish();
  return out;
}

TEST(Groups, SetsGiveThePairsOfTheSetJoin) {
  for (const double threshold : {0.35, 0.5, 0.8, 1.0})
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const Sets sets = made_sets(seed, 600, 0);
      EXPECT_EQ(by_groups(sets, threshold), by_join(sets, threshold)) << threshold << " " << seed;
    }
}

TEST(Groups, FloodsAreBoundedAsTheSetJoinBoundsThem) {
  for (const std::size_t flood : {512, 700, 4200}) {
    const Sets sets = made_sets(flood, 300, flood);
    const Result expected = by_join(sets, 0.5);
    EXPECT_EQ(by_groups(sets, 0.5), expected) << flood;
    EXPECT_EQ(expected.bounded.empty(), flood == 512);
  }
}

TEST(Groups, NothingGivesNothing) {
  EXPECT_TRUE(by_groups({}, 0.5).pairs.empty());
  EXPECT_TRUE(by_groups(Sets{{{}, {}}, {1, 1}}, 0.5).pairs.empty());
}

}  // namespace
}  // namespace leitong::candidates
