// Whether two texts of one family differ as two pages of a site do, each with an article of its own under the shared menu, and not as two
// versions of a text do, whose differences are many and short.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace leitong::similarity {

// One token sequence is set, then others are asked about it. Reuses its buffers: make one a thread.
class OwnPassages {
 public:
  // `sequence` must live until the last question about it.
  void set(std::span<const std::uint32_t> sequence);
  // A token is shared if it is one of three that stand side by side in the other text too. True if two thirds of what each of the two does
  // not share are one passage of at least `least` tokens, and both passages stand in the same place: behind the same shared words, or
  // before them. Time and memory are linear.
  [[nodiscard]] bool in_one_place(std::span<const std::uint32_t> other, std::size_t least);

 private:
  // Each three tokens of a sequence that stand side by side.
  class Trigrams {
   public:
    void set(std::span<const std::uint32_t> sequence);
    [[nodiscard]] bool contain(std::uint64_t trigram) const;

   private:
    [[nodiscard]] std::size_t place_of(std::uint64_t trigram) const;
    std::vector<std::uint64_t> slots_;  // 0: free
    unsigned shift_ = 63;
  };
  struct Passage {
    std::size_t begin = 0, end = 0;
  };
  [[nodiscard]] static std::optional<Passage> passage_of(std::span<const std::uint32_t> own, const Trigrams& of_other, std::size_t least);

  std::span<const std::uint32_t> sequence_;
  bool known_ = false;  // trigrams_ are those of sequence_
  Trigrams trigrams_, of_other_;
};

}  // namespace leitong::similarity
