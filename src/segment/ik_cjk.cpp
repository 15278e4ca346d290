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

bool IkCjk::han(IkWindow& window) {
  const std::uint32_t at = window.cursor;
  for (std::uint32_t word = window.main.longest(at); word != IkMainWords::none; word = window.main.shorter(word)) {
    const std::uint32_t begin = window.main.begin(word);
    put_rest(window, begin);
    window.add(begin, at - begin + 1, IkType::word);
    done_ = at + 1;
  }
  if (window.main.begins(at)) return true;
  if (done_ > at) return false;
  put_unknown(window, done_, at + 1);
  done_ = at + 1;
  return true;
}

void IkCjk::step(IkWindow& window, std::uint32_t entry) {
  const std::uint32_t at = window.cursor;
  if ((entry & ik_cjk) == 0) {
    if (at > 0 && window.main.goes_on(at - 1)) put_rest(window, at);
    done_ = at + 1;
    locked_ = false;
    return;
  }
  if (!han(window)) return;
  locked_ = window.main.goes_on(at) && !window.at_last();
  if (window.at_last() && window.main.goes_on(at)) put_rest(window, at + 1);
}

}  // namespace leitong::segment
