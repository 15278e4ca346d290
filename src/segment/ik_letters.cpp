// IKAnalyzer's segmenter of letters and Arabic numbers.
#include "segment/ik_window.h"

namespace leitong::segment {

// A run that the unit at the cursor may start, continue or end; connectors at its end stay in it.
void IkLetters::run(IkWindow& window, bool starts, bool continues, std::uint32_t& begin) {
  if (begin == unset) {
    if (starts) begin = window.cursor;
  } else if (!continues) {
    window.add(begin, window.cursor - begin, IkType::letters);
    begin = unset;
  }
  if (window.at_last() && begin != unset) {
    window.add(begin, window.cursor - begin + 1, IkType::letters);
    begin = unset;
  }
}

void IkLetters::step(IkWindow& window, std::uint32_t entry) {
  const bool letter = (entry & ik_letter) != 0, alphanumeric = (entry & (ik_letter | ik_digit)) != 0;
  run(window, alphanumeric, alphanumeric || (entry & ik_connector) != 0, mixed_);
  run(window, letter, letter, letters_);
}

}  // namespace leitong::segment
