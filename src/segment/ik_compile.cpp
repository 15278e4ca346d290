// Word lists to the data file of ik_image.h.
#include <algorithm>
#include <bit>
#include <numeric>
#include <string_view>

#include "leitong/error.h"
#include "segment/content_hash.h"
#include "segment/ik_dictionary.h"
#include "segment/ik_image.h"

namespace leitong::segment {
namespace {

using Node = IkDictionary::Node;

IkWords sorted_words(const IkWords& words) {
  IkWords sorted = words;
  for (auto& list : sorted) {
    std::erase_if(list, [](const std::u16string& word) { return word.empty(); });
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return sorted;
}

ContentId content_of(const IkWords& sorted) {
  ContentHash content;
  for (const auto& list : sorted) {
    content.number(list.size());
    for (const std::u16string& word : list) content.units<char16_t>(word);
  }
  return content.id();
}

// Codes from 1 on, frequent units first: children of one node then stand close together.
std::vector<std::uint32_t> code_units(const IkWords& words) {
  std::vector<std::uint32_t> count(ik_units), order(ik_units), codes(ik_units);
  for (const auto& list : words) {
    for (const auto& word : list) {
      for (const char16_t c : word) ++count[c];
    }
  }
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return count[a] > count[b]; });
  // The code of the rarest would be 65536 if every unit occurred; such lists are refused by the caller's limit.
  for (std::uint32_t i = 0; i < order.size() && count[order[i]] != 0; ++i) codes[order[i]] = i + 1;
  return codes;
}

// A trie in order of breadth, before its nodes have places.
struct Draft {
  std::uint32_t parent, code;
  std::size_t begin, end;  // words of the list that go on behind this node
  std::uint32_t depth, list;
  bool is_word;
  std::uint32_t first_child = 0, child_count = 0;
  std::uint32_t base = 0, place = 0;
};

class TrieBuilder {
 public:
  explicit TrieBuilder(const std::vector<std::uint32_t>& codes)
      : codes_(codes), last_code_(*std::max_element(codes.begin(), codes.end())) {}

  std::vector<Node> build(const IkWords& words) {
    draft(words);
    place_families();
    return write();
  }

 private:
  void draft(const IkWords& words) {
    for (std::uint32_t list = 0; list < ik_list_count; ++list) drafts_.push_back({list, 0, 0, words[list].size(), 0, list, false});
    for (std::size_t i = 0; i < drafts_.size(); ++i) draft_children(words[drafts_[i].list], static_cast<std::uint32_t>(i));
  }

  void draft_children(const std::vector<std::u16string>& words, std::uint32_t node) {
    const Draft parent = drafts_[node];
    const std::size_t first = drafts_.size();
    for (std::size_t i = parent.begin; i < parent.end;) {
      const char16_t unit = words[i][parent.depth];
      std::size_t j = i;
      while (j < parent.end && words[j][parent.depth] == unit) ++j;
      const bool is_word = words[i].size() == parent.depth + 1;  // sorted and unique: only the first can end here
      drafts_.push_back({node, codes_[unit], i + (is_word ? 1 : 0), j, parent.depth + 1, parent.list, is_word});
      i = j;
    }
    if (drafts_.size() > IkDictionary::base_mask / 4) throw Error(ErrorCode::limit, "the IK word lists are too large to compile");
    std::sort(drafts_.begin() + static_cast<std::ptrdiff_t>(first), drafts_.end(),
              [](const Draft& a, const Draft& b) { return a.code < b.code; });
    drafts_[node].first_child = static_cast<std::uint32_t>(first);
    drafts_[node].child_count = static_cast<std::uint32_t>(drafts_.size() - first);
  }

  // Large families first; the small ones fill the holes.
  void place_families() {
    std::vector<std::uint32_t> parents;
    for (std::uint32_t i = 0; i < drafts_.size(); ++i) {
      if (drafts_[i].child_count != 0) parents.push_back(i);
    }
    std::stable_sort(parents.begin(), parents.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return drafts_[a].child_count > drafts_[b].child_count; });
    std::uint32_t count = 0;
    std::size_t from = 0;
    for (const std::uint32_t parent : parents) {
      if (drafts_[parent].child_count != count) {  // families of one size search on from where the last one found its place
        count = drafts_[parent].child_count;
        from = ik_list_count;
      }
      from = place(drafts_[parent], from);
    }
  }

  // Returns the place of the first child.
  std::size_t place(Draft& parent, std::size_t from) {
    const Draft* const children = drafts_.data() + parent.first_child;
    const std::uint32_t first = children[0].code;
    std::size_t at = next_free(std::max<std::size_t>(from, first + std::size_t{1}));
    const auto fits = [&](std::size_t base) {
      for (std::uint32_t i = 1; i < parent.child_count; ++i) {
        if (is_used(base + children[i].code)) return false;
      }
      return true;
    };
    while (!fits(at - first)) at = next_free(at + 1);
    parent.base = static_cast<std::uint32_t>(at - first);
    for (std::uint32_t i = 0; i < parent.child_count; ++i) use(parent.base + std::size_t{children[i].code});
    return at;
  }

