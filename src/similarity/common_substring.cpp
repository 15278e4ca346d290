#include "similarity/common_substring.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "similarity/suffix_array.h"

namespace leitong::similarity {
namespace {

using Characters = std::span<const char32_t>;

struct Segment {
  std::size_t begin = 0, end = 0;
};
using Segments = std::vector<Segment>;

std::size_t total_size(const Segments& segments) {
  std::size_t total = 0;
  for (const Segment& segment : segments) total += segment.end - segment.begin;
  return total;
}

// The pieces one after another as small numbers, with a number of its own behind each piece, so that nothing common crosses its end.
struct Joined {
  std::vector<std::uint32_t> symbols;
  std::uint32_t alphabet = 0;
  std::size_t b_begin = 0;
};

Joined join(Characters a, const Segments& in_a, Characters b, const Segments& in_b) {
  std::vector<char32_t> distinct;
  const auto collect = [&](Characters text, const Segments& segments) {
    for (const Segment& s : segments) distinct.insert(distinct.end(), text.begin() + s.begin, text.begin() + s.end);
  };
  collect(a, in_a);
  collect(b, in_b);
  const char32_t greatest = distinct.empty() ? 0 : *std::max_element(distinct.begin(), distinct.end());
  std::vector<std::uint32_t> number_of(static_cast<std::size_t>(greatest) + 1, 0);
  for (const char32_t c : distinct) number_of[c] = 1;
  distinct = {};
  const auto pieces = static_cast<std::uint32_t>(in_a.size() + in_b.size());
  std::uint32_t next = pieces;
  for (std::uint32_t& number : number_of) {
    if (number != 0) number = next++;
  }
  Joined joined;
  joined.alphabet = next;
  joined.symbols.reserve(total_size(in_a) + total_size(in_b) + pieces);
  std::uint32_t piece = 0;
  const auto append = [&](Characters text, const Segments& segments) {
    for (const Segment& s : segments) {
      for (std::size_t i = s.begin; i < s.end; ++i) joined.symbols.push_back(number_of[text[i]]);
      joined.symbols.push_back(piece++);
    }
  };
  append(a, in_a);
  joined.b_begin = joined.symbols.size();
  append(b, in_b);
  return joined;
}

// The greatest common prefix of a suffix of one text and its neighbour in the order, where that is of the other text (Kasai 2001).
std::uint32_t longest_by_suffixes(Characters a, const Segments& in_a, Characters b, const Segments& in_b) {
  const Joined joined = join(a, in_a, b, in_b);
  const std::vector<std::uint32_t>& text = joined.symbols;
  const std::vector<std::uint32_t> order = suffix_array(text, joined.alphabet);
  std::vector<std::uint32_t> rank(text.size());
  for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = static_cast<std::uint32_t>(i);
  std::size_t longest = 0;
  std::size_t common = 0;  // one less, at most, than at the position before
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (rank[i] == 0) {
      common = 0;
      continue;
    }
    const std::size_t j = order[rank[i] - 1];
    while (i + common < text.size() && j + common < text.size() && text[i + common] == text[j + common]) ++common;
    if ((i < joined.b_begin) != (j < joined.b_begin)) longest = std::max(longest, common);
    if (common > 0) --common;
  }
  return static_cast<std::uint32_t>(longest);
}

// Rolling hash modulo 2^64. Different windows may have one hash: that keeps a place too many, never drops one.
class Window {
 public:
  explicit Window(std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) power_ *= base;
  }
  void add(char32_t c) { hash_ = hash_ * base + c + 1; }
  void roll(char32_t out, char32_t in) { hash_ = hash_ * base + in + 1 - (out + std::uint64_t{1}) * power_; }
  [[nodiscard]] std::uint64_t hash() const { return hash_; }

 private:
  static constexpr std::uint64_t base = 0x9e3779b97f4a7c15ULL;
  std::uint64_t hash_ = 0, power_ = 1;
};

