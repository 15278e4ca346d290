// How often each bit was set in a stream of words, in bit-sliced counters: plane p holds bit p of every count.
// Adding costs about five operations a word whatever its width; comparing all counts with a number costs two a plane.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace leitong::java {

// Word: an unsigned type. Counts up to 2^40 - 1.
template <typename Word>
class BitCounts {
 public:
  static constexpr std::size_t plane_count = 40;

  void add(Word word) {
    waiting_[filled_] = word;
    if (++filled_ == waiting_.size()) {
      filled_ = 0;
      add_eight();
    }
    ++total_;
  }

  [[nodiscard]] std::uint64_t total() const { return total_; }

  // Adds 2^shift times these counts to `sum`.
  void add_to(BitCounts& sum, std::size_t shift) const {
    for (std::size_t i = 0; i < filled_; ++i) sum.ripple(waiting_[i], shift);
    Word carry = 0;
    for (std::size_t p = 0; p + shift < plane_count; ++p) {
      Word& plane = sum.planes_[p + shift];
      const Word own = planes_[p], mixed = plane ^ own;
      const Word next = (plane & own) | (mixed & carry);
      plane = mixed ^ carry;
      carry = next;
    }
    sum.total_ += total_ << shift;
  }

  // Bit i is set where bit i was set at least `least` times.
  [[nodiscard]] Word at_least(std::uint64_t least) const {
    BitCounts all;
    add_to(all, 0);
    // From the top plane down: where equal so far, a set bit over a clear one decides.
    Word greater = 0, equal = static_cast<Word>(~Word{0});
    for (std::size_t p = plane_count; p-- > 0;) {
      const Word plane = all.planes_[p];
      if ((least >> p & 1) != 0) {
        equal &= plane;
      } else {
        greater |= equal & plane;
        equal &= static_cast<Word>(~plane);
      }
    }
    return least >> plane_count != 0 ? Word{0} : static_cast<Word>(greater | equal);
  }

 private:
  static void add_three(Word a, Word b, Word c, Word& sum, Word& carry) {
    const Word mixed = a ^ b;
    sum = mixed ^ c;
    carry = (a & b) | (mixed & c);
  }

  void add_eight() {
    const auto& w = waiting_;
    Word ones = planes_[0], twos = planes_[1], fours = planes_[2];
    Word two_a, two_b, two_c, two_d, four_a, four_b, eight;
    add_three(ones, w[0], w[1], ones, two_a);
    add_three(ones, w[2], w[3], ones, two_b);
    add_three(twos, two_a, two_b, twos, four_a);
    add_three(ones, w[4], w[5], ones, two_c);
    add_three(ones, w[6], w[7], ones, two_d);
    add_three(twos, two_c, two_d, twos, four_b);
    add_three(fours, four_a, four_b, fours, eight);
    planes_[0] = ones;
    planes_[1] = twos;
    planes_[2] = fours;
    ripple(eight, 3);
  }

  void ripple(Word carry, std::size_t p) {
    for (; carry != 0 && p < plane_count; ++p) {
      const Word next = planes_[p] & carry;
      planes_[p] ^= carry;
      carry = next;
    }
  }

  std::array<Word, plane_count> planes_{};
  std::array<Word, 8> waiting_{};
  std::size_t filled_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace leitong::java
