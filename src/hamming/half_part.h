// One thread's part of a join of halves: the pairs of the rows of one part of a table (half_tables.h).
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "hamming/frame_join.h"
#include "hamming/half_tables.h"
#include "hamming/kernels.h"
#include "hamming/ordered_sink.h"
#include "hamming/table.h"
#include "leitong/hamming.h"

namespace leitong::hamming {

// Rows that agree in the upper bits of the key. `ids` are row numbers of the whole join.
struct HalfPart {
  const std::uint64_t* values;
  const std::uint32_t* ids;
  std::uint32_t n;
};

// How finely the rows of a part are divided.
struct HalfKey {
  unsigned bits;      // upper bits of the key's block that are used at all
  unsigned low_bits;  // those of them in which rows of a part may differ
  unsigned sub_bits;  // upper bits of the filter
};

// Sub bits that leave 5 to 11 rows a class, where so many rows share a key; none where they are fewer.
[[nodiscard]] unsigned sub_bits_for(double rows_of_key);

class HalfPartJoin {
 public:
  // Row numbers from `split` on are of the other side, and only pairs of two sides count; 0: all pairs count.
  HalfPartJoin(const Kernels& kernels, unsigned k, std::uint32_t split, Found<HammingPair>& found)
      : kernels_(kernels), k_(k), split_(split), found_(found) {}

  // Time about linear in rows where they spread over keys and filters; rows that do not are left to the general join.
  void join(const HalfTable& table, const HalfPart& part, const HalfKey& key);

 private:
  struct OfKey {
    std::vector<std::uint64_t> values;
    std::vector<std::uint32_t> ids;
  };
  struct Level {  // rows of a large part, divided further
    Buffer<std::uint64_t> values;
    Buffer<std::uint32_t> ids;
  };

  void divide(const HalfTable& table, const HalfPart& part, const HalfKey& key);
  static std::vector<std::uint32_t> keep_light(MeetScan& scan);
  void report(const HalfTable& table, const HalfPart& part, const MeetScan& scan, std::span<const std::uint16_t> rows, bool all);
  void meet_left(const HalfTable& table, const HalfPart& part, const MeetScan& scan);
  void join_heavy(const HalfTable& table, const HalfPart& part, const HalfKey& key, const MeetLayout& layout,
                  const std::vector<std::uint32_t>& keys);
  void join_frame(const HalfTable& table, const HalfPart& part);
  void check(const HalfTable& table, const HalfPart& part, std::uint32_t i, std::uint32_t j);
  void give(std::uint32_t a, std::uint32_t b, std::uint32_t distance);

  const Kernels& kernels_;
  unsigned k_;
  std::uint32_t split_;
  Found<HammingPair>& found_;
  Buffer<MeetLine> lines_;
  Buffer<std::uint8_t> counts_;
  Buffer<std::uint16_t> noted_, left_;
  std::vector<MeetPair> pairs_;
  Buffer<HammingPair> given_;
  std::deque<Level> levels_;  // references stay valid while it grows
  std::size_t depth_ = 0;
  struct {
    const HalfTable* table;
    const HalfPart* part;
  } framed_{};  // whose rows frame_join_ has
  std::optional<FrameJoin> frame_join_;
};

}  // namespace leitong::hamming
