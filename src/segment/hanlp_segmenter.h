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
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  // A word at a place. Entry and level change when a custom word covers exactly this word; row and second of the step stay.
  struct Word {
    double cost = 0;            // of the cheapest path to it
    double edge = 0;            // of these, of the last step
    std::uint32_t from = none;  // its predecessor on that path
    std::uint32_t begin = 0, length = 0;
    std::uint32_t entry = 0;
    HanlpStep step;
  };
  // A piece of text that plays one role around a name.
  struct Piece {
    std::uint32_t begin = 0, end = 0;
  };
  struct Atom {
    std::uint32_t begin = 0, length = 0, entry = 0;
  };
  struct Item {
    std::uint32_t word = 0, next = none;
  };
  // The words at a place of the thin graph: of the path, then what came later.
  struct Row {
    std::uint32_t word = none, more = none;
  };
  struct KnownCost {
    std::uint64_t key = 0;
    double cost = 0;
  };

  void start(std::u16string_view text);
  std::uint32_t find_words(std::uint32_t begin);
  std::uint32_t put_words(TrieCell state, std::uint32_t place);
  void reserve_words(std::uint32_t more);
  void put_word(std::uint32_t begin, std::uint32_t length, std::uint32_t entry);
  void fill_gap(std::uint32_t begin, std::uint32_t end);
  void find_atoms(std::uint32_t begin, std::uint32_t end);
  void add_atom(std::uint32_t begin, std::uint32_t length, std::uint8_t type);
  void look_up_steps(std::uint32_t begin, std::uint32_t end);
  void relax(std::uint32_t begin, std::uint32_t end);
  void trace_path();
  [[nodiscard]] double edge(const Word& from, const Word& to);
  [[nodiscard]] double pair_cost(HanlpStep from, std::uint32_t pair);
  [[nodiscard]] double known_cost(std::int32_t frequency, std::int32_t pair_frequency);

  void merge_custom();
  void merge_added();
  std::size_t merge_run(const Trie& trie, std::size_t at, std::uint32_t& word);
  std::uint32_t add_word(std::uint32_t begin, std::uint32_t length, std::uint32_t entry);

  bool assign_roles();
  void recognise_persons();
  void match_patterns(std::uint32_t roles, std::span<const Piece, 4> last);
  void take_name(std::uint32_t begin, std::uint32_t end, bool given_pair);
  void recognise_translated();
  void write_tokens();

  void start_net();
  void append(std::uint32_t place, std::uint32_t word);
  [[nodiscard]] std::uint32_t row_size(std::uint32_t place) const;
  void insert(std::uint32_t word);
  void improve(std::uint32_t from, std::uint32_t place);
  void second_path();

  const HanlpData& data_;
  std::uint32_t size_ = 0;  // units of the text
  std::u16string_view text_;
  std::vector<std::uint16_t> codes_;  // of the text, then zeros

  std::vector<Word> words_;           // begin, all words of the graph by place, end; then what is merged or recognised
  std::uint32_t count_ = 0;           // of the words in use
  std::uint32_t graph_count_ = 0;     // of these, in the graph
  std::vector<std::uint32_t> rows_;   // the first word at each place, and the end
  std::vector<std::uint32_t> ends_;   // by place: the last reachable word that ends there
  std::vector<std::uint32_t> above_;  // by word: the one before it that ends at the same place
  std::uint32_t chain_ = 0;           // the longest words, each where the one before ends, reach to here; 0 in a gap
  std::uint32_t gap_ = none;          // begin of the gap
  std::vector<Atom> atoms_;
  std::vector<Word> held_;

  std::vector<std::uint32_t> path_;
  std::vector<std::uint32_t> renamed_;  // words whose entry a custom word replaced
  std::vector<std::uint8_t> roles_;     // by word of the path
  bool any_translated_ = false;
  std::vector<Item> items_;
  std::vector<Row> net_;
  enum Change : std::uint8_t { change_same, change_cost, change_entry };
  std::vector<Change> changed_;  // by word: since the first path
  bool net_started_ = false, net_grew_ = false;
  std::vector<KnownCost> known_;
  std::vector<HanlpToken> tokens_;
};

}  // namespace leitong::segment
