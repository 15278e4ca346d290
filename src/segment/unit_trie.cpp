#include "segment/unit_trie.h"

#include <algorithm>
#include <cstddef>

namespace leitong::segment {
namespace {

class Builder {
 public:
  Builder(const std::vector<CodedKey>& keys, std::uint32_t codes) : keys_(keys), codes_(codes) {}

  TrieArrays build() {
    reach(1);
    use(0);  // the root
    struct Range {
      std::size_t begin, end, depth;
      std::uint32_t state;
    };
    std::vector<Range> queue{{0, keys_.size(), 0, 0}};
    for (std::size_t at = 0; at < queue.size(); ++at) {  // breadth first: the states near the root, which every text visits, lie together
      const Range range = queue[at];
      std::size_t first = range.begin;
      if (first < range.end && keys_[first].first.size() == range.depth) {
        out_.cells[range.state].base |= Trie::kEndBit;
        out_.values[range.state] = keys_[first].second;
        ++first;
      }
      if (first == range.end) continue;
      children_.clear();
      for (std::size_t i = first; i < range.end; ++i) {
        const char16_t code = keys_[i].first[range.depth];
        if (children_.empty() || children_.back().code != code) children_.push_back({code, i});
      }
      const std::uint32_t base = place();
      out_.cells[range.state].base |= base;
      for (std::size_t i = 0; i < children_.size(); ++i) {
        const std::uint32_t to = base + children_[i].code;
        use(to);
        out_.cells[to].check = range.state;
        const std::size_t end = i + 1 < children_.size() ? children_[i + 1].begin : range.end;
        queue.push_back({children_[i].begin, end, range.depth + 1, to});
      }
    }
    reach(most_base_ + codes_);  // so that no code can lead outside
    out_.cells.resize(std::size_t{most_base_} + codes_);
    out_.values.resize(out_.cells.size(), kNoValue);
    return std::move(out_);
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
    out_.cells.resize(size);
    out_.values.resize(size, kNoValue);
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

  // A low base at which all children find a free cell. After many tries the search leaves a part that is hard to fill.
  std::uint32_t place() {
    std::uint32_t tries = 0;
    for (std::size_t cell = next_free(std::size_t{children_[0].code} + 1);; cell = next_free(cell + 1)) {
      const std::size_t base = cell - children_[0].code;
      reach(base + codes_ + 1);
      if (std::all_of(children_.begin() + 1, children_.end(), [&](const Child& child) { return !used_[base + child.code]; })) {
        most_base_ = std::max(most_base_, static_cast<std::uint32_t>(base));
        return static_cast<std::uint32_t>(base);
      }
      if (++tries > kMostTries) {
        tries = 0;
        cell += codes_;
      }
    }
  }

  static constexpr std::uint32_t kMostTries = 20'000;

  const std::vector<CodedKey>& keys_;
  std::uint32_t codes_;
  std::uint32_t most_base_ = 0;
  std::vector<bool> used_;
  std::vector<std::uint32_t> skip_;  // of a used cell: one further on, with none free between
  std::vector<Child> children_;
  TrieArrays out_;
};

}  // namespace

TrieArrays build_trie(std::vector<CodedKey> keys, std::uint32_t codes) {
  std::sort(keys.begin(), keys.end());
  return Builder(keys, codes).build();
}

}  // namespace leitong::segment
