// Converts record and line numbers within a chunk to numbers over all inputs (records) or within the source (lines).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "records/input.h"

namespace leitong::job {

// Call start() and end() once for each chunk, in order; between them the numbers of that chunk's records are available.
class Numbering {
 public:
  void start(const records::Chunk& chunk, const records::Parsed& parsed) {
    first_line_.clear();
    for (std::size_t i = 0; i < chunk.pieces.size(); ++i) {
      const auto& piece = chunk.pieces[i];
      if (piece.source != source_) source_ = piece.source, lines_ = 0;
      first_line_.push_back({piece.source, lines_});
      lines_ += parsed.lines[i];
    }
  }
  void end(const records::Parsed& parsed) { records_ += parsed.count; }
  [[nodiscard]] std::uint64_t record(std::uint32_t index) const { return records_ + index; }
  // Counted from 1.
  [[nodiscard]] std::uint64_t line(std::uint32_t source, std::uint32_t relative) const {
    // Sources ascend within a chunk, so this finds the first piece of the source, with the lines before it.
    const auto piece = std::lower_bound(first_line_.begin(), first_line_.end(), std::pair<std::uint32_t, std::uint64_t>{source, 0});
    return piece->second + relative + 1;
  }
  [[nodiscard]] std::uint64_t records() const { return records_; }

 private:
  std::uint64_t records_ = 0, lines_ = 0;
  std::uint32_t source_ = 0xffffffffU;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> first_line_;
};

}  // namespace leitong::job
