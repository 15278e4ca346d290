// Which parts of a mapped file were compared with their checksums since it was opened. A part that is asked for and is not among them is
// compared then, so that nothing is believed unseen and nothing is compared twice.
//
// Any number of threads may look and mark at once, without waiting: what is marked twice was compared twice, and the file does not change.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace leitong::storage {

class VerifiedParts {
 public:
  // For many questions one after the other.
  class Seen {
   public:
    explicit Seen(const std::atomic<std::uint64_t>* words) : words_(words) {}
    [[nodiscard]] bool has(std::size_t part) const noexcept {
      return (words_[part / bit_count].load(std::memory_order_relaxed) >> part % bit_count & 1) != 0;
    }

   private:
    const std::atomic<std::uint64_t>* words_;
  };

  VerifiedParts() = default;
  explicit VerifiedParts(std::size_t parts) : words_(std::make_unique<std::atomic<std::uint64_t>[]>(parts / bit_count + 1)) {}

  [[nodiscard]] Seen seen() const noexcept { return Seen(words_.get()); }
  [[nodiscard]] bool has(std::size_t part) const noexcept { return seen().has(part); }
  void add(std::size_t part) const noexcept {
    words_[part / bit_count].fetch_or(std::uint64_t{1} << part % bit_count, std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t bit_count = 64;
  std::unique_ptr<std::atomic<std::uint64_t>[]> words_;
};

}  // namespace leitong::storage
