// What the model is told of each block: whole numbers, made in a fixed order by integer arithmetic, so that they are the same on every
// machine. A model fits one definition of these numbers: who changes one trains again (bench/web).
//
// A row has `width` numbers. The first `first_stage` are of the block, of the elements and the path around it, of its neighbours and of the
// page. The others are what the first stage said of all these (add_context). A page has page_numbers of its own for the choice of the
// model.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "pages/blocks.h"

namespace leitong::pages {

inline constexpr unsigned levels = 5;  // elements around a block that differ in the blocks they hold
inline constexpr unsigned page_numbers = 34;
inline constexpr unsigned own_numbers = 22, neighbour_numbers = 20, window_numbers = 12, level_numbers = 8, path_numbers = 11,
                          place_numbers = 18;
inline constexpr unsigned first_stage =
    own_numbers + mark_count + neighbour_numbers + window_numbers + levels * level_numbers + path_numbers + place_numbers + page_numbers;
inline constexpr unsigned context_numbers = 46;
inline constexpr unsigned width = first_stage + context_numbers;

using Number = std::int16_t;

// Sums over the blocks before each: of [a, b) it is sum[b] - sum[a].
using Sums = std::vector<std::uint32_t>;

// Which blocks share a value: their number in the order of the first.
struct Groups {
  std::vector<std::uint32_t> of;  // of each block
  std::uint32_t count = 0;
};

struct Features {
  std::vector<Number> rows;  // width a block
  std::array<Number, page_numbers> page_row{};

  // Of a page of at least one block. Replaces what is there; linear in its blocks.
  void make(const Page& page);
  // Fills in the context from the first stage's scores, one a block: its logarithm of the odds in 1/256.
  void add_context(const Page& page, const std::vector<std::int32_t>& scores);
  [[nodiscard]] const Number* row(std::size_t block) const { return rows.data() + block * width; }
  [[nodiscard]] Number* row(std::size_t block) { return rows.data() + block * width; }

 private:
  struct Around {  // of one block
    std::array<std::uint32_t, levels> element;
  };
  void find_around(const Page& page);
  void sum_up(const Page& page);
  void group(const Page& page);
  void find_core(const Page& page);
  void find_title(const Page& page);
  void make_page(const Page& page);
  void make_row(const Page& page, std::size_t block);

  Sums units_, links_, good_, sentences_;
  std::vector<std::uint32_t> up_;  // of each element the next around it with other blocks
  std::vector<Around> around_;
  Groups paths_, outer_paths_, texts_;
  struct PathSum {
    std::uint32_t units = 0, links = 0, good = 0, blocks = 0;
    std::int64_t odds = 0;
  };
  std::vector<PathSum> path_sums_, outer_sums_;
  std::vector<std::uint32_t> repeats_;
  struct Range {
    std::uint32_t first = 0, end = 0;
  };
  std::array<Range, 3> core_{};                          // of the innermost elements with 50, 70 and 90 per cent of the good text
  std::vector<std::uint32_t> good_before_, good_after_;  // distances to the nearest good block; none: there is none
  std::vector<std::uint64_t> title_words_;
  std::vector<std::uint64_t> scratch_;
  std::vector<std::uint32_t> slots_;
  Sums chance_, chance_units_;
  std::vector<std::uint32_t> long_before_, long_after_;  // the nearest blocks of some length; none: there is none
  void find_long(const Page& page);
  void group_by(const std::vector<std::uint64_t>& keys, Groups& to);
};

// Of the logarithm of the odds in 1/256: the chance in 1/1000, from a table.
[[nodiscard]] int chance_of(std::int32_t score);

}  // namespace leitong::pages
