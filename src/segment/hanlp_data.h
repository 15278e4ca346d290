// HanLP's dictionaries compiled to one mapped file: what the segmenter walks, the table of simplified characters, the stop words.
//
// The file is the user's: it is made from the jar (hanlp_jar.h) on the user's machine. Its content id names the data in a profile's id.
#pragma once

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

// The costs of an edge of the word graph, computed once for a word where no pair frequency or the pair frequency 1 is known.
struct HanlpEntry {
  double cost0 = 0, cost1 = 0;
  std::int32_t frequency = 0;
  std::int32_t id = 0;  // of the core dictionary, after classes (person, number, ...) took the place of the word; else -frequency
  std::uint16_t nature = 0;
  std::uint16_t name = 0;   // its place in the name words, or kNoName
  std::uint32_t usual = 0;  // 1: the frequency is that of `id`, so the costs of the pair table hold
};
static_assert(sizeof(HanlpEntry) == 32);

struct HanlpPair {
  std::uint64_t key = 0;  // first id, second id, frequency, 17 bits each from bit 34; 0: free
  double cost = 0;
};

struct HanlpRole {
  double log = 0;  // of the role's share of this word
  std::uint32_t role = 0, zero = 0;
};

struct HanlpConstants {
  std::uint32_t begin = 0, end = 0;                                              // entries of the sentence's ends
  std::uint32_t atom_noun = 0, atom_number = 0, atom_mark = 0, atom_string = 0;  // entries of what no dictionary knows, by kind
  std::uint32_t person = 0, translated = 0;                                      // entries of recognised names
  std::uint32_t nature_nr = 0, nature_nrf = 0, nature_nnt = 0;
  std::uint32_t name_pair = 0, name_title = 0;  // name words for a two-unit person name and for a title
  std::uint32_t name_blank = 0;                 // the name word of " "
  std::uint32_t codes = 0, pair_bits = 0;
};

inline constexpr std::uint16_t kNoName = 0xFFFF;

// -log of the smoothed probability of a pair; the arithmetic, in this order, is part of the segmentation.
[[nodiscard]] double hanlp_cost(std::int32_t frequency, std::int32_t pair_frequency);

[[nodiscard]] constexpr std::uint64_t hanlp_pair_slot(std::uint32_t first, std::uint32_t second, std::uint32_t bits) {
  return ((std::uint64_t{first} << 17U | second) * 0x9E3779B97F4A7C15U) >> (64U - bits);
}

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

  // For the segmenter.
  std::span<const std::uint16_t> codes;
  std::span<const std::uint8_t> char_types;
  Trie core, custom, added, names, translated;
  bool any_added = false;
  std::span<const HanlpEntry> entries;
  std::span<const HanlpPair> pairs;
  std::span<const std::uint32_t> role_starts;
  std::span<const HanlpRole> roles;
  std::span<const double> transitions;
  HanlpConstants constants;

 private:
  [[nodiscard]] Trie trie(std::uint32_t id) const;

  std::unique_ptr<SectionFile> file_;
  std::vector<std::string_view> natures_;
  Trie simplified_, stop_words_;
  std::span<const std::uint32_t> simplified_starts_;
  std::span<const char16_t> simplified_text_;
};

}  // namespace leitong::segment
