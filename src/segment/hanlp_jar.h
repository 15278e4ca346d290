// The dictionaries of HanLP portable-1.8.1 as plain lists, and the user's jar as their source. Nothing of HanLP is part of this program.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace leitong::segment {

inline constexpr const char* hanlp_coordinates = "com.hankcs:hanlp:portable-1.8.1";

// One entry of a dictionary with its part-of-speech tags, in the dictionary's order.
struct HanlpWord {
  std::u16string word;
  std::vector<std::pair<std::uint16_t, std::int32_t>> natures;  // index into HanlpSource::natures, frequency
  std::int32_t frequency = 0;                                   // of all natures
};

// The roles that a word takes in and around a person's name, in HanLP's numbering: the order of ties.
enum class NameRole : std::uint8_t { B, C, D, E, F, G, K, L, M, U, V, X, Y, Z, A, S };
inline constexpr std::size_t name_roles = 16;

struct HanlpNameWord {
  std::u16string word;
  std::vector<std::pair<NameRole, std::int32_t>> roles;  // frequency of each; by role
};

struct HanlpBigram {
  std::uint32_t first = 0, second = 0;  // places in `core`
  std::int32_t frequency = 0;
};

struct HanlpSource {
  std::vector<std::string> natures;  // by HanLP's number
  std::vector<HanlpWord> core;       // sorted by UTF-16 unit; the place is HanLP's word id
  std::vector<HanlpBigram> bigrams;
  std::vector<HanlpWord> custom;  // sorted by word, as `core`
  std::vector<HanlpWord> added;   // words put in at run time (CustomDictionary.insert), sorted: they merge in a second pass
  std::vector<HanlpNameWord> names;
  std::vector<std::int32_t> name_transitions;                         // name_roles x name_roles counts, row: from
  std::vector<std::uint8_t> name_states;                              // roles that the transition table names
  std::vector<std::u16string> translated;                             // pieces of transliterated names
  std::vector<std::uint8_t> char_types;                               // 65,536
  std::vector<std::pair<std::u16string, std::u16string>> simplified;  // traditional, simplified; no key twice
  std::vector<std::u16string> stop_words;

  // The number of a nature; an unknown name becomes a new nature, as in HanLP.
  std::uint16_t nature(const std::string& name);
  // CustomDictionary.insert: a word of the dictionary gets the new tags, any other joins `added`.
  void insert_custom(const std::u16string& word, const std::vector<std::pair<std::string, std::int32_t>>& tags);
  // CustomDictionary.remove: takes a word out of `added` and nothing else; false if it is not there, or has one unit only: Java's trie
  // forgets that such a word ended there and keeps its tags, which is what the segmenter looks at.
  bool remove_custom(const std::u16string& word);
};

// The tags of HanLP 1.8.1 in the order of its numbers; the dictionaries store the number.
[[nodiscard]] std::vector<std::string> hanlp_natures();

// Error(io), Error(format), Error(unsupported) for the jar of another version: the file, the member and offset, and where to get the right
// jar.
[[nodiscard]] HanlpSource read_hanlp_jar(const std::string& path);

}  // namespace leitong::segment
