#include "segment/ik_main_words.h"

#include <algorithm>

namespace leitong::segment {
namespace {

// Full width becomes half width, or a capital becomes small, not both.
char16_t normalized(char16_t c) {
  const std::uint32_t unit = c;
  std::uint32_t out = unit - 0xFF01 < 0x5E ? unit - 0xFEE0 : unit;
  out = unit == 0x3000 ? std::uint32_t{u' '} : out;
  return static_cast<char16_t>(unit - u'A' < 26 ? unit + 32 : out);
}

}  // namespace

void IkMainWords::find(const IkDictionary& dictionary, const char16_t* units, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) units_[i] = normalized(units[i]);
  word_count_ = 1;
  std::size_t prefixes = find_first(dictionary, count);
  for (std::uint32_t length = 2; prefixes != 0; ++length) prefixes = lengthen(dictionary, prefixes, length);
}

// Prefixes of one unit. Returns how many go on.
std::size_t IkMainWords::find_first(const IkDictionary& dictionary, std::uint32_t count) {
  const std::uint32_t root = IkDictionary::root(IkList::main), root_base = dictionary.entry(root).base & IkDictionary::base_mask;
  words_.resize(std::max(words_.size(), std::size_t{count} + 2));
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t entry = dictionary.unit(units_[i]);
    entries_[i] = entry;
    codes_[i] = static_cast<std::uint16_t>((entry & ik_cjk) != 0 ? entry & 0xFFFF : 0);
  }
  codes_[count] = 0;
  marks_[count] = 0;
  longest_[count] = none;
  Word* const words = words_.data();
  Prefix* const list = prefixes_.get();
  const std::uint16_t* const codes = codes_.get();
  std::uint8_t* const marks = marks_.get();
  std::uint32_t* const longest = longest_.get();
  std::uint32_t words_count = 1;
  std::size_t kept = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t code = codes[i], following = codes[i + 1];
    const std::uint32_t to = root_base + code;
    const IkDictionary::Node node = dictionary.entry(to);
    const std::uint32_t found = static_cast<std::uint32_t>(node.parent == root) & static_cast<std::uint32_t>(code != 0);
    const std::uint32_t word = found & node.base >> 31, more = found & node.base >> 30;
    marks[i] = static_cast<std::uint8_t>(found << 1 | more);
    words[words_count] = {i, none};
    longest[i] = word != 0 ? words_count : none;
    words_count += word;
    const std::uint32_t goes = more & static_cast<std::uint32_t>(dictionary.may_begin(code, following));
    const std::uint32_t next = goes != 0 ? (node.base & IkDictionary::base_mask) + following : 0;
    dictionary.prefetch(next);
    list[kept] = {i, to, next};
    kept += goes;
  }
  word_count_ = words_count;
  return kept;
}

// Takes the prefixes to `length` units; returns how many of them go on further. A child is found at no other code than its own, so none
// is behind the last unit.
std::size_t IkMainWords::lengthen(const IkDictionary& dictionary, std::size_t prefixes, std::uint32_t length) {
  words_.resize(std::max(words_.size(), word_count_ + prefixes + 1));
  Word* const words = words_.data();
  Prefix* const list = prefixes_.get();
  const std::uint16_t* const codes = codes_.get();
  std::uint8_t* const marks = marks_.get();
  std::uint32_t* const longest = longest_.get();
  std::uint32_t count = word_count_;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < prefixes; ++i) {
    const Prefix prefix = list[i];
    const std::uint32_t end = prefix.begin + length - 1, code = codes[end];
    const IkDictionary::Node node = dictionary.entry(prefix.next);
    const std::uint32_t found = static_cast<std::uint32_t>(node.parent == prefix.node) & static_cast<std::uint32_t>(code != 0);
    const std::uint32_t word = found & node.base >> 31, more = found & node.base >> 30;
    const std::uint32_t before = longest[end];
    words[count] = {prefix.begin, before};
    longest[end] = word != 0 ? count : before;
    count += word;
    marks[end] = static_cast<std::uint8_t>(marks[end] | more);
    const std::uint32_t next = more != 0 ? (node.base & IkDictionary::base_mask) + codes[end + more] : 0;
    dictionary.prefetch(next);
    list[kept] = {prefix.begin, prefix.next, next};
    kept += more;
  }
  word_count_ = count;
  return kept;
}

}  // namespace leitong::segment
