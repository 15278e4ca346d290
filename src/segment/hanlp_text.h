// HanLP 1.8.1's dictionaries as text, read line by line as its loaders do: fields between single white-space characters, the last of
// equal words holds, sorted by UTF-16 unit.
//
// Where HanLP stops a file at a bad line and goes on with what it has, so does this, with a warning; where HanLP does not start at all,
// it is an Error (format) with file and line.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "segment/hanlp_jar.h"

namespace leitong::segment {

struct HanlpText {
  std::string bytes, name;  // name: for messages
};

// CoreNatureDictionary*.txt: "word nature frequency [nature frequency …]".
[[nodiscard]] std::vector<HanlpWord> read_core_text(const HanlpText& text, HanlpSource& source);

// CoreNatureDictionary.ngram*.txt: "word@word frequency"; pairs of words that the core dictionary lacks are left out.
[[nodiscard]] std::vector<HanlpBigram> read_bigrams_text(const HanlpText& text, const HanlpSource& source);

// One file of CustomDictionaryPath: "word [nature frequency …]", with commas instead if `csv`; a word without nature gets `default_nature`
// 1000 times.
using HanlpWordMap = std::map<std::u16string, HanlpWord>;
void read_custom_text(const HanlpText& text, bool csv, const std::string& default_nature, HanlpSource& source, HanlpWordMap& words,
                      std::vector<std::string>& warnings);

// nr.txt: "word role frequency [role frequency …]"; the word " " with K and A is HanLP's own.
[[nodiscard]] std::vector<HanlpNameWord> read_names_text(const HanlpText& text);

// nrf.txt: a name a line; characters of at least ten names, and "·", are pieces of names themselves.
[[nodiscard]] std::vector<std::u16string> read_translated_text(const HanlpText& text);

// stopwords.txt: a word a line, nothing trimmed.
[[nodiscard]] std::vector<std::u16string> read_stop_words_text(const HanlpText& text);

// A word a line, trimmed; an empty line is none, and a byte-order mark is no part of the first. For files that HanLP does not read itself.
[[nodiscard]] std::vector<std::u16string> read_word_lines(const HanlpText& text);

// CustomDictionary.insert(word, rest of the line) of every line "word" or "word nature frequency …", as Java would call it. Returns their
// number.
std::size_t insert_custom_text(const HanlpText& text, HanlpSource& source);
// CustomDictionary.remove(word) of every line; warns of words that stay because they are of the dictionary's files.
std::size_t remove_custom_text(const HanlpText& text, HanlpSource& source, std::vector<std::string>& warnings);

}  // namespace leitong::segment
