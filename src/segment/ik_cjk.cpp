// IKAnalyzer's segmenter of Chinese words.
#include "segment/ik_window.h"

namespace leitong::segment {

// The units [begin, end) one by one, with the surname before them and the suffix behind them.
void IkCjk::put_unknown(IkWindow& window, std::uint32_t begin, std::uint32_t end) {
  if ((window.entry(begin) & ik_preposition) == 0 && begin > 0 && (window.entry(begin - 1) & ik_surname) != 0) {
    window.add(begin - 1, 1, IkType::surname);
  }
  for (std::uint32_t i = begin; i < end; ++i) window.add(i, 1, IkType::unknown);
  if ((window.entry(end - 1) & ik_preposition) != 0) return;
  // The suffix may lie behind the cursor, where the text is not normalised yet.
  std::uint32_t node = IkDictionary::root(IkList::suffix);
  for (std::uint32_t i = end; i < window.available; ++i) {
    node = window.dictionary.child(node, window.entry(i));
    if (node == IkDictionary::none) return;
    if (!window.dictionary.is_word(node)) continue;
    window.add(end, i - end + 1, IkType::suffix);
    return;
  }
}

void IkCjk::put_rest(IkWindow& window, std::uint32_t end) {
  if (done_ < end) put_unknown(window, done_, end);
}

// Every hit either goes on or falls out; which of them do cannot be foreseen, so only words branch.
void IkCjk::advance_hits(IkWindow& window, std::uint32_t entry) {
  Hit* const hits = hits_.get();
  const std::uint32_t code = entry & 0xFFFF;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < hit_count_; ++i) {
    const Hit hit = hits[i];
    const std::uint32_t to = (hit.base & IkDictionary::base_mask) + code;
    const IkDictionary::Node node = window.dictionary.entry(to);
    const bool found = node.parent == hit.node;
    hits[kept] = {hit.begin, to, node.base};
    kept += found && (node.base & IkDictionary::children_bit) != 0 ? 1 : 0;
    if (!found || (node.base & IkDictionary::word_bit) == 0) continue;
    put_rest(window, hit.begin);
    window.add(hit.begin, window.cursor - hit.begin + 1, IkType::word);
    done_ = window.cursor + 1;
  }
  hit_count_ = kept;
}

bool IkCjk::han(IkWindow& window, std::uint32_t entry) {
  advance_hits(window, entry);
  const std::uint32_t node = window.dictionary.child(IkDictionary::root(IkList::main), entry);
  if (node == IkDictionary::none) {
    if (done_ > window.cursor) return false;
    put_unknown(window, done_, window.cursor + 1);
    done_ = window.cursor + 1;
    return true;
  }
  const std::uint32_t base = window.dictionary.entry(node).base;
  if ((base & IkDictionary::word_bit) != 0) {
    put_rest(window, window.cursor);
    window.add(window.cursor, 1, IkType::word);
    done_ = window.cursor + 1;
  }
  if ((base & IkDictionary::children_bit) != 0) hits_[hit_count_++] = {window.cursor, node, base};
  return true;
}

void IkCjk::step(IkWindow& window, std::uint32_t entry) {
  if ((entry & ik_cjk) != 0) {
    if (!han(window, entry)) return;
  } else {
    if (hit_count_ != 0) put_rest(window, window.cursor);
    hit_count_ = 0;
    done_ = window.cursor + 1;
  }
  if (window.at_last()) {
    if (hit_count_ != 0) put_rest(window, window.cursor + 1);
    hit_count_ = 0;
  }
  locked_ = hit_count_ != 0;
}

}  // namespace leitong::segment
