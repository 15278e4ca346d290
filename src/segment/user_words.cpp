#include "segment/user_words.h"

#include <cmath>

#include "segment/python_text.h"

namespace leitong::segment {

void UserWords::set(std::u32string_view word, std::uint64_t frequency, const std::string& tag) {
  std::uint32_t at = 0;
  for (const char32_t c : word) {
    const auto [found, added] = children_.try_emplace(std::uint64_t{at} << 32 | c, static_cast<std::uint32_t>(words_.size()));
    if (added) words_.emplace_back();
    at = found->second;
  }
  if (word[0] < 65536) starts_[word[0] >> 6] |= std::uint64_t{1} << (word[0] & 63);
  const char32_t mark = ascii_mark(word);
  if (mark != 0) ascii_marks_[mark >> 6] |= std::uint64_t{1} << (mark & 63);
  Word& entry = words_[at];
  entry.set = true;
  entry.frequency = frequency;
  entry.log = frequency == 0 ? 0.0 : std::log(static_cast<double>(frequency));
  if (!tag.empty()) entry.tag = tag;
  if (frequency == 0 && !entry.force_split) {
    entry.force_split = true;
    ++force_splits_;
  }
}

const UserWords::Word* UserWords::find(std::u32string_view word) const {
  std::uint32_t at = 0;
  for (const char32_t c : word) at = step(at, c);
  return at == none || at == 0 ? nullptr : &words_[at];
}

}  // namespace leitong::segment
