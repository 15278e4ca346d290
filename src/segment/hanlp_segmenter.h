// HanLP portable-1.8.1's HanLP.segment with its default configuration: words and natures of a text, exactly as Java gives them.
//
// A word graph of the core dictionary and of atoms, the cheapest path by word pairs, custom words merged on the path, names of persons
// and transliterated names put into a second, thin graph, and the cheapest path of that one. The whole text is one graph: memory is some
// 100 bytes a unit, time is linear. Where Java's objects are shared and keep what an earlier step wrote, the words here are shared too.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "segment/hanlp_data.h"

namespace leitong::segment {

struct HanlpToken {
  std::uint32_t offset = 0, length = 0;  // in UTF-16 units
  std::uint16_t nature = 0;              // HanlpData::nature_name

  friend bool operator==(const HanlpToken&, const HanlpToken&) = default;
};

// Keeps its buffers between texts; one for each thread. `data` must outlive it.
class HanlpSegmenter {
 public:
  explicit HanlpSegmenter(const HanlpData& data);

  // The tokens cover the text without gaps. Valid until the next call. Error(limit) for a text of 2^31 units or more.
  std::span<const HanlpToken> segment(std::u16string_view text);

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  // A word at a place. `entry` says nature and frequency and changes when a custom word covers exactly this word; `id` stays.
  struct Word {
    double cost = 0;             // of the cheapest path to it
    std::uint32_t from = kNone;  // its predecessor on that path
    std::uint32_t begin = 0, length = 0;
    std::int32_t id = 0;
    std::uint32_t entry = 0;
    std::uint32_t core = kNone;  // the core word that it is, if any
  };
  // A piece of text and the role that it plays around a name.
  struct Piece {
    std::uint32_t begin = 0, length = 0;
    NameRole role = NameRole::A;
  };
  struct Item {
    std::uint32_t word = 0, next = kNone;
  };
  struct Row {
    std::uint32_t first = kNone, last = kNone, count = 0;
  };
  struct KnownCost {
    std::uint64_t key = 0;
    double cost = 0;
  };

  void code_text(std::u16string_view text);
  void find_core_words();
  void find_atoms();
  void add_atoms(std::uint32_t begin, std::uint32_t end);
  void add_atom(std::uint32_t begin, std::uint32_t length, std::uint8_t type);
  void build_rows();
  void cheapest_path();
  void trace_path();
  [[nodiscard]] double edge(const Word& from, const Word& to);
  [[nodiscard]] double known_cost(std::int32_t frequency, std::int32_t pair_frequency);

  void merge_custom(const Trie& trie);
  std::uint32_t add_word(std::uint32_t begin, std::uint32_t length, std::uint32_t entry);

  void recognise_persons();
  [[nodiscard]] std::uint32_t name_word(const Word& word) const;
  void assign_roles();
  void match_patterns();
  void take_name(std::uint32_t begin, std::uint32_t end, bool given_pair);
  void recognise_translated();

  void start_net();
  void append(std::uint32_t row, std::uint32_t word);
  void insert(std::uint32_t word);
  void second_path();

  const HanlpData& data_;
  std::uint32_t size_ = 0;  // units of the text
  std::u16string_view text_;
  std::vector<std::uint16_t> codes_;
  struct Match {
    std::uint32_t begin, length, entry;
  };
  struct Atom {
    std::uint32_t begin, length, entry;
  };
  std::vector<Match> matches_;
  std::vector<std::uint32_t> match_starts_;  // of the words at each place
  std::vector<Atom> atoms_;
  std::vector<Word> words_;  // begin, all words of the graph by place, end; then what is merged or recognised
  std::vector<std::uint32_t> row_starts_;
  std::vector<std::uint32_t> path_;
  std::vector<Piece> pieces_;
  bool any_name_role_ = false;
  std::vector<Item> items_;
  std::vector<Row> net_;
  bool net_started_ = false, net_grew_ = false;
  std::vector<KnownCost> known_;
  std::vector<HanlpToken> tokens_;
};

}  // namespace leitong::segment
