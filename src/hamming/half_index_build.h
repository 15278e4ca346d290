// Sorts rows into the tables of a HalfIndex.
#pragma once

#include <atomic>

#include "hamming/half_index.h"

namespace leitong::hamming {

class HalfIndex::Builder {
 public:
  Builder(HalfIndex& index, std::span<const std::uint64_t> values, std::span<const std::uint64_t> ids, std::uint64_t first_id,
          unsigned first_bits)
      : index_(index), values_(values), ids_(ids), first_id_(first_id), first_bits_(first_bits) {}
  void run(unsigned threads);

 private:
  struct Low {  // rows on their way into place_low, place_high, and the swapped tables: key << 16 | filter, and what else is kept
    std::uint32_t half, high, number;
  };
  struct High {
    std::uint32_t half, low;
  };
  struct Swapped {
    std::uint32_t half;
  };
  struct Room {  // of one thread
    Buffer<std::uint32_t> rows;
    std::vector<std::uint16_t> digits;
    std::vector<std::uint32_t> places;
  };
  struct Part {
    std::uint32_t first, count;  // rows
    std::uint32_t first_group, groups;
  };

  void choose_order();
  void choose_ids();
  void lay_out();
  void build_table(unsigned table, Room& room);
  template <typename Row, typename Make, typename Write>
  void sort_table(unsigned table, Room& room, const Make& make, const Write& write);
  void order_full_groups(unsigned table);
  template <typename Row, typename Write>
  void sort_part(unsigned table, Room& room, const Row* rows, const Part& part, const Write& write);
  template <typename Row, typename Write>
  void sort_sparse_part(unsigned table, const std::uint16_t* digits, const Row* rows, const Part& part, const Write& write);
  void set_start(unsigned table, std::uint32_t group, std::uint32_t start);

  HalfIndex& index_;
  std::span<const std::uint64_t> values_, ids_;
  std::uint64_t first_id_;
  unsigned first_bits_;
  Buffer<std::uint64_t> ordered_;
  std::array<std::uint16_t*, tables> filters_{};
  std::uint32_t* payload_ = nullptr;
  std::uint32_t* low_halves_ = nullptr;
  std::array<std::uint32_t*, tables> bases_{};
  std::array<std::uint16_t*, tables> offsets_{};
  std::array<std::vector<std::uint32_t>, tables> full_groups_;  // of more than sorted_group rows
  std::atomic<bool> directory_overflows_ = false;
};

}  // namespace leitong::hamming