// Hashes of the blocks of one text: the first block of each, and whether the other text holds it.
class Blocks {
 public:
  Blocks(Characters text, std::size_t size) : count_(text.size() / size), slots_(std::bit_ceil(2 * count_ + 1)) {
    shift_ = static_cast<unsigned>(64 - std::countr_zero(slots_.size()));
    hashes_.reserve(count_);
    for (std::size_t i = 0; i < count_; ++i) {
      Window window(0);
      for (std::size_t at = i * size; at < (i + 1) * size; ++at) window.add(text[at]);
      hashes_.push_back(window.hash());
      Slot& slot = find(window.hash());
      slot.repeated = slot.block != 0;
      if (slot.block == 0) slot = {window.hash(), static_cast<std::uint32_t>(i + 1)};
    }
  }
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t block = 0;  // from 1; 0: free
    bool met = false, repeated = false;
  };
  Slot& find(std::uint64_t hash) {
    std::size_t at = shift_ == 64 ? 0 : hash * 0xd6e8feb86659fd93ULL >> shift_;
    while (slots_[at].block != 0 && slots_[at].hash != hash) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }
  [[nodiscard]] std::size_t count() const { return count_; }
  bool met(std::size_t block) { return find(hashes_[block]).met; }

 private:
  std::size_t count_;
  unsigned shift_ = 64;
  std::vector<Slot> slots_;
  std::vector<std::uint64_t> hashes_;
};

void add_around(Segments& segments, std::size_t begin, std::size_t end, std::size_t reach, std::size_t size) {
  begin = begin > reach ? begin - reach : 0;
  end = std::min(size, end + reach);
  if (!segments.empty() && begin <= segments.back().end) {
    segments.back().end = std::max(segments.back().end, end);
  } else {
    segments.push_back({begin, end});
  }
}

// Blocks of fewer characters would be too many for their table, and stand everywhere.
constexpr std::size_t least_length = 16;
constexpr unsigned most_lengthened = 32;  // each costs a pass over both texts

struct Run {
  std::uint32_t length = 0;
  bool exact = true;
};

class LongTexts {
 public:
  LongTexts(Characters a, Characters b, std::size_t sorted) : a_(a), b_(b), sorted_(sorted) {}

  Run longest() {
    const std::size_t shorter = a_.size();
    const auto head = static_cast<std::size_t>(std::mismatch(a_.begin(), a_.end(), b_.begin()).first - a_.begin());
    const auto tail = static_cast<std::size_t>(std::mismatch(a_.rbegin(), a_.rend(), b_.rbegin()).first - a_.rbegin());
    longest_ = std::max(head, tail);
    std::size_t length = std::bit_floor(shorter);
    unsigned lengthened = 0;
    while (longest_ < shorter) {  // nothing common is as long as 2 · length, and longest_ + 1 is the least that would be news
      length = std::max(length, longest_ + 1);
      if (length < least_length) {
        keep_shared_characters();
      } else {
        const bool all_seen = look_for(length);
        if (all_seen && (longest_ >= length || length == longest_ + 1)) break;
        if (all_seen) {
          length /= 2;
          continue;
        }
        if (longest_ >= length && ++lengthened < most_lengthened) continue;
      }
      if (total_size(in_a_) + total_size(in_b_) > sorted_) return {cut_short(), false};
      if (!in_a_.empty() && !in_b_.empty()) {
        longest_ = std::max<std::size_t>(longest_, longest_by_suffixes(a_, in_a_, b_, in_b_));
        if (longest_ >= length) break;
      }
      if (length < least_length || length == longest_ + 1) break;
      length /= 2;
    }
    return {static_cast<std::uint32_t>(longest_), true};
  }

