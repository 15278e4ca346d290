// The hidden Markov model of jieba's finalseg: which characters begin, continue and end words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "segment/jieba_data.h"

namespace leitong::segment {

// The most probable states (HmmState) of a run of Han characters, at least one. Replaces `states`; `back` is scratch.
void viterbi(const JiebaData& data, std::span<const Label> labels, std::vector<std::uint8_t>& back, std::vector<std::uint8_t>& states);

// Whether a word ends between two Han characters.
[[nodiscard]] bool viterbi_splits(const JiebaData& data, Label first, Label second);

}  // namespace leitong::segment
