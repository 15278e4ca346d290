// What was added and erased last, before it is worth a run: fixed room, appended to by one thread while others read.
//
// A small log is compared row by row. A large one, of 64-bit rows within 3 bits, is chained: rows whose values share one of the four blocks
// of 16 bits stand in one of its chains, of which there are 4,096 a block, so that a look-up follows four of some rows / 4,096 steps.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "hamming/index_run.h"

namespace leitong::hamming {

class IndexLog {
 public:
  static constexpr std::uint32_t small_log_rows = 2048;  // rows, and as many erased ids in any log
  static constexpr std::uint32_t large = 16384;          // rows of a chained one
  static constexpr unsigned chained_most_k = 3;          // of a look-up that follows chains; others compare row by row

  // What a reader sees: the rows and erased ids that were there when it looked.
  struct View {
    std::uint32_t rows, erased;
  };

  enum class Form { small, chained };  // chained: of one word only
  explicit IndexLog(unsigned words, Form form = Form::small);

  [[nodiscard]] std::uint32_t room() const noexcept { return room_; }  // in rows

  [[nodiscard]] View view() const noexcept {
    const std::uint64_t both = published_.load(std::memory_order_acquire);
    return {static_cast<std::uint32_t>(both), static_cast<std::uint32_t>(both >> 32)};
  }

  // By the writer. Whether this log erased the id, and nothing was added under it since: to erase it again would change nothing, but make
  // the hash table's chain of this id longer for every reader.
  [[nodiscard]] bool is_erased(std::uint64_t id) const noexcept;
  // By the writer, if there is room.
  void add(std::uint64_t id, const std::uint64_t* value) noexcept;
  void erase(std::uint64_t id) noexcept;

  // Rows of the view within k bits that no later erase hides.
  void find(const View& view, std::span<const std::uint64_t> queries, unsigned k, std::vector<Found>& found) const;
  // Whether a row that was there before this log is hidden.
  [[nodiscard]] bool hides_older(const View& view, std::uint64_t id) const noexcept {
    return view.erased != 0 && hidden_below(view, id) != 0;
  }
  // Appends the rows that are not hidden, and the ids that were erased.
  void collect(const View& view, std::vector<std::uint64_t>& values, std::vector<std::uint64_t>& ids,
               std::vector<std::uint64_t>& erased) const;
  [[nodiscard]] std::uint64_t bytes() const noexcept;
  // Rows that a look-up compares.
  [[nodiscard]] double compared(const View& view, unsigned k) const noexcept;

 private:
  static constexpr std::uint32_t slot_count = 2 * small_log_rows;
  static constexpr unsigned blocks = 4, chain_bits = 12;
  static constexpr std::uint32_t most_steps = 1024;  // then comparing all is sooner done
  using Slots = std::array<std::uint16_t, blocks>;   // by block
  struct Chains {
    std::array<std::array<std::atomic<std::uint16_t>, 1U << chain_bits>, blocks> newest{};  // row + 1; 0: none
    std::array<Slots, large> older;                                                         // by row
  };
  [[nodiscard]] static Slots slots_of(std::uint64_t value) noexcept;
  // Few rows are sooner compared.
  [[nodiscard]] bool follows_chains(const View& view, unsigned k) const noexcept {
    return chains_ && k <= chained_most_k && view.rows > small_log_rows / 8;
  }
  template <typename Use>
  void each_compared(const View& view, const std::uint64_t* query, unsigned k, const Use& use) const;
  template <typename Use>
  [[nodiscard]] bool each_chained(const View& view, std::uint64_t query, unsigned k, const Use& use) const;
  // One more than the rows that were there when the id was erased last; 0: it was not.
  [[nodiscard]] std::uint32_t hidden_below(const View& view, std::uint64_t id) const noexcept;
  [[nodiscard]] static std::uint32_t slot_of(std::uint64_t id) noexcept {
    return static_cast<std::uint32_t>(id * 0x9e3779b97f4a7c15U >> 40) % slot_count;
  }

  unsigned words_;
  std::uint32_t room_;
  std::vector<std::uint64_t> values_, ids_;
  std::unique_ptr<Chains> chains_;
  std::vector<std::uint64_t> erased_;
  std::vector<std::uint32_t> rows_before_;               // by erased id
  std::unique_ptr<std::atomic<std::uint32_t>[]> slots_;  // a hash table of erased_: index + 1; 0: free
  std::atomic<std::uint64_t> published_ = 0;
};

}  // namespace leitong::hamming
