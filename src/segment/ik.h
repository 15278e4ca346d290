// Text to words as IKAnalyzer 3.2.8 cuts it at maximum word length: same words, places and types, with the same faults.
//
// It works in windows of 3,072 UTF-16 units. What follows from that is part of the result: words at a window's end may be cut, a window
// without a word ends the text, and the last unit of a text can be lost. README.md lists these faults.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "segment/ik_dictionary.h"

namespace leitong::segment {

enum class IkType : std::uint8_t {
  word = 0,  // in the main dictionary
  surname = 1,
  suffix = 2,   // of a name
  unknown = 3,  // a single unit outside every word
  number = 10,
  quantifier = 11,
  letters = 20,  // letters, digits and their connectors
};

struct IkToken {
  std::uint32_t begin = 0, end = 0;  // units of the text; tokens may overlap
  IkType type = IkType::word;
};

// The tokens of one text, in order of begin; reused from text to text.
struct IkTokens {
  std::u16string units;  // the text, half-width and in lower case where IKAnalyzer made it so
  std::vector<IkToken> tokens;

  [[nodiscard]] std::u16string_view operator[](std::size_t i) const {
    return std::u16string_view(units).substr(tokens[i].begin, tokens[i].end - tokens[i].begin);
  }
  [[nodiscard]] std::size_t size() const { return tokens.size(); }
};

// Replaces the content of `out`. Linear in the text for a given dictionary. Thread-safe for different `out`.
void segment_ik(const IkDictionary& dictionary, std::u16string_view text, IkTokens& out);

}  // namespace leitong::segment
