// The compiled jieba data: one file, mapped as it is. A header, the table of sections, then the sections, each at a multiple of 64.
// Numbers have the byte order of the machine that compiled it; `byte_order` tells.
#pragma once

#include <cstdint>

namespace leitong::segment {

inline constexpr char jieba_magic[8] = {'L', 'E', 'I', 'T', 'J', 'I', 'E', 'B'};
inline constexpr std::uint32_t jieba_version = 1, byte_order_mark = 0x01020304;

struct JiebaHeader {
  char magic[8];
  std::uint32_t byte_order, version;
  std::uint64_t file_size;
  std::uint64_t checksum;  // XXH3 (64 bits) of the whole file with this field 0
  std::uint32_t section_count, label_count;
  std::uint64_t total;  // the sum of all frequencies
  double median_idf;
  std::uint64_t reserved;
};
static_assert(sizeof(JiebaHeader) == 64);

enum class JiebaSection : std::uint32_t {
  labels,       // u16[65536]: the label of a character, 0 for one that no table knows
  far_labels,   // {u32 character, u32 label}, by character: those beyond U+FFFF
  words,        // u64[]: double array of the dictionary; value: rank of the frequency
  frequencies,  // u64[] by rank; [0] is 0
  logs,         // double[] by rank: natural logarithm of max(frequency, 1)
  hmm,          // double[20]: log probability of starting in B, E, M, S, then of going from each to each
  emissions,    // double[4][label_count]: of a character in B, E, M, S
  ascii_marks,  // u64[2]: a set of ASCII characters of which every ASCII word of two characters and more has one
  idf_words,    // u64[]: double array of the words with an idf; value: its rank
  idf_values,   // double[] by rank; [0] is unused
  stop_words,   // char[]: each followed by a line end
  count
};

struct JiebaSectionEntry {
  std::uint32_t id, item_size;
  std::uint64_t offset, count;  // count: of items
};
static_assert(sizeof(JiebaSectionEntry) == 24);

inline constexpr std::uint64_t section_alignment = 64;

enum HmmState : unsigned { state_b, state_e, state_m, state_s, state_count };  // in the order in which jieba breaks ties

inline constexpr double min_float = -3.14e100;  // what jieba takes for "never"

// What jieba's expression for runs accepts: U+4E00..9FD5 and, of ASCII, letters, digits and + # & . _ % -
inline constexpr char32_t block_han_first = 0x4E00, block_han_last = 0x9FD5;

constexpr bool is_ascii_alnum(char32_t c) { return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z'); }
constexpr bool is_block_ascii(char32_t c) {
  return is_ascii_alnum(c) || c == '+' || c == '#' || c == '&' || c == '.' || c == '_' || c == '%' || c == '-';
}

}  // namespace leitong::segment
