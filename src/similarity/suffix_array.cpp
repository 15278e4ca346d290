#include "similarity/suffix_array.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace leitong::similarity {
namespace {

using Text = std::span<const std::uint32_t>;
constexpr std::uint32_t none = 0xffffffffU;

// One level of the recursion. A position is of type S if its suffix is smaller than the next one, else L; the empty suffix counts as S and
// as the smallest of all. LMS: an S behind an L. Once the LMS suffixes are in order, two scans put all others in theirs.
class Level {
 public:
  Level(Text text, std::uint32_t alphabet) : text_(text), small_(text.size() + 1), begins_(alphabet + 1, 0) {
    small_[text.size()] = true;
    for (std::size_t i = text.size(); i-- > 0;) {
      small_[i] = i + 1 < text.size() && (text[i] < text[i + 1] || (text[i] == text[i + 1] && small_[i + 1]));
    }
    for (const std::uint32_t symbol : text) ++begins_[symbol + 1];
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  }

  std::vector<std::uint32_t> sort() {
    std::vector<std::uint32_t> order(text_.size(), none);
    std::vector<std::uint32_t> starts;  // LMS positions, in the order of the text
    for (std::size_t i = 1; i < text_.size(); ++i) {
      if (is_lms(i)) starts.push_back(static_cast<std::uint32_t>(i));
    }
    induce(starts, order);
    if (starts.size() > 1) {
      sort_starts(starts, order);
      std::fill(order.begin(), order.end(), none);
      induce(starts, order);
    }
    return order;
  }

 private:
  [[nodiscard]] bool is_lms(std::size_t i) const { return i > 0 && small_[i] && !small_[i - 1]; }

  // From LMS positions at the ends of their buckets (in the order given) to all positions.
  void induce(const std::vector<std::uint32_t>& starts, std::vector<std::uint32_t>& order) {
    place_.assign(begins_.begin() + 1, begins_.end());
    for (std::size_t i = starts.size(); i-- > 0;) order[--place_[text_[starts[i]]]] = starts[i];
    place_.assign(begins_.begin(), begins_.end() - 1);
    const auto put_large = [&](std::uint32_t next) {  // of the position before `next`
      if (next != 0 && !small_[next - 1]) order[place_[text_[next - 1]]++] = next - 1;
    };
    put_large(static_cast<std::uint32_t>(text_.size()));  // behind the empty suffix, the first of all
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (order[i] != none) put_large(order[i]);
    }
    place_.assign(begins_.begin() + 1, begins_.end());
    for (std::size_t i = order.size(); i-- > 0;) {
      const std::uint32_t next = order[i];
      if (next != none && next != 0 && small_[next - 1]) order[--place_[text_[next - 1]]] = next - 1;
    }
  }

  // `order` has the LMS substrings in order; equal ones get one name, and the names, as a text, are sorted in turn if they repeat.
  void sort_starts(std::vector<std::uint32_t>& starts, std::vector<std::uint32_t>& order) {
    const std::size_t count = starts.size();
    std::size_t kept = 0;
    for (const std::uint32_t position : order) {
      if (is_lms(position)) order[kept++] = position;
    }
    std::fill(order.begin() + static_cast<std::ptrdiff_t>(count), order.end(), none);
    // LMS positions are two apart at least: half of a position is a place of its own, and the upper part of `order` has room for them.
    std::vector<std::uint32_t> name_of(text_.size() / 2 + 1, none);
    std::uint32_t names = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0 && !equal_substrings(order[i - 1], order[i])) ++names;
      name_of[order[i] / 2] = names;
    }
    ++names;
    std::vector<std::uint32_t> named;
    named.reserve(count);
    for (const std::uint32_t start : starts) named.push_back(name_of[start / 2]);
    if (names == count) {
      starts.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count));
      return;
    }
    name_of = {};
    const std::vector<std::uint32_t> sorted = suffix_array(named, names);
    for (std::size_t i = 0; i < count; ++i) named[i] = starts[sorted[i]];
    starts.swap(named);
  }

  // From one LMS position to the next, symbols and types.
  [[nodiscard]] bool equal_substrings(std::size_t x, std::size_t y) const {
    for (std::size_t i = 0;; ++i) {
      if (x + i == text_.size() || y + i == text_.size()) return false;  // the empty suffix is like no other
      if (text_[x + i] != text_[y + i] || small_[x + i] != small_[y + i]) return false;
      if (i > 0 && (is_lms(x + i) || is_lms(y + i))) return is_lms(x + i) && is_lms(y + i);
    }
  }

  Text text_;
  std::vector<bool> small_;            // type S
  std::vector<std::uint32_t> begins_;  // of each symbol's bucket, and the end of the last
  std::vector<std::uint32_t> place_;
};

}  // namespace

std::vector<std::uint32_t> suffix_array(Text text, std::uint32_t alphabet) {
  if (text.empty()) return {};
  return Level(text, alphabet).sort();
}

}  // namespace leitong::similarity
