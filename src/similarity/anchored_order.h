// A common subsequence of two sequences that are too long for the longest one, in time and memory that are bounded.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace leitong::similarity {

// Runs of 32, then 8, then 3 tokens that stand once on either side are anchors; the longest chain of them that ascends on both sides is
// kept (patience diff; Hunt, Szymanski 1977), and the gaps between them are cut in the same way. A gap that is small enough has its exact
// longest common subsequence; one that stays long is cut into so many equal parts on both sides, and each part has its own.
//
// What is counted is a common subsequence, so the length is never too great. It is the longest one's but for a few per cent
// (docs/accuracy.md). Time: three passes over the tokens and at most some 70 words of 64 table cells a token; memory: some megabytes,
// however long the sequences are. A function of the two sequences alone. Make one a thread.
class AnchoredOrder {
 public:
  // `stop`, if there is one, is called many times a second and may throw.
  explicit AnchoredOrder(std::function<void()> stop = {}) : stop_(std::move(stop)) {}
  [[nodiscard]] std::uint64_t length(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

 private:
  using Tokens = std::span<const std::uint32_t>;
  struct Gap {
    Tokens a, b;
  };
  struct Run {  // that begins at `at`
    std::uint64_t hash = 0;
    std::uint32_t at = 0;
  };
  struct Anchor {
    std::uint32_t a = 0, b = 0;
  };

  void cut(const Gap& gap, std::size_t tokens, std::vector<Gap>& rest);
  void find_anchors(const Gap& gap, std::size_t tokens);
  void keep_longest_chain();
  void add_gap(Gap gap, std::vector<Gap>& rest);
  void add_in_parts(const Gap& gap);
  void add_exact(const Gap& gap);
  void check_stop() const {
    if (stop_) stop_();
  }

  std::function<void()> stop_;
  std::uint64_t length_ = 0;
  std::vector<Run> runs_a_, runs_b_, sorted_;
  std::vector<Anchor> anchors_;
  std::vector<std::uint32_t> ends_, before_;  // of chains: ends by length, and each anchor's predecessor
  std::vector<std::uint64_t> wide_a_, wide_b_;
};

}  // namespace leitong::similarity
