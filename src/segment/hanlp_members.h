// The binary files of HanLP 1.8.1 and its two tables of text, one function each. What the jar holds, and what HanLP writes beside its
// text files (".bin", ".table.bin", ".trie.dat") when it has read them once.
//
// Every function throws Error (format) with the file, the offset and what to do.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "segment/hanlp_jar.h"

namespace leitong::segment {

struct HanlpMember {
  std::vector<std::uint8_t> bytes;
  std::string name;  // for messages
};

// CoreNatureDictionary*.txt.bin. Sorted by word; so are all lists here.
[[nodiscard]] std::vector<HanlpWord> read_core_bin(HanlpMember member, const HanlpSource& source);
// CustomDictionary.txt.bin. Natures that HanLP does not have itself stand at its begin and join source.natures.
[[nodiscard]] std::vector<HanlpWord> read_custom_bin(HanlpMember member, HanlpSource& source);
// CoreNatureDictionary.ngram*.txt.table.bin, which numbers the words of `words` core words.
[[nodiscard]] std::vector<HanlpBigram> read_bigrams_bin(HanlpMember member, std::size_t words);
// How many core words that table was made for: HanLP does not use it for another dictionary.
[[nodiscard]] std::size_t words_of_bigrams_bin(HanlpMember member);
// nr.txt.bin
[[nodiscard]] std::vector<HanlpNameWord> read_names_bin(HanlpMember member);
// nrf.txt.trie.dat
[[nodiscard]] std::vector<std::u16string> read_translated_bin(HanlpMember member);
// CharType.bin
[[nodiscard]] std::vector<std::uint8_t> read_char_types(HanlpMember member);
// stopwords.txt.bin
[[nodiscard]] std::vector<std::u16string> read_stop_words_bin(HanlpMember member);

// nr.tr.txt
void read_transitions(HanlpMember member, HanlpSource& source);
// t2s.txt
[[nodiscard]] std::vector<std::pair<std::u16string, std::u16string>> read_simplified(HanlpMember member);

}  // namespace leitong::segment