  [[nodiscard]] bool is_used(std::size_t slot) const { return slot / 64 < used_.size() && (used_[slot / 64] >> slot % 64 & 1) != 0; }
  void use(std::size_t slot) {
    if (slot / 64 >= used_.size()) used_.resize(slot / 64 + 1);
    used_[slot / 64] |= std::uint64_t{1} << slot % 64;
    end_ = std::max(end_, slot + 1);
  }
  [[nodiscard]] std::size_t next_free(std::size_t slot) const {
    if (slot / 64 >= used_.size()) return slot;
    std::uint64_t free = ~used_[slot / 64] & ~std::uint64_t{0} << slot % 64;
    std::size_t word = slot / 64;
    while (free == 0 && ++word < used_.size()) free = ~used_[word];
    return free == 0 ? word * 64 : word * 64 + static_cast<std::size_t>(std::countr_zero(free));
  }

  std::vector<Node> write() {
    std::vector<Node> nodes(end_ + last_code_ + 1, Node{0, IkDictionary::none});  // so that base + code is always inside
    if (nodes.size() > IkDictionary::base_mask) throw Error(ErrorCode::limit, "the IK word lists are too large to compile");
    for (std::uint32_t i = 0; i < drafts_.size(); ++i) {
      Draft& node = drafts_[i];
      node.place = i < ik_list_count ? i : drafts_[node.parent].base + node.code;
      const std::uint32_t bits = (node.is_word ? IkDictionary::word_bit : 0) | (node.child_count != 0 ? IkDictionary::children_bit : 0);
      nodes[node.place] = {node.base | bits, i < ik_list_count ? IkDictionary::none : drafts_[node.parent].place};
    }
    return nodes;
  }

  const std::vector<std::uint32_t>& codes_;
  const std::uint32_t last_code_;
  std::vector<Draft> drafts_;
  std::vector<std::uint64_t> used_{(std::uint64_t{1} << ik_list_count) - 1};  // the roots stand first
  std::size_t end_ = ik_list_count;
};

// Blocks by Unicode, as java.lang.Character.UnicodeBlock names them.
bool is_cjk(std::uint32_t c) {
  struct Block {
    std::uint32_t first, last;
  };
  static constexpr Block blocks[] = {{0x4E00, 0x9FFF}, {0x3400, 0x4DBF}, {0xF900, 0xFAFF}, {0xFF00, 0xFFEF}, {0xAC00, 0xD7AF},
                                     {0x1100, 0x11FF}, {0x3130, 0x318F}, {0x3040, 0x30FF}, {0x31F0, 0x31FF}};
  return std::any_of(std::begin(blocks), std::end(blocks), [c](const Block& b) { return c >= b.first && c <= b.last; });
}

IkNumber number_kind(char16_t c) {
  const auto in = [c](std::u16string_view set) { return set.find(c) != std::u16string_view::npos; };
  if (c >= u'0' && c <= u'9') return IkNumber::arabic;
  if (in(u"○一二两三四五六七八九十零壹贰叁肆伍陆柒捌玖拾百千万亿佰仟萬億兆卅廿")) return IkNumber::chinese;
  if (in(u"第初")) return IkNumber::prefix;
  if (in(u"点")) return IkNumber::chinese_middle;
  if (in(u"几多余半")) return IkNumber::suffix;
  if (in(u",./:Ee")) return IkNumber::arabic_middle;
  return IkNumber::none;
}

std::uint32_t fixed_class(char16_t c) {
  std::uint32_t bits = static_cast<std::uint32_t>(number_kind(c)) << ik_number_shift;
  if (is_cjk(c)) bits |= ik_cjk;
  if ((c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z')) bits |= ik_letter;
  if (c >= u'0' && c <= u'9') bits |= ik_digit;
  if (std::u16string_view(u"+-_.@&/\\").find(c) != std::u16string_view::npos) bits |= ik_connector;
  return bits;
}

std::vector<std::uint32_t> unit_table(const IkWords& words, const std::vector<std::uint32_t>& codes) {
  std::vector<std::uint32_t> units(ik_units);
  for (std::uint32_t c = 0; c < ik_units; ++c) units[c] = codes[c] | fixed_class(static_cast<char16_t>(c));
  for (const auto& word : words[static_cast<std::size_t>(IkList::surname)]) {
    if (word.size() == 1) units[word[0]] |= ik_surname;
  }
  for (const auto& word : words[static_cast<std::size_t>(IkList::preposition)]) units[word[0]] |= ik_preposition;
  for (const auto& word : words[static_cast<std::size_t>(IkList::stop)]) units[word[0]] |= ik_stop;
  return units;
}

}  // namespace

std::vector<std::byte> compile_ik(const IkWords& words) {
  const IkWords sorted = sorted_words(words);
  if (sorted[static_cast<std::size_t>(IkList::main)].empty()) throw Error(ErrorCode::usage, "the main IK dictionary has no words");
  const std::vector<std::uint32_t> codes = code_units(sorted);
  if (*std::max_element(codes.begin(), codes.end()) > 0xFFFF) throw Error(ErrorCode::limit, "the IK word lists use every UTF-16 unit");
  std::vector<std::uint32_t> counts;
  for (const auto& list : sorted) counts.push_back(static_cast<std::uint32_t>(list.size()));
  SectionWriter out;
  out.add(ik_word_counts, counts);
  out.add(ik_unit_table, unit_table(sorted, codes));
  out.add(ik_nodes, TrieBuilder(codes).build(sorted));
  return out.finish(ik_magic, ik_version, content_of(sorted));
}

}  // namespace leitong::segment
