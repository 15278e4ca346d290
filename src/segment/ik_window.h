// What the three sub-segmenters of IK share while a window is analysed; only for the ik*.cpp files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "segment/ik.h"
#include "segment/ik_main_words.h"

namespace leitong::segment {

// Words found in a window, by begin ascending and length descending, at most one of each place; the first one's type stays.
class IkFound {
 public:
  IkFound() { items_.reserve(ik_window_size / 2); }

  struct Item {
    std::uint32_t key;  // begin << 16 | 0xFFFF - length
    IkType type;
    [[nodiscard]] std::uint32_t begin() const { return key >> 16; }
    [[nodiscard]] std::uint32_t end() const { return begin() + 0xFFFF - (key & 0xFFFF); }
  };

  void add(std::uint32_t begin, std::uint32_t length, IkType type) {
    const std::uint32_t key = begin << 16 | (0xFFFF - length);
    if (items_.empty() || items_.back().key < key) {
      items_.push_back({key, type});
      return;
    }
    std::size_t at = items_.size();
    while (at > 0 && items_[at - 1].key > key) --at;
    if (at > 0 && items_[at - 1].key == key) return;
    items_.insert(items_.begin() + static_cast<std::ptrdiff_t>(at), {key, type});
  }

  void clear() { items_.clear(); }
  [[nodiscard]] const std::vector<Item>& items() const { return items_; }

 private:
  std::vector<Item> items_;
};

struct IkWindow {
  const IkDictionary& dictionary;
  const char16_t* units;    // of the window; normalised up to the cursor, raw behind it
  std::uint32_t available;  // how many there are
  std::uint32_t cursor = 0;
  IkFound& found;
  const IkMainWords& main;

  [[nodiscard]] std::uint32_t entry(std::uint32_t at) const { return dictionary.unit(units[at]); }
  [[nodiscard]] bool at_last() const { return cursor + 1 == available; }
  void add(std::uint32_t begin, std::uint32_t length, IkType type) {
    if ((entry(begin) & ik_stop) == 0 || !is_stop(begin, length)) found.add(begin, length, type);
  }

 private:
  [[nodiscard]] bool is_stop(std::uint32_t begin, std::uint32_t length) const {
    std::uint32_t node = IkDictionary::root(IkList::stop);
    for (std::uint32_t i = begin; i < begin + length; ++i) {
      node = dictionary.child(node, entry(i));
      if (node == IkDictionary::none) return false;
    }
    return dictionary.is_word(node);
  }
};

// Each sub-segmenter takes the unit at the cursor (`entry` is its unit entry) and says by locked() whether it is inside something.

// Numbers and the quantifiers behind them.
class IkQuantifier {
 public:
  // Whether step() would do nothing for a unit of this kind.
  [[nodiscard]] bool sleeps(IkNumber kind) const { return kind == IkNumber::none && !locked(); }
  void step(IkWindow& window, std::uint32_t entry);
  [[nodiscard]] bool locked() const {
    return begin_ != unset || end_ != unset || state_ != IkNumber::none || count_begin_ != unset || count_end_ != unset;
  }
  void reset() { *this = IkQuantifier(); }

 private:
  static constexpr std::uint32_t unset = 0xFFFFFFFF;
  void number(IkWindow& window, IkNumber kind);
  void start(IkWindow& window, IkNumber kind);
  void count(IkWindow& window, std::uint32_t entry);
  void put_number(IkWindow& window);
  [[nodiscard]] bool continues(IkNumber kind) const;

  std::uint32_t begin_ = unset, end_ = unset;  // of the number; end_ is its last unit so far
  IkNumber state_ = IkNumber::none;
  bool ended_ = false;  // a number was put out at this unit
  std::uint32_t count_begin_ = unset, count_end_ = unset;
  std::uint32_t count_node_ = IkDictionary::none;
};

// Words of the main dictionary, and what stands between them.
class IkCjk {
 public:
  void step(IkWindow& window, std::uint32_t entry);
  [[nodiscard]] bool locked() const { return locked_; }
  // The lock outlives the window.
  void reset() { done_ = 0; }

 private:
  // False if IKAnalyzer returns early at this unit.
  bool han(IkWindow& window);
  void put_rest(IkWindow& window, std::uint32_t end) {
    if (done_ < end) put_unknown(window, done_, end);
  }
  static void put_unknown(IkWindow& window, std::uint32_t begin, std::uint32_t end);

  std::uint32_t done_ = 0;  // units that are behind us: all before this
  bool locked_ = false;
};

// Words of letters, digits and connectors, and the runs of letters in them.
class IkLetters {
 public:
  [[nodiscard]] bool sleeps(std::uint32_t entry) const { return !locked() && (entry & (ik_letter | ik_digit)) == 0; }
  void step(IkWindow& window, std::uint32_t entry) {
    const bool letter = (entry & ik_letter) != 0, alphanumeric = (entry & (ik_letter | ik_digit)) != 0;
    run(window, alphanumeric, alphanumeric || (entry & ik_connector) != 0, mixed_);
    run(window, letter, letter, letters_);
  }
  [[nodiscard]] bool locked() const { return mixed_ != unset || letters_ != unset; }
  void reset() { *this = IkLetters(); }

 private:
  static constexpr std::uint32_t unset = 0xFFFFFFFF;
  // A run that the unit at the cursor may start, continue or end; connectors at its end stay in it.
  static void run(IkWindow& window, bool starts, bool continues, std::uint32_t& begin) {
    if (begin == unset) {
      if (starts) begin = window.cursor;
    } else if (!continues) {
      window.add(begin, window.cursor - begin, IkType::letters);
      begin = unset;
    }
    if (window.at_last() && begin != unset) {
      window.add(begin, window.cursor - begin + 1, IkType::letters);
      begin = unset;
    }
  }
  std::uint32_t mixed_ = unset, letters_ = unset;
};

}  // namespace leitong::segment
