#include "leitong/near_fingerprints.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <csignal>
#include <cstring>
#include <numeric>
#include <random>
#include <sstream>

#include "leitong/error.h"
#include "records/read_input_test.h"

namespace leitong {
namespace {

using Values = std::vector<std::uint64_t>;
using Triple = std::array<std::uint64_t, 3>;

// Random rows, a third of them near or equal to an earlier one.
Values random_values(std::size_t rows, unsigned words, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Values values;
  for (std::size_t i = 0; i < rows; ++i) {
    const bool near = i > 0 && random() % 3 == 0;
    const std::size_t like = near ? random() % i : 0;
    for (unsigned w = 0; w < words; ++w) values.push_back(near ? Values::value_type(values[like * words + w]) : random());
    for (std::uint64_t flips = near ? random() % 5 : 0; flips > 0; --flips) values[i * words + random() % words] ^= 1ULL << random() % 64;
  }
  return values;
}

unsigned distance(const Values& a, std::size_t i, const Values& b, std::size_t j, unsigned words) {
  unsigned sum = 0;
  for (unsigned w = 0; w < words; ++w) sum += static_cast<unsigned>(std::popcount(a[i * words + w] ^ b[j * words + w]));
  return sum;
}

std::vector<Triple> brute_force(const Values& a, const Values* b, unsigned words, unsigned k) {
  std::vector<Triple> out;
  const Values& second = b == nullptr ? a : *b;
  for (std::size_t i = 0; i < a.size() / words; ++i)
    for (std::size_t j = b == nullptr ? i + 1 : 0; j < second.size() / words; ++j)
      if (const unsigned d = distance(a, i, second, j, words); d <= k) out.push_back({i, j, d});
  return out;
}

class NearFingerprints : public testing::Test {
 protected:
  FingerprintFile file(const std::string& name, const Values& values) const {
    std::string bytes(values.size() * 8, '\0');
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    return FingerprintFile(directory.write(name, bytes));
  }
  static NearOptions options(unsigned k, unsigned threads = 2) {
    NearOptions options;
    options.k = k;
    options.job.threads = threads;
    return options;
  }
  static std::string pairs(const FingerprintFile& left, const FingerprintFile* right, const NearOptions& options) {
    std::string text;
    const std::uint64_t count = write_near_pairs(left, right, options, [&](std::string_view lines) { text += lines; });
    EXPECT_EQ(count, static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')));
    return text;
  }
  static std::vector<Triple> parsed(const std::string& text) {
    std::vector<Triple> out;
    std::istringstream in(text);
    char comma = 0;
    for (Triple t{}; in >> t[0] >> comma >> t[1] >> comma >> t[2];) out.push_back(t);
    std::sort(out.begin(), out.end());
    return out;
  }
  TemporaryDirectory directory;
};

TEST_F(NearFingerprints, PairsAndCountsAreThoseOfBruteForce) {
  for (const auto& [words, name] : {std::pair(1U, "a.u64"), std::pair(2U, "a.u128"), std::pair(4U, "a.u256")}) {
    const Values a = random_values(700, words, words), b = random_values(300, words, words);  // the same beginning
    const FingerprintFile left = file(name, a), right = file(std::string("b") + (name + 1), b);
    for (const unsigned k : {0U, 3U, 7U}) {
      EXPECT_EQ(parsed(pairs(left, nullptr, options(k))), brute_force(a, nullptr, words, k));
      EXPECT_EQ(parsed(pairs(left, &right, options(k))), brute_force(a, &b, words, k));
      EXPECT_EQ(count_near_pairs(left, nullptr, options(k)), brute_force(a, nullptr, words, k).size());
      EXPECT_EQ(count_near_pairs(left, &right, options(k)), brute_force(a, &b, words, k).size());
    }
  }
}

TEST_F(NearFingerprints, PairsComeInTheSameOrderOnAnyNumberOfThreads) {
  const FingerprintFile left = file("a.u64", random_values(20'000, 1, 9)), right = file("b.u64", random_values(10'000, 1, 9));
  const std::string one = pairs(left, nullptr, options(3, 1)), two = pairs(left, &right, options(3, 1));
  for (const unsigned threads : {2U, 5U}) {
    EXPECT_EQ(pairs(left, nullptr, options(3, threads)), one);
    EXPECT_EQ(pairs(left, &right, options(3, threads)), two);
  }
}

TEST_F(NearFingerprints, RowsAreLinesWhereLinesWereBad) {
  const FingerprintFile left(directory.write("a.hex", "bad\n0000000000000001\n\n0000000000000003\nffffffffffffffff\n0000000000000001\n"));
  EXPECT_EQ(parsed(pairs(left, nullptr, options(3))), (std::vector<Triple>{{1, 3, 1}, {1, 5, 0}, {3, 5, 1}}));
  const FingerprintFile right(directory.write("b.hex", "fffffffffffffffe\nbad\n0000000000000000\n"));
  EXPECT_EQ(parsed(pairs(left, &right, options(1))), (std::vector<Triple>{{1, 2, 1}, {4, 0, 1}, {5, 2, 1}}));
}

TEST_F(NearFingerprints, Clusters) {
  FingerprintFileOptions with_ids;
  with_ids.ids = KeepIds::text;
  const FingerprintFile left(directory.write("a.jsonl",
                                             "{\"id\":\"a\",\"fp\":\"0000000000000000\"}\n"
                                             "{\"id\":2,\"fp\":\"ffffffffffffffff\"}\n"
                                             "{\"id\":3,\"fp\":null}\n"
                                             "{\"fp\":\"000000000000000f\"}\n"
                                             "{\"id\":4,\"fp\":\"0123456789abcdef\"}\n"
                                             "{\"id\":5,\"fp\":\"0000000000000003\"}\n"
                                             "{\"id\":6,\"fp\":\"fffffffffffffffe\"}\n"),
                             with_ids);
  std::string text;
  const NearClusters counts = write_near_clusters(left, options(2), [&](std::string_view lines) { text += lines; });
  EXPECT_EQ(text, "{\"cluster\":0,\"rows\":[0,3,5],\"ids\":[\"a\",null,5]}\n{\"cluster\":1,\"rows\":[1,6],\"ids\":[2,6]}\n");
  EXPECT_EQ(counts.clusters, 2U);
  EXPECT_EQ(counts.rows, 5U);
}

// Against a plain union of the pairs of brute force.
TEST_F(NearFingerprints, ClustersAreChainsOfPairs) {
  const Values values = random_values(2'000, 1, 11);
  std::vector<std::size_t> root(values.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](std::size_t i) {
    while (root[i] != i) i = root[i];
    return i;
  };
  for (const Triple& pair : brute_force(values, nullptr, 1, 3)) {
    const std::size_t x = find(pair[0]), y = find(pair[1]);
    root[std::max(x, y)] = std::min(x, y);
  }
  std::ostringstream expected;
  for (std::size_t r = 0; r < values.size(); ++r) {
    std::string members;
    std::size_t count = 0;
    for (std::size_t i = r; i < values.size(); ++i)
      if (find(i) == r) members += (count++ == 0 ? "" : ",") + std::to_string(i);
    if (count > 1) expected << "{\"cluster\":" << r << ",\"rows\":[" << members << "]}\n";
  }
  std::string text;
  (void)write_near_clusters(file("a.u64", values), options(3), [&](std::string_view lines) { text += lines; });
  EXPECT_EQ(text, expected.str());
}

TEST_F(NearFingerprints, EmptyAndSingleFiles) {
  const FingerprintFile none = file("none.u64", {}), one = file("one.u64", {5}), wide = file("wide.u128", {5, 6});
  EXPECT_EQ(count_near_pairs(none, nullptr, options(3)), 0U);
  EXPECT_EQ(count_near_pairs(one, nullptr, options(3)), 0U);
  EXPECT_EQ(count_near_pairs(one, &one, options(3)), 1U);
  EXPECT_EQ(count_near_pairs(one, &none, options(3)), 0U);
  EXPECT_EQ(count_near_pairs(none, &wide, options(3)), 0U);  // an empty text file has no width
  EXPECT_EQ(pairs(none, nullptr, options(3)), "");
  EXPECT_EQ(pairs(one, &one, options(3)), "0,0,0\n");
  EXPECT_THROW((void)count_near_pairs(one, &wide, options(3)), Error);
  EXPECT_THROW((void)count_near_pairs(one, nullptr, options(13)), Error);
  EXPECT_EQ(write_near_clusters(none, options(3), [](std::string_view) {}).clusters, 0U);
}

TEST_F(NearFingerprints, SinkAndStopEndTheWork) {
  const FingerprintFile left = file("a.u64", Values(3'000, 7));  // 4.5 million pairs
  EXPECT_THROW((void)write_near_pairs(left, nullptr, options(3), [](std::string_view) { throw std::runtime_error("full"); }),
               std::runtime_error);
  std::atomic<bool> stop = true;
  NearOptions stopped = options(3);
  stopped.job.stop = &stop;
  try {
    (void)write_near_pairs(left, nullptr, stopped, [](std::string_view) {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::interrupted);
  }
}

// Everything in the directory, as one word.
std::string names_in(const std::string& path) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  std::string all;
  for (const std::string& name : names) all += name + " ";
  return all;
}

std::string content(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_F(NearFingerprints, WritersOfOneNameDoNotDisturbEachOther) {
  const std::string path = directory / "out.csv", taken = "out.csv." + std::to_string(::getpid()) + ".tmp";
  directory.write("out.csv.tmp", "a user's");
  directory.write(taken, "of a process that had our number");
  write_whole_file(path, [&](const LineSink& first) {
    first(std::string(3 << 20, '1'));
    write_whole_file(path, [](const LineSink& second) { second("second\n"); });
    EXPECT_EQ(content(path), "second\n");
    first("1\n");
  });
  EXPECT_EQ(content(path), std::string((3 << 20) + 1, '1') + "\n");
  EXPECT_EQ(content(path + ".tmp"), "a user's");
  EXPECT_EQ(content(directory / taken), "of a process that had our number");
  EXPECT_EQ(names_in(directory.path()), "out.csv " + taken + " out.csv.tmp ");
}

TEST_F(NearFingerprints, NothingIsLeftOfAFileThatCannotBeWritten) {
  const std::string path = directory / "out";
  std::filesystem::create_directory(path);  // nothing can be renamed to it
  const auto refusal = [&](const std::function<void()>& write) -> std::string {
    try {
      write();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::io);
      return error.what();
    }
    ADD_FAILURE() << "was written";
    return {};
  };
  const std::string file = refusal([&] { write_whole_file(path, [](const LineSink& sink) { sink("a\n"); }); });
  EXPECT_TRUE(file.starts_with(path + ": rename")) << file;
  const HammingIndex index(Values{1, 2, 3}, {});
  (void)refusal([&] { write_whole_index(path, index); });
  EXPECT_EQ(names_in(directory.path()), "out ");
  EXPECT_TRUE(refusal([&] { write_whole_index(directory / "none/i", index); }).starts_with((directory / "none/i") + ": cannot be written"));
  // A full disk: what does not fit is lost when it is flushed.
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{1 << 16, before.rlim_max};
  const auto old = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string full =
      refusal([&] { write_whole_file(directory / "big", [](const LineSink& sink) { sink(std::string(1 << 17, 'x')); }); });
  const std::string full_index = refusal([&] { write_whole_index(directory / "big", HammingIndex(random_values(20'000, 1, 3), {})); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  (void)std::signal(SIGXFSZ, old);
  EXPECT_TRUE(full.starts_with((directory / "big") + ": write failed")) << full;
  EXPECT_TRUE(full_index.starts_with((directory / "big") + ": ")) << full_index;
  EXPECT_EQ(names_in(directory.path()), "out ");
}

TEST_F(NearFingerprints, WholeFilesAppearAtTheEnd) {
  const std::string path = directory / "out.csv";
  EXPECT_THROW(write_whole_file(path,
                                [](const LineSink& sink) {
                                  sink("half\n");
                                  throw std::runtime_error("broken");
                                }),
               std::runtime_error);
  EXPECT_EQ(names_in(directory.path()), "");
  write_whole_file(path, [](const LineSink& sink) { sink("a\n"), sink("b\n"); });
  EXPECT_EQ(content(path), "a\nb\n");
  EXPECT_EQ(names_in(directory.path()), "out.csv ");
}

class NearLookups : public NearFingerprints {
 protected:
  static std::string answers(const HammingIndex& index, const FingerprintFile& queries, const LookupOptions& options) {
    std::string text;
    const LookupCounts counts = write_matches(index, queries, options, [&](std::string_view lines) { text += lines; });
    EXPECT_EQ(counts.matches, static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')));
    EXPECT_EQ(counts.queries, queries.size());
    return text;
  }
  // By query, distance, id; at most `most` a query.
  static std::string expected(const Values& values, const Values& queries, unsigned words, unsigned k, std::size_t most) {
    std::ostringstream out;
    for (std::size_t q = 0; q < queries.size() / words; ++q) {
      std::vector<std::pair<unsigned, std::size_t>> found;
      for (std::size_t i = 0; i < values.size() / words; ++i)
        if (const unsigned d = distance(queries, q, values, i, words); d <= k) found.emplace_back(d, i);
      std::sort(found.begin(), found.end());
      for (std::size_t m = 0; m < std::min(most, found.size()); ++m)
        out << "{\"query\":" << q << ",\"id\":" << found[m].second << ",\"distance\":" << found[m].first << "}\n";
    }
    return out.str();
  }
};

TEST_F(NearLookups, AreThoseOfBruteForceInOrder) {
  for (const unsigned words : {1U, 2U}) {
    const Values values = random_values(2'000, words, 21);
    const Values queries = random_values(5'000, words, 21);  // two batches
    const HammingIndex index(values, {}, {.words = words, .k = 3, .threads = 1});
    const FingerprintFile file_of_queries = file(words == 1 ? "q.u64" : "q.u128", queries);
    const std::string within_3 = expected(values, queries, words, 3, ~std::size_t{0});
    const std::string within_5 = expected(values, queries, words, 5, ~std::size_t{0}), two = expected(values, queries, words, 5, 2);
    for (const unsigned threads : {1U, 3U}) {
      LookupOptions options;
      options.job.threads = threads;
      EXPECT_EQ(answers(index, file_of_queries, options), within_3);
      options.k = 5;
      EXPECT_EQ(answers(index, file_of_queries, options), within_5);
      options.nearest = 2;
      EXPECT_EQ(answers(index, file_of_queries, options), two);
    }
  }
}

TEST_F(NearLookups, NearestAtAnyDistance) {
  const Values values = random_values(300, 1, 31), queries = random_values(20, 1, 32);
  const HammingIndex index(values, {});
  LookupOptions options;
  options.nearest = 4;
  EXPECT_EQ(answers(index, file("q.u64", queries), options), expected(values, queries, 1, 64, 4));
}

TEST_F(NearLookups, QueriesHaveIdsIfTheirFileHas) {
  FingerprintFileOptions with_ids;
  with_ids.ids = KeepIds::text;
  const FingerprintFile queries(directory.write("q.jsonl",
                                                "{\"id\":\"a\\\"b\",\"fp\":\"0000000000000001\"}\n"
                                                "{\"fp\":\"0000000000000002\"}\n"
                                                "{\"id\":7,\"fp\":\"0000000000000003\"}\n"),
                                with_ids);
  LookupOptions options;
  options.k = 0;
  EXPECT_EQ(answers(HammingIndex(Values{1, 2, 3}, {}), queries, options),
            "{\"query\":0,\"query_id\":\"a\\\"b\",\"id\":0,\"distance\":0}\n"
            "{\"query\":1,\"query_id\":null,\"id\":1,\"distance\":0}\n"
            "{\"query\":2,\"query_id\":7,\"id\":2,\"distance\":0}\n");
}

TEST_F(NearLookups, OtherWidthsAreRefusedAndNothingIsNothing) {
  const HammingIndex index(Values{1, 2, 3}, {});
  EXPECT_THROW((void)answers(index, file("q.u128", {1, 2}), {}), Error);
  EXPECT_EQ(answers(index, file("none.u64", {}), {}), "");
  const HammingIndex empty;
  EXPECT_EQ(answers(empty, file("q.u64", {1, 2}), {}), "");
}

}  // namespace
}  // namespace leitong
