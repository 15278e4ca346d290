// The sections of jieba's data file, and what cutting and compiling must agree on.
#pragma once

#include <cstdint>
#include <string_view>

namespace leitong::segment {

inline constexpr std::string_view jieba_magic = "LTJIEBA1";
inline constexpr std::uint32_t jieba_version = 2;

enum JiebaSection : std::uint32_t {
  jieba_constants = 1,       // JiebaConstants
  jieba_labels = 2,          // u16[65536]: the label of a character, 0 for one that no table knows
  jieba_far_labels = 3,      // {u32 character, u32 label}, by character: those beyond U+FFFF
  jieba_words = 4,           // u64[]: double array of the dictionary; value: rank of the frequency
  jieba_frequencies = 5,     // u64[] by rank; [0] is 0
  jieba_logs = 6,            // double[] by rank: natural logarithm of max(frequency, 1)
  jieba_hmm = 7,             // double[20]: log probability of starting in B, E, M, S, then of going from each to each
  jieba_emissions = 8,       // double[label_count][4]: of a character in B, E, M, S
  jieba_ascii_marks = 9,     // u64[2]: a set of ASCII characters of which every ASCII word of two characters and more has one
  jieba_idf_words = 10,      // u64[]: double array of the words with an idf; value: its rank
  jieba_idf_values = 11,     // double[] by rank; [0] is unused
  jieba_stop_words = 12,     // char[]: each followed by a line end
  jieba_tags = 13,           // u8[]: for each node of `words`, the number of the word's tag; cutting does not touch it
  jieba_tag_names = 14,      // char[]: the tags by number from 1, each followed by a line end; 0 is no tag
  jieba_user_words = 15,     // char[]: what load_userdict is to add, in its format
  jieba_deleted_words = 16,  // char[]: words to delete after that, each followed by a line end
};

struct JiebaConstants {
  std::uint64_t total = 0;  // the sum of all frequencies
  double median_idf = 0;
  std::uint32_t label_count = 0, zero = 0;
};
static_assert(sizeof(JiebaConstants) == 24);

enum HmmState : unsigned { state_b, state_e, state_m, state_s, state_count };  // in the order in which jieba breaks ties

inline constexpr double min_float = -3.14e100;  // what jieba takes for "never"

// What jieba's expression for runs accepts: U+4E00..9FD5 and, of ASCII, letters, digits and + # & . _ % -
inline constexpr char32_t block_han_first = 0x4E00, block_han_last = 0x9FD5;

constexpr bool is_ascii_alnum(char32_t c) { return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z'); }
constexpr bool is_block_ascii(char32_t c) {
  return is_ascii_alnum(c) || c == '+' || c == '#' || c == '&' || c == '.' || c == '_' || c == '%' || c == '-';
}

}  // namespace leitong::segment
