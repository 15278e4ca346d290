// What two collections share, to one self-contained HTML page: the matrix, and pairs side by side. Pure: the same OverlapPage gives the
// same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "leitong/overlap.h"

namespace leitong::report {

// A stretch of a text: shared, not shared, or characters left out.
struct OverlapPart {
  std::string text;
  bool shared = false;
  std::uint64_t left_out = 0;  // characters; then `text` is empty
};
// The shared ranges (bytes, ascending, may overlap) with what stands around them; the rest is left out, and so is the middle of a very long
// range.
[[nodiscard]] std::vector<OverlapPart> overlap_parts(std::string_view text, const std::vector<std::pair<std::size_t, std::size_t>>& ranges);

struct OverlapPassage {
  std::string text;
  std::uint64_t places = 0, met = 0;  // in B; in A
};

struct OverlapPage {
  struct Cell {
    std::uint64_t contained = 0, partial = 0;  // records of B
  };
  struct Row {
    std::string path;
    std::uint64_t records = 0;  // good ones
    Cell all;
    std::vector<Cell> cells;  // as `columns`
  };
  struct Column {
    std::string path;
    std::uint64_t records = 0, holding = 0;  // good ones; that hold a passage
  };
  struct Text {
    std::string id, source;
    std::uint64_t record = 0, tokens = 0;
    double covered = 0;
    std::vector<OverlapPart> parts;
  };
  struct Pair {
    Text a, b;
    std::uint64_t tokens = 0, spans = 0;
    bool contained = false;
  };

  std::string version, a_title, b_title;
  std::string packed;  // what the names of the other outputs end in: ".zst"
  std::uint32_t span = 0;
  double contained = 0;
  bool fold_traditional = false;
  OverlapCounts counts;
  std::vector<Row> rows;
  std::vector<Column> columns;
  std::vector<Pair> pairs;
  std::vector<OverlapPassage> passages;
  std::vector<std::string> warnings;
};

[[nodiscard]] std::string render_overlap(const OverlapPage& page);

}  // namespace leitong::report
