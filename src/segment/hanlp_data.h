// HanLP's dictionaries compiled to one mapped file: what the segmenter walks, the table of simplified characters, the stop words.
//
// The file is the user's: it is made from the jar (hanlp_jar.h) on the user's machine. Its content id names the data in a profile's id.
// An entry is a word of the core dictionary, a custom word, or a class such as the sentence's ends. The tables are small, and what belongs
// to frequent words stands at their front, so that a processor's nearer caches hold what most texts need.
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "segment/hanlp_jar.h"
#include "segment/section_file.h"
#include "segment/unit_trie.h"

namespace leitong::segment {

// What an entry brings to the edges of the word graph.
struct HanlpStep {
  static constexpr std::uint16_t never_second = 0xFFFE;  // no pair of the table ends with it
  static constexpr std::uint16_t outside_core = 0xFFFF;  // not of the core dictionary: its frequency counts as that of any pair with it
  static constexpr std::uint16_t other = 0x8000;         // in `level`: the frequency is not that of the word that `row` belongs to
  std::uint32_t row = 0;                                 // of the pairs that begin with it; of an entry outside: that frequency
  std::uint16_t second = never_second;                   // its number as the second word of a pair
  std::uint16_t level = 0;                               // of its own frequency
};
static_assert(sizeof(HanlpStep) == 8);

// The costs of an edge from words of one frequency, where no pair is known, and where its frequency is 1.
struct HanlpLevel {
  double cost0 = 0, cost1 = 0;
};

// What an entry is once a path is found.
struct HanlpTag {
  static constexpr std::uint32_t custom_ends = 0x80000000, walk_custom = 0xFFFFFFFF;
  static constexpr std::uint16_t ask_names = 0xFFFF;
  std::uint16_t nature = 0;
  std::uint16_t roles = 0;             // its place among the name words; ask_names: depends on the text
  std::uint32_t custom = walk_custom;  // base that the word leads to in the trie of custom words, custom_ends if it is one; or walk_custom
};

// The known word pairs: for each first word a row of buckets, hashed by the lowest bits of the second word's number. A bucket that is full
// goes on in the next one of the row. Row 0 is empty, and so is the row that an entry outside of frequency 1 seems to have.
struct HanlpBucket {
  static constexpr std::uint32_t lane_count = 8;
  std::array<std::uint16_t, lane_count> seconds{};  // 0: free
  std::array<std::uint16_t, lane_count> pairs{};    // places in the tables of costs and frequencies
};
static_assert(sizeof(HanlpBucket) == 32);

class HanlpPairs {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  static constexpr std::uint32_t empty_buckets = 2;  // at the front
  static constexpr unsigned size_bits = 4;           // lowest bits of a row: logarithm of its number of buckets; above: its first bucket

  HanlpPairs() = default;
  explicit HanlpPairs(const HanlpBucket* buckets) : buckets_(buckets) {}

  // The pairs that begin with one word.
  struct Row {
    const HanlpBucket* first;
    std::uint32_t mask;

    // The place of a pair in the tables of costs and frequencies, or none.
    [[nodiscard]] std::uint32_t find(std::uint16_t second) const {
      for (std::uint32_t at = second & mask;; at = (at + 1) & mask) {
        const HanlpBucket& bucket = first[at];
        if (const std::uint32_t lanes = equal_lanes(bucket.seconds, second); lanes != 0) {
          return bucket.pairs[static_cast<std::size_t>(std::countr_zero(lanes)) / 2];
        }
        if (bucket.seconds[HanlpBucket::lane_count - 1] == 0) return none;
      }
    }
    // Says that find() will be asked soon.
    void prefetch(std::uint16_t second) const { __builtin_prefetch(first + (second & mask)); }
  };
  [[nodiscard]] Row row(std::uint32_t number) const {
    return {buckets_ + (number >> size_bits), (1U << (number & ((1U << size_bits) - 1))) - 1};
  }

 private:
  // Two bits for each lane that holds `second`.
  static std::uint32_t equal_lanes(const std::array<std::uint16_t, HanlpBucket::lane_count>& seconds, std::uint16_t second) {
#if defined(__SSE2__)
    const __m128i lanes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(seconds.data()));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi16(lanes, _mm_set1_epi16(static_cast<short>(second)))));
#else
    std::uint32_t out = 0;
    for (std::uint32_t lane = 0; lane < HanlpBucket::lane_count; ++lane) out |= (seconds[lane] == second ? 3U : 0U) << 2 * lane;
    return out;
#endif
  }

  const HanlpBucket* buckets_ = nullptr;
};

inline constexpr std::uint32_t longest_word = 4096;

struct HanlpConstants {
  std::uint32_t begin = 0, end = 0;                                              // entries of the sentence's ends
  std::uint32_t atom_noun = 0, atom_number = 0, atom_mark = 0, atom_string = 0;  // entries of what no dictionary knows, by kind
  std::uint32_t person = 0, translated = 0;                                      // entries of recognised names
  std::uint32_t nature_nrf = 0;
  std::uint32_t no_name = 0;  // the role row of what is no name word
  std::uint32_t codes = 0;
  std::uint32_t longest = 1;  // units of a word of the core dictionary, at most longest_word
};

// -log of the smoothed probability of a pair; the arithmetic, in this order, is part of the segmentation.
[[nodiscard]] double hanlp_cost(std::int32_t frequency, std::int32_t pair_frequency);

// The bytes of the data file.
[[nodiscard]] std::vector<std::byte> compile_hanlp(const HanlpSource& source);

class HanlpData {
 public:
  // Maps a file that compile_hanlp made. Errors: see SectionFile.
  explicit HanlpData(const std::string& path);
  ~HanlpData();
  HanlpData(const HanlpData&) = delete;
  HanlpData& operator=(const HanlpData&) = delete;

  [[nodiscard]] ContentId content() const;
  [[nodiscard]] std::string_view nature_name(std::uint16_t nature) const { return natures_[nature]; }
  [[nodiscard]] bool is_stop_word(std::u16string_view word) const;
  // Traditional to simplified: at each place the longest key, from left to right.
  [[nodiscard]] std::u16string simplified(std::u16string_view text) const;
  // What the key of this value in `simplifications` becomes.
  [[nodiscard]] std::u16string_view simplification(std::uint32_t value) const {
    return {simplified_text_.data() + simplified_starts_[value], simplified_starts_[value + 1] - simplified_starts_[value]};
  }

  Trie simplifications;  // traditional words

  // For the segmenter.
  std::span<const std::uint16_t> codes;
  std::span<const std::uint8_t> char_types;
  Trie core, custom, added, names, translated;
  bool any_added = false;
  std::span<const HanlpStep> steps;  // by entry
  std::span<const HanlpTag> tags;    // by entry
  std::span<const HanlpLevel> levels;
  std::span<const std::int32_t> frequencies;  // by level
  HanlpPairs pairs;
  std::span<const double> pair_costs;              // where the first word has the frequency of the core dictionary
  std::span<const std::int32_t> pair_frequencies;  // the same pairs
  std::span<const std::uint8_t> next_roles;        // name_roles for each name word: the cheapest role after each role
  std::span<const std::uint8_t> no_names;          // by name word: 1 if it is listed as no name
  HanlpConstants constants;

 private:
  [[nodiscard]] Trie trie(std::uint32_t id) const;
  void check_sizes() const;

  std::unique_ptr<SectionFile> file_;
  std::vector<std::string_view> natures_;
  Trie stop_words_;
  std::span<const std::uint32_t> simplified_starts_;
  std::span<const char16_t> simplified_text_;
};

}  // namespace leitong::segment
