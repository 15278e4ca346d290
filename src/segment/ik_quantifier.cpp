// IKAnalyzer's segmenter of Chinese numbers and measure words.
#include "segment/ik_window.h"

namespace leitong::segment {

void IkQuantifier::put_number(IkWindow& window) {
  if (begin_ == unset || end_ == unset) return;
  window.add(begin_, end_ - begin_ + 1, IkType::number);
  ended_ = true;
}

void IkQuantifier::start(IkWindow& window, IkNumber kind) {
  if (kind == IkNumber::none || kind == IkNumber::arabic_middle || kind == IkNumber::chinese_middle) return;
  begin_ = window.cursor;
  state_ = kind;
  if (kind != IkNumber::prefix) end_ = window.cursor;
}

// Whether a unit of `kind` may follow inside the number.
bool IkQuantifier::continues(IkNumber kind) const {
  switch (state_) {
    case IkNumber::arabic:
      return kind == IkNumber::arabic || kind == IkNumber::arabic_middle || kind == IkNumber::chinese || kind == IkNumber::suffix;
    case IkNumber::arabic_middle:
      return kind == IkNumber::arabic;
    case IkNumber::prefix:
      return kind == IkNumber::chinese || kind == IkNumber::arabic;
    case IkNumber::chinese:
      return kind == IkNumber::chinese || kind == IkNumber::chinese_middle || kind == IkNumber::suffix;
    case IkNumber::chinese_middle:
      return kind == IkNumber::chinese || kind == IkNumber::suffix;
    default:
      return false;
  }
}

void IkQuantifier::number(IkWindow& window, IkNumber kind) {
  if (state_ == IkNumber::none) {
    start(window, kind);
  } else if (continues(kind)) {
    state_ = kind;
    if (kind != IkNumber::arabic_middle && kind != IkNumber::chinese_middle) end_ = window.cursor;
  } else {
    put_number(window);
    begin_ = end_ = unset;
    state_ = IkNumber::none;
    start(window, kind);
  }
  if (window.at_last()) {
    put_number(window);
    begin_ = end_ = unset;
    state_ = IkNumber::none;
  }
}

void IkQuantifier::count(IkWindow& window, std::uint32_t entry) {
  const bool begins = count_begin_ == unset;
  const std::uint32_t from = begins ? IkDictionary::root(IkList::quantifier) : count_node_;
  const std::uint32_t node = window.dictionary.child(from, entry);
  if (node != IkDictionary::none) {
    if (begins) count_begin_ = window.cursor;
    count_node_ = node;
    if (window.dictionary.is_word(node)) {
      count_end_ = window.cursor;
      window.add(count_begin_, count_end_ - count_begin_ + 1, IkType::quantifier);
    }
  } else if (!begins) {
    count_begin_ = count_end_ = unset;
  }
  if (window.at_last()) count_begin_ = count_end_ = unset;
}

void IkQuantifier::step(IkWindow& window, std::uint32_t entry) {
  ended_ = false;
  number(window, static_cast<IkNumber>(entry >> ik_number_shift));
  const bool behind_number = (ended_ && begin_ == unset) || (end_ != unset && end_ + 1 == window.cursor);
  if (count_begin_ != unset || behind_number) count(window, entry);
}

}  // namespace leitong::segment
