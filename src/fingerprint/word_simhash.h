// The SimHash of this library over words instead of n-grams of tokens: stop words and parts of speech out, weights by count, idf or table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "fingerprint/hash.h"
#include "fingerprint/idf_table.h"
#include "fingerprint/word_cutter.h"
#include "leitong/fingerprint.h"

namespace leitong::fingerprint {

// One for each thread.
class WordSimHash {
 public:
  explicit WordSimHash(const Profile& profile);  // Profile::words is not tokens, Profile::program is leitong
  [[nodiscard]] Fingerprinter::Result operator()(std::string_view utf8);
  void trace(std::string_view utf8, Trace& out);

 private:
  // A different word of the text.
  struct Entry {
    std::uint64_t hash;
    std::uint32_t word;  // its first place in the text
    std::uint32_t weight;
  };
  void weigh(std::string_view utf8);
  [[nodiscard]] bool counts(const Word& word, std::uint64_t hash) const;
  [[nodiscard]] std::uint32_t weight_of(const Word& word, std::uint64_t hash, std::uint32_t count) const;
  [[nodiscard]] std::uint32_t idf_of(const Word& word, std::uint64_t hash) const;

  Profile profile_;
  Hasher hasher_;
  WordCutter cutter_;
  std::unordered_set<std::uint64_t> stop_words_;
  std::unordered_map<std::uint64_t, std::uint32_t> table_;
  std::optional<IdfTable> idf_;  // else jieba's own
  std::vector<std::string> wanted_, unwanted_;
  std::span<const Word> words_;
  std::vector<Entry> entries_;
  std::vector<std::uint64_t> hashes_, wide_;
  std::vector<std::uint32_t> weights_;
};

}  // namespace leitong::fingerprint
