// Whether two token sequences share at least so many tokens in the same order (the length of their longest common subsequence).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace leitong::similarity {

// Reuses its buffers: make one a thread.
class CommonOrder {
 public:
  // LCS(a, b) >= needed. Exact. Bit-parallel (Hyyrö 2004): time |a| · |b| / 64 after common ends are taken off, memory distinct tokens ·
  // |a| / 8 bytes; sequences beyond 2^16 tokens go to lcs_length, whose time depends on the differences instead.
  [[nodiscard]] bool reaches(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, std::uint64_t needed);

 private:
  [[nodiscard]] std::uint64_t number_tokens(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);
  [[nodiscard]] std::uint64_t length(std::size_t columns);

  struct Slot {
    std::uint32_t token = 0, number = 0;  // number 0: free
  };
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> a_numbers_, b_numbers_;  // 0: a token of b that a does not have
  std::vector<std::uint32_t> unmatched_;              // of each number: copies in a that b has not met
  std::vector<std::uint64_t> masks_, row_;
};

}  // namespace leitong::similarity
