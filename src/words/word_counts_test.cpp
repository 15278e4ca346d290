#include "words/word_counts.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <random>
#include <set>

#include "records/read_input_test.h"

namespace leitong::words {
namespace {

using Frequencies = std::map<std::string, std::uint64_t>;
using Documents = std::vector<std::vector<std::string>>;

// Words of very different frequency, some long, and documents that are larger than a small table.
Documents documents_of(unsigned seed, std::size_t number) {
  std::mt19937 random(seed);
  Documents documents(number);
  for (auto& document : documents) {
    const std::size_t words = random() % 16 == 0 ? 5000 : random() % 40;
    for (std::size_t i = 0; i < words; ++i) {
      const std::uint32_t range = 2U << (random() % 14);
      std::string word = "w" + std::to_string(random() % range);
      if (random() % 64 == 0) word += std::string(random() % 40, 'x');
      document.push_back(word);
    }
  }
  return documents;
}

Frequencies plainly(const Documents& documents) {
  Frequencies frequencies;
  for (const auto& document : documents)
    for (const std::string& word : std::set<std::string>(document.begin(), document.end())) ++frequencies[word];
  return frequencies;
}

struct Counted {
  Frequencies frequencies;
  std::uint64_t runs = 0;
  bool ascending = true;
  std::size_t sources = 0;
};

Counted counted(const Documents& documents, unsigned tables, std::uint64_t memory, std::size_t most) {
  const TemporaryDirectory directory;
  Counted result;
  {
    std::vector<std::unique_ptr<WordCounts>> all;
    for (unsigned i = 0; i < tables; ++i)
      all.push_back(std::make_unique<WordCounts>(storage::posix_vfs(), directory / ("words." + std::to_string(i) + "."), memory, i));
    for (std::size_t i = 0; i < documents.size(); ++i) {
      WordCounts& table = *all[i * 7 % tables];
      table.start_document();
      for (const std::string& word : documents[i]) table.add(word);
    }
    std::vector<std::unique_ptr<WordSource>> sources;
    for (auto& table : all) {
      result.runs += table->runs_written();
      auto some = table->sources(most);
      EXPECT_LE(some.size(), most);
      for (auto& source : some) sources.push_back(std::move(source));
    }
    result.sources = sources.size();
    std::string last;
    merge_words(std::move(sources), [&](const CountedWord& word) {
      result.ascending &= last.empty() || last < word.word;
      last = word.word;
      result.frequencies[last] = word.documents;
    });
  }
  EXPECT_TRUE(std::filesystem::is_empty(directory.path())) << "no scratch file is left";
  return result;
}

TEST(WordCounts, SameWhateverTablesAndMemory) {
  const Documents documents = documents_of(1, 250);
  const Frequencies expected = plainly(documents);
  ASSERT_GT(expected.size(), 5000U);
  for (const unsigned tables : {1U, 3U})
    for (const std::uint64_t memory : {1ULL << 30, 100ULL << 10}) {
      const Counted result = counted(documents, tables, memory, 1000);
      EXPECT_EQ(result.frequencies, expected) << tables << " tables, " << memory << " bytes";
      EXPECT_TRUE(result.ascending);
      EXPECT_EQ(result.runs > 0, memory <= 100U << 10);
    }
}

TEST(WordCounts, ManyRunsAreMergedInLevelsAndAtTheEnd) {
  const Documents documents = documents_of(2, 300);
  const Frequencies expected = plainly(documents);
  // A table of one byte writes a run for each word: documents are split anywhere, and levels fill up.
  const Documents few(documents.begin(), documents.begin() + 12);
  const Counted one_by_one = counted(few, 2, 1, 1000);
  EXPECT_GT(one_by_one.runs, 150U);
  EXPECT_EQ(one_by_one.frequencies, plainly(few));
  for (const std::size_t most : {std::size_t{1}, std::size_t{2}}) {
    const Counted result = counted(documents, 2, 80 << 10, most);
    EXPECT_GT(result.runs, 32U);
    EXPECT_LE(result.sources, 2 * most);
    EXPECT_EQ(result.frequencies, expected);
  }
}

TEST(WordCounts, OddWords) {
  const std::string whole_mebibyte(1 << 20, 'y');
  const Documents documents = {{"", std::string("a\0b", 3), whole_mebibyte, ""}, {}, {whole_mebibyte, "z"}};
  EXPECT_EQ(counted(documents, 1, 1 << 10, 8).frequencies, plainly(documents));
  EXPECT_TRUE(counted({}, 2, 1 << 20, 8).frequencies.empty());
}

}  // namespace
}  // namespace leitong::words
