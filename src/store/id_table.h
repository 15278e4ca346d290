// Maps an id to its newest row in a memory table. One writer; readers never wait. It is a hash table of row numbers and the top 32 bits of
// keys, sorted by these bits, so that it grows in one sequential pass.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>

#include "hamming/published.h"

namespace leitong::store {

class IdTable {
  static constexpr unsigned first_bits = 10;
  struct Slots {
    explicit Slots(unsigned b) : bits(b), at(new std::atomic<std::uint64_t>[std::size_t{1} << b]()) {}
    [[nodiscard]] std::uint32_t size() const { return 1U << bits; }
    [[nodiscard]] std::uint32_t first(std::uint64_t tag) const { return static_cast<std::uint32_t>(tag >> (32U - bits)); }
    [[nodiscard]] std::uint32_t next(std::uint32_t slot) const { return (slot + 1) & (size() - 1); }
    unsigned bits;
    std::unique_ptr<std::atomic<std::uint64_t>[]> at;  // tag, and row + 1; 0: an empty slot
  };

 public:
  static constexpr std::uint32_t none = 0xffffffffU;

  IdTable() { slots_.set(writing_); }

  // The row stored for an id with this key, or none. same(row) must tell whether that row has the id in question.
  template <typename Same>
  [[nodiscard]] std::uint32_t find(std::uint64_t key, const Same& same) const {
    return find_in(*slots_.get(), key, same);
  }
  // Many searches of one reader: prefetch first, then find.
  class Reader {
   public:
    explicit Reader(const IdTable& table) : slots_(table.slots_.get()) {}
    void prefetch(std::uint64_t key) const { __builtin_prefetch(&slots_->at[slots_->first(tag_of(key))]); }
    template <typename Same>
    [[nodiscard]] std::uint32_t find(std::uint64_t key, const Same& same) const {
      return find_in(*slots_, key, same);
    }

   private:
    std::shared_ptr<const Slots> slots_;
  };
  // The same for the writer, who needs no hold.
  template <typename Same>
  [[nodiscard]] std::uint32_t find_own(std::uint64_t key, const Same& same) const {
    return find_in(*writing_, key, same);
  }

  // Stores `row` for its id. link(older) is called with the row stored before, or none, while readers still find that one. Writer only.
  template <typename Same, typename Link>
  void put(std::uint64_t key, std::uint32_t row, const Same& same, const Link& link) {
    if (used_ >= writing_->size() / 2) grow();
    const std::uint64_t tag = tag_of(key);
    for (std::uint32_t at = writing_->first(tag);; at = writing_->next(at)) {
      std::atomic<std::uint64_t>& slot = writing_->at[at];
      const std::uint64_t old = slot.load(std::memory_order_relaxed);
      if (old != 0 && (old >> 32U != tag || !same(row_of(old)))) continue;
      link(old == 0 ? none : row_of(old));
      slot.store(tag << 32U | (row + 1), std::memory_order_release);
      used_ += old == 0 ? 1 : 0;
      return;
    }
  }

  void prefetch(std::uint64_t key) const { __builtin_prefetch(&writing_->at[writing_->first(tag_of(key))]); }  // writer only

  [[nodiscard]] std::uint64_t bytes() const { return std::uint64_t{slots_.get()->size()} * sizeof(std::uint64_t); }

 private:
  template <typename Same>
  [[nodiscard]] static std::uint32_t find_in(const Slots& slots, std::uint64_t key, const Same& same) {
    for (std::uint32_t at = slots.first(tag_of(key));; at = slots.next(at)) {
      const std::uint64_t slot = slots.at[at].load(std::memory_order_acquire);
      if (slot == 0) return none;
      if (slot >> 32U == tag_of(key) && same(row_of(slot))) return row_of(slot);
    }
  }
  static std::uint64_t tag_of(std::uint64_t key) { return key >> 32U; }
  static std::uint32_t row_of(std::uint64_t slot) { return static_cast<std::uint32_t>(slot) - 1; }

  void grow() {
    auto larger = std::make_shared<Slots>(writing_->bits + 1);
    for (std::uint32_t i = 0; i < writing_->size(); ++i) {
      const std::uint64_t slot = writing_->at[i].load(std::memory_order_relaxed);
      if (slot == 0) continue;
      std::uint32_t at = larger->first(slot >> 32U);
      while (larger->at[at].load(std::memory_order_relaxed) != 0) at = larger->next(at);
      larger->at[at].store(slot, std::memory_order_relaxed);
    }
    writing_ = larger;
    slots_.set(std::move(larger));
  }

  std::shared_ptr<Slots> writing_ = std::make_shared<Slots>(first_bits);  // the writer's own reference
  hamming::Published<Slots> slots_;
  std::uint32_t used_ = 0;
};

}  // namespace leitong::store