 private:
  // True: every common run of `length` or more was seen, and longest_ is the longest of them. Else in_a_ and in_b_ are what can hold one,
  // and longest_ at least as long as before.
  bool look_for(std::size_t length) {
    const std::size_t size = (length + 1) / 2;
    Blocks blocks(a_, size);
    in_a_.clear();
    in_b_.clear();
    passed_ = 0;
    extended_ = {};
    bool all_seen = true;
    Window window(size);
    for (std::size_t i = 0; i < size; ++i) window.add(b_[i]);
    for (std::size_t j = 0;; ++j) {
      Blocks::Slot& slot = blocks.find(window.hash());
      if (slot.block != 0) {
        slot.met = true;
        add_around(in_b_, j, j + size, size - 1, b_.size());
        if (!meet((slot.block - 1) * size, j, !slot.repeated)) all_seen = false;
      }
      if (j + size == b_.size()) break;
      window.roll(b_[j], b_[j + size]);
    }
    if (all_seen) return true;
    for (std::size_t i = 0; i < blocks.count(); ++i) {
      if (blocks.met(i)) add_around(in_a_, i * size, (i + 1) * size, size - 1, a_.size());
    }
    const auto too_short = [&](const Segment& s) { return s.end - s.begin < length; };
    std::erase_if(in_a_, too_short);
    std::erase_if(in_b_, too_short);
    return false;
  }

  // A block of `a` may stand in `b` at j. False: perhaps not all common runs through j were followed.
  bool meet(std::size_t i, std::size_t j, bool unique) {
    const bool same_run = j < extended_.end && j - i == extended_.begin;
    if (same_run) return unique;
    const bool affordable = unique && passed_ < 4 * (a_.size() + b_.size());
    if (!affordable && j < extended_.end) return false;
    extended_ = {j - i, extend(i, j)};
    return affordable;
  }

  // The run around a_[i] and b_[j]; back no further than ahead, so that the work is linear in what is passed over.
  std::size_t extend(std::size_t i, std::size_t j) {
    std::size_t end = 0;
    while (i + end < a_.size() && j + end < b_.size() && a_[i + end] == b_[j + end]) ++end;
    std::size_t back = 0;
    const std::size_t most = std::min({i, j, end});
    while (back < most && a_[i - back - 1] == b_[j - back - 1]) ++back;
    if (end > 0) longest_ = std::max(longest_, end + back);
    passed_ += end + back;
    return j + std::max<std::size_t>(end, 1);
  }

  // What can hold any common run at all.
  void keep_shared_characters() {
    std::vector<bool> held[2];
    for (const bool second : {false, true}) {
      held[second].assign(0x110000, false);
      for (const char32_t c : second ? b_ : a_) held[second][c] = true;
    }
    const auto keep = [&](Characters text, const std::vector<bool>& other, Segments& segments) {
      segments.clear();
      for (std::size_t i = 0; i < text.size(); ++i) {
        if (other[text[i]]) add_around(segments, i, i + 1, 0, text.size());
      }
    };
    keep(a_, held[1], in_a_);
    keep(b_, held[0], in_b_);
  }

  // Too much remains: a suffix array of as much of it as may be.
  std::uint32_t cut_short() {
    for (Segments* segments : {&in_a_, &in_b_}) {
      std::size_t room = sorted_ / 2;
      for (Segment& segment : *segments) {
        segment.end = std::min(segment.end, segment.begin + room);
        room -= segment.end - segment.begin;
      }
      std::erase_if(*segments, [](const Segment& s) { return s.begin == s.end; });
    }
    return std::max(static_cast<std::uint32_t>(longest_), longest_by_suffixes(a_, in_a_, b_, in_b_));
  }

  Characters a_, b_;
  std::size_t sorted_;
  std::size_t longest_ = 0;
  Segments in_a_, in_b_;
  std::size_t passed_ = 0;  // characters that were followed
  Segment extended_;        // the diagonal (column - row, modulo 2^64) that was followed last, and its end in b
};

}  // namespace

CommonSubstring common_substring(Characters a, Characters b, std::size_t sorted) {
  if (a.size() > b.size()) std::swap(a, b);
  if (a.empty()) return {0, b.empty() ? 1.0 : 0.0, true};
  const Run run = a.size() + b.size() <= sorted ? Run{longest_by_suffixes(a, {{0, a.size()}}, b, {{0, b.size()}}), true}
                                                : LongTexts(a, b, sorted).longest();
  return {run.length, static_cast<double>(run.length) / static_cast<double>(a.size()), run.exact};
}

}  // namespace leitong::similarity
