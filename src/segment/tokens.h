// The tokens of one text, as ranges of its bytes. The buffers are reused from text to text, so that cutting allocates nothing in the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "segment/double_array.h"
#include "text/range.h"

namespace leitong::segment {

class Tokens {
 public:
  [[nodiscard]] std::size_t size() const { return count_; }
  // Where they stand in the text. Only cut_all with user words of Latin letters can give others: a range that begins at or after the end
  // of the text then means the bytes of joined() from there.
  [[nodiscard]] std::span<const text::Range> ranges() const { return {ranges_.data(), count_}; }
  [[nodiscard]] std::string_view joined() const { return joined_; }
  // The bytes of one token; `text` is what was cut. May be empty after cut_all.
  [[nodiscard]] std::string_view view(std::string_view text, std::size_t i) const {
    const text::Range range = ranges_[i];
    if (range.end > text.size()) return std::string_view(joined_).substr(range.begin - text.size(), range.end - range.begin);
    return text.substr(range.begin, range.end - range.begin);
  }

 private:
  friend class Cutter;
  friend class Jieba;

  // The nodes that may stand for two, three and four characters from one on, and the values of those that do.
  struct LookUp {
    std::uint32_t second, third, fourth, value2, value3;
  };

  // The stretch of text that is being cut, in characters. Outside of blocks a "character" may be several bytes that stay together. All
  // arrays go on behind the end, where the routes look ahead: without labels and without bytes.
  struct Block {
    std::vector<Label> labels;
    std::vector<char32_t> points;        // with user words only
    std::vector<std::uint32_t> offsets;  // of each character and the end
    std::vector<std::uint8_t> settled;   // no single character of a block, so that neither model nor merging concerns it
    std::vector<LookUp> look_ups;
    std::vector<double> scores;       // of the best route from a character to the end
    std::vector<std::uint32_t> next;  // where its first word ends
    std::vector<std::uint8_t> back;   // of the hidden Markov model
    std::vector<std::uint8_t> states;
  };

  std::vector<text::Range> ranges_;
  std::size_t count_ = 0;
  std::string joined_;
  Block block_;
  std::vector<text::Range> words_;  // of cut_for_search
};

// The same tokens in code points: of a text with broken UTF-8, every maximal invalid part counts as one. Replaces `out`; linear time.
// Tokens in joined() keep their bytes' range.
void code_point_ranges(std::string_view text, const Tokens& tokens, std::vector<text::Range>& out);

}  // namespace leitong::segment
