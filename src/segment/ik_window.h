// What the three sub-segmenters of IK share while a window is analysed; only for the ik*.cpp files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "segment/ik.h"

namespace leitong::segment {

inline constexpr std::size_t ik_window_size = 3072;

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
  void reset() {
    done_ = 0;
    hit_count_ = 0;
  }

 private:
  struct Hit {
    std::uint32_t begin;
    std::uint32_t node;
    std::uint32_t base;  // of its entry
  };
  // False if IKAnalyzer returns early at this unit.
  bool han(IkWindow& window, std::uint32_t entry);
  void advance_hits(IkWindow& window, std::uint32_t entry);
  void put_rest(IkWindow& window, std::uint32_t end);
  static void put_unknown(IkWindow& window, std::uint32_t begin, std::uint32_t end);

  std::uint32_t done_ = 0;  // units that are behind us: all before this
  // Prefixes of words that reach to the unit before the cursor, by begin: at most one a unit.
  std::unique_ptr<Hit[]> hits_ = std::make_unique_for_overwrite<Hit[]>(ik_window_size + 1);
  std::size_t hit_count_ = 0;
  bool locked_ = false;
};

// Words of letters, digits and connectors, and the runs of letters in them.
class IkLetters {
 public:
  [[nodiscard]] bool sleeps(std::uint32_t entry) const { return !locked() && (entry & (ik_letter | ik_digit)) == 0; }
  void step(IkWindow& window, std::uint32_t entry);
  [[nodiscard]] bool locked() const { return mixed_ != unset || letters_ != unset; }
  void reset() { *this = IkLetters(); }

 private:
  static constexpr std::uint32_t unset = 0xFFFFFFFF;
  static void run(IkWindow& window, bool starts, bool continues, std::uint32_t& begin);
  std::uint32_t mixed_ = unset, letters_ = unset;
};

}  // namespace leitong::segment
