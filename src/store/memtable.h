// The newest rows, in memory. One thread adds rows. Any number of threads read at the same time, each up to the number of rows that it saw.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "leitong/hamming_index.h"
#include "store/growing_array.h"
#include "store/id_table.h"
#include "store/postings.h"
#include "store/row.h"

namespace leitong::store {

class Memtable {
 public:
  static constexpr std::uint32_t most_rows = 1U << 26U;

  enum class Finding { by_all, by_id };  // by_id: find() and find_key() find nothing, which saves time and memory
  // Row i has the sequence number first_sequence + i.
  Memtable(const Shape& shape, const KeysOf& keys_of, std::uint64_t first_sequence, Finding finding = Finding::by_all);

  [[nodiscard]] std::uint64_t first_sequence() const { return first_sequence_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  // Whether further rows with many keys might not fit any more.
  [[nodiscard]] bool is_full() const { return std::max(postings_.size(), blocks_.size()) > most_postings / 2; }
  // The number of rows that readers may use. Searches may find rows that are not counted yet, so readers must ignore numbers beyond it.
  [[nodiscard]] std::uint32_t rows() const { return rows_.load(std::memory_order_acquire); }

  // For the writer only. add() copies the row and makes it findable; publish() counts everything added so far.
  void add(const Row& row);
  void publish() { rows_.store(entries_.size(), std::memory_order_release); }
  [[nodiscard]] std::uint32_t added() const { return entries_.size(); }
  // Until the next publish(), fingerprints are collected and then indexed all at once. For many rows that no reader waits for.
  void begin_bulk() { bulk_ = true; }
  void end_bulk(unsigned threads);

  // Views are valid as long as the table exists. `key`: the row's key, if the caller knows it.
  [[nodiscard]] Row row(std::uint32_t number) const;
  [[nodiscard]] Row row(std::uint32_t number, std::uint64_t key) const;
  // Prefetch the entry of a row, its bytes (once the entry has arrived), and the slot of an id.
  void prefetch_entry(std::uint32_t number) const { __builtin_prefetch(&entries_[number]); }
  void prefetch_row(std::uint32_t number) const { __builtin_prefetch(entries_[number].bytes); }
  void prefetch_id(std::uint64_t key) const { ids_.prefetch(key); }  // writer only
  // The newest row of an id among the first `visible` rows, or IdTable::none.
  [[nodiscard]] std::uint32_t find_id(std::uint64_t key, std::string_view id, std::uint32_t visible) const;
  // Finds rows within k bits: those with numbers below `visible` that are the newest of their id among these.
  void find(std::span<const std::uint64_t> queries, unsigned k, std::uint32_t visible, HammingMatches& out) const;
  // The postings of many groups of keys: rows with the class of the key that each has, the newest row first. A group that no row has is
  // `none`. Rows may be hidden by newer ones of their id.
  static constexpr std::uint32_t none = IdTable::none;
  struct Posted {
    std::uint32_t row, key_class;
  };
  void find_groups(std::span<const std::uint32_t> groups, std::vector<std::uint32_t>& chains) const;
  [[nodiscard]] std::uint32_t length_of(std::uint32_t chain) const;
  // Calls visit(posted) for each row of a chain until it returns false; some may be too new to be visible.
  template <typename Visit>
  void follow(std::uint32_t chain, const Visit& visit) const {
    while (chain != none) {
      if ((chain & in_block) == 0) {
        const Posting& posting = postings_[chain];
        if (!visit(unpacked(posting.row))) return;
        chain = posting.previous;
        continue;
      }
      const Block& block = blocks_[chain & ~in_block];
      chain = block.previous;
      if (chain != none && (chain & in_block) != 0) __builtin_prefetch(&blocks_[chain & ~in_block]);
      for (std::uint32_t i = block.used.load(std::memory_order_acquire); i > 0; --i)
        if (!visit(unpacked(block.rows[i - 1]))) return;
    }
  }
  [[nodiscard]] bool is_newest(std::uint32_t row, std::uint32_t visible) const {
    return entries_[row].replaced_by.load(std::memory_order_acquire) >= visible;
  }

 private:
  struct Entry {
    const std::byte* bytes;                  // words, then flags and lengths, then the byte strings
    std::uint32_t previous;                  // an older row of the same id, or IdTable::none
    std::atomic<std::uint32_t> replaced_by;  // the next newer row of the same id, or IdTable::none
  };
  [[nodiscard]] Row read(std::uint32_t row) const;  // everything except its key
  std::byte* room(std::size_t size);
  void add_keys(const Row& row, std::uint32_t number);
  // A row below most_rows, and the class of its key above it.
  static constexpr unsigned class_shift = 32 - class_bits;
  static Posted unpacked(std::uint32_t row) { return {row & ((1U << class_shift) - 1), row >> class_shift}; }
  // Postings of a group of keys form a chain, the newest first: single ones, and where they are many, blocks, of which the writer fills the
  // newest. A link is the number of a posting or, with in_block, of a block; whoever finds one knows how many it is the newest of.
  struct Posting {
    std::uint32_t row, previous, count;
  };
  struct Block {
    std::uint32_t previous, before;  // postings before it
    std::atomic<std::uint32_t> used;
    std::array<std::uint32_t, 13> rows;
  };
  static constexpr std::uint32_t in_block = 0x80000000U, most_postings = 0x70000000U, most_single = 4;
  static constexpr auto any_row = [](std::uint32_t) { return true; };
  [[nodiscard]] std::uint32_t count_from(std::uint32_t link) const;
  [[nodiscard]] bool fits_in_block(std::uint32_t newest, std::uint32_t row);
  void link_posting(std::uint64_t key, std::uint32_t row);
  [[nodiscard]] std::uint32_t append_posting(std::uint32_t row, std::uint32_t older);

  Shape shape_;
  KeysOf keys_of_;
  std::uint64_t first_sequence_;
  GrowingArray<Entry> entries_;
  std::vector<std::unique_ptr<std::byte[]>> arenas_;
  std::size_t left_ = 0, next_arena_ = 4096;
  std::byte* next_ = nullptr;
  IdTable ids_, keys_;  // keys_: of a group of keys, the link to its newest posting
  GrowingArray<Posting> postings_;
  GrowingArray<Block> blocks_;
  std::vector<std::uint32_t> row_keys_;  // of the row that is being added
  HammingIndex index_;
  std::atomic<std::uint32_t> rows_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;
  bool only_ids_, bulk_ = false;
  std::vector<std::uint64_t> bulk_values_, bulk_ids_;
};

}  // namespace leitong::store
