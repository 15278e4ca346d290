// The words that state a fact by themselves: numbers, dates, what negates, and words whose opposite says the contrary. English and Chinese.
#pragma once

#include <cstdint>
#include <string_view>

namespace leitong::similarity {

// What a token is, for those who look for facts. Several may hold at once.
struct WordTraits {
  bool number = false;         // a number word or a Chinese numeral (a token that begins with a digit is one without standing in the table)
  bool numeral = false;        // of these a Chinese one
  bool date = false;           // a month or a day of the week
  bool unit = false;           // behind a number: it is a quantity, however long it is
  bool part = false;           // behind a number that 第 stands before: the name of a part of a law or book
  bool link = false;           // behind a number: the number of an entry in a list of links
  bool names_number = false;   // before a number: it is a name ("box 47", "section 9"), not a quantity
  bool negation = false;       // "not", 不
  std::string_view digits;     // how the number word is written in digits, "seven": "7"; empty: it has no such form
  std::string_view affirmed;   // "isn't": "is"; empty: no such word
  std::uint8_t opposites = 0;  // of a pair of opposite word lists ("rose", "fell"): its number; 0: none
  bool second_of_pair = false;  // it stands in the second list of that pair
};

// Of a token in its normal form (NFKC_Casefold). Thread-safe.
[[nodiscard]] const WordTraits& traits_of(std::string_view token);

}  // namespace leitong::similarity
