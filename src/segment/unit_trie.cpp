#include "segment/unit_trie.h"

#include <algorithm>
#include <cstddef>

#include "leitong/error.h"

namespace leitong::segment {
namespace {

class Builder {
 public:
  Builder(const std::vector<CodedKey>& keys, std::uint32_t codes) : keys_(keys), codes_(codes) {}

  std::vector<TrieCell> build() {
    reach(1);
    use(0);  // the root
    struct Range {
      std::size_t begin, end, depth;
      std::uint32_t cell;
      char16_t code;
    };
    std::vector<Range> queue{{0, keys_.size(), 0, 0, no_code}};  // so that code 0 does not lead from nowhere to the root
    for (std::size_t at = 0; at < queue.size(); ++at) {  // breadth first: the states near the root, which every text visits, lie together
      const Range range = queue[at];
      std::size_t first = range.begin;
      std::uint32_t base = 0, value = no_value;
      if (first < range.end && keys_[first].first.size() == range.depth) value = keys_[first++].second;
      children_.clear();
      for (std::size_t i = first; i < range.end; ++i) {
        const char16_t code = keys_[i].first[range.depth];
        if (children_.empty() || children_.back().code != code) children_.push_back({code, i});
      }
      if (!children_.empty()) base = place();
      if (range.cell == 0 && children_.empty()) break;
      cells_[range.cell] = Trie::cell(base, range.code, value);
      for (std::size_t i = 0; i < children_.size(); ++i) {
        const std::uint32_t to = base + children_[i].code;
        use(to);
        const std::size_t end = i + 1 < children_.size() ? children_[i + 1].begin : range.end;
        queue.push_back({children_[i].begin, end, range.depth + 1, to, children_[i].code});
      }
    }
    reach(most_base_ + codes_);  // so that no code can lead outside
    cells_.resize(std::size_t{most_base_} + codes_);
    return std::move(cells_);
  }

 private:
  struct Child {
    char16_t code;
    std::size_t begin;
  };

  void reach(std::size_t cells) {
    if (cells <= used_.size()) return;
    const std::size_t size = std::max(cells, used_.size() + used_.size() / 2);
    used_.resize(size, false);
    skip_.resize(size);
    taken_.resize(size, false);
    cells_.resize(size);
  }

  // The first free cell from `cell` on. Chains of used cells are shortened on the way, so a search passes each but once.
  std::size_t next_free(std::size_t cell) {
    std::size_t end = cell;
    for (reach(end + 1); used_[end]; reach(end + 1)) end = skip_[end];
    while (cell != end) {
      const std::size_t next = skip_[cell];
      skip_[cell] = static_cast<std::uint32_t>(end);
      cell = next;
    }
    return end;
  }

  void use(std::size_t cell) {
    used_[cell] = true;
    skip_[cell] = static_cast<std::uint32_t>(cell + 1);
  }

  // A low base, no other state's, at which all children find a free cell. After many tries the search leaves a part that is hard to fill.
  std::uint32_t place() {
    std::uint32_t tries = 0;
    for (std::size_t cell = next_free(std::size_t{children_[0].code} + 1);; cell = next_free(cell + 1)) {
      const std::size_t base = cell - children_[0].code;
      reach(base + codes_ + 1);
      if (!taken_[base] &&
          std::all_of(children_.begin() + 1, children_.end(), [&](const Child& child) { return !used_[base + child.code]; })) {
        if (base > Trie::base_mask)
          throw Error(ErrorCode::limit, "the dictionaries have too many words for their index; use fewer custom words");
        taken_[base] = true;
        most_base_ = std::max(most_base_, static_cast<std::uint32_t>(base));
        return static_cast<std::uint32_t>(base);
      }
      if (++tries > most_tries) {
        tries = 0;
        cell += codes_;
      }
    }
  }

  static constexpr std::uint32_t most_tries = 20'000;
  static constexpr char16_t no_code = 0xFFFF;

  const std::vector<CodedKey>& keys_;
  std::uint32_t codes_;
  std::uint32_t most_base_ = 0;
  std::vector<bool> used_;
  std::vector<std::uint32_t> skip_;  // of a used cell: one further on, with none free between
  std::vector<bool> taken_;          // bases
  std::vector<Child> children_;
  std::vector<TrieCell> cells_;
};

}  // namespace

std::vector<TrieCell> build_trie(std::vector<CodedKey> keys, std::uint32_t codes) {
  std::sort(keys.begin(), keys.end());
  return Builder(keys, codes).build();
}

}  // namespace leitong::segment
