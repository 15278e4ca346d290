// Pairs of two blocks within k bits, in plain C++.
#include "hamming/meet_kernels.h"

namespace leitong::hamming {
namespace {

std::uint32_t word_of(std::uint64_t value, unsigned word) noexcept { return static_cast<std::uint32_t>(value >> (16 * word)) & 0xffff; }

int bits_of(std::uint64_t x) noexcept {
  int n = 0;
  for (; x != 0; x &= x - 1) ++n;
  return n;
}

std::uint32_t class_of(const MeetLayout& layout, std::uint64_t value) noexcept {
  const std::uint32_t key = word_of(value, layout.key_word) >> layout.key_shift & ((1U << layout.key_bits) - 1);
  const std::uint32_t filter = word_of(value, layout.filter_word);
  return (key << layout.sub_bits | filter >> (16 - layout.sub_bits)) << 1 | (static_cast<std::uint32_t>(bits_of(filter)) & 1);
}

// use(class, flip) for each class in which rows near to one of class `own` may stand; their filters equal its own with `flip` xored, or,
// where flip is any_bit, differ in one bit.
constexpr std::uint32_t any_bit = 0x10000;
template <typename Use>
void each_class(const MeetLayout& layout, std::uint32_t own, Use use) noexcept {
  if (layout.near) use(own ^ 1, any_bit);
  for (unsigned b = 0; layout.near && b < layout.sub_bits; ++b) use(own ^ 1 ^ (2U << b), 1U << (16 - layout.sub_bits + b));
  if (layout.equal) use(own, 0);
}

bool near(std::uint32_t a, std::uint32_t b, std::uint32_t flip) noexcept {
  const std::uint32_t x = a ^ b;
  return flip == any_bit ? (x & (x - 1)) == 0 : x == flip;
}

void meet(MeetScan* s) noexcept {
  s->notes = s->lefts = 0;
  for (std::uint32_t i = 0; i < s->n; ++i) {
    const std::uint32_t own = class_of(*s->layout, s->values[i]);
    const std::uint32_t filter = word_of(s->values[i], s->layout->filter_word);
    bool met = false;
    each_class(*s->layout, own, [&](std::uint32_t c, std::uint32_t flip) {
      for (std::uint32_t slot = 0; slot < s->counts[c]; ++slot) met |= near(filter, s->lines[c].filter[slot], flip);
    });
    if (s->counts[own] == line_rows) {
      s->left[s->lefts++] = static_cast<std::uint16_t>(i);
      continue;
    }
    if (met) s->noted[s->notes++] = static_cast<std::uint16_t>(i);
    const std::uint32_t slot = s->counts[own]++;
    s->lines[own].filter[slot] = static_cast<std::uint16_t>(filter);
    s->lines[own].row[slot] = static_cast<std::uint16_t>(i);
  }
}

std::uint32_t report(MeetReport* r) noexcept {
  const MeetScan& s = *r->scan;
  std::uint32_t found = 0;
  for (; r->next < r->last && found + most_met <= r->capacity; ++r->next) {
    const std::uint32_t i = r->rows[r->next];
    const std::uint32_t filter = word_of(s.values[i], s.layout->filter_word);
    each_class(*s.layout, class_of(*s.layout, s.values[i]), [&](std::uint32_t c, std::uint32_t flip) {
      for (std::uint32_t slot = 0; slot < s.counts[c]; ++slot) {
        const std::uint32_t j = s.lines[c].row[slot];
        if ((j >= i && !r->all) || !near(filter, s.lines[c].filter[slot], flip)) continue;
        const std::uint64_t x = s.values[i] ^ s.values[j];
        const int distance = bits_of(x);
        if (distance > r->k || (x >> r->key_at & 0xffff) != 0 || bits_of(x & 0xffffffffU) <= r->skip_low) continue;
        r->out[found++] = {j < i ? j : i, j < i ? i : j, static_cast<std::uint32_t>(distance)};
      }
    });
  }
  return found;
}

}  // namespace

const MeetKernels portable_meet_kernels = {"portable", meet, report};

}  // namespace leitong::hamming
