#include "remote/neighbourhoods.h"

#include <stdexcept>

namespace leitong::remote {
namespace {

constexpr unsigned most_k_of_pairs = 6, number_shift = 56;  // the bits below the number hold at most two blocks of 22 bits

}  // namespace

Neighbourhoods::Neighbourhoods(unsigned k) : pairs_(k <= most_k_of_pairs) {
  form_.blocks = pairs_ ? k + 2 : k + 1;
  if (form_.blocks < least_blocks || form_.blocks > most_blocks) throw std::invalid_argument("Neighbourhoods: k goes from 1 to 15");
}

std::size_t Neighbourhoods::per_fingerprint() const { return pairs_ ? std::size_t{form_.blocks} * (form_.blocks - 1) / 2 : form_.blocks; }

void Neighbourhoods::append(std::uint64_t fingerprint, std::vector<std::uint64_t>& out) const {
  std::uint64_t number = 0;
  for (unsigned a = 0; a < form_.blocks; ++a) {
    const std::uint64_t first = block_of(form_, fingerprint, a);
    if (!pairs_) out.push_back(number++ << number_shift | first);
    for (unsigned b = a + 1; pairs_ && b < form_.blocks; ++b)
      out.push_back(number++ << number_shift | first << block_width(form_, b) | block_of(form_, fingerprint, b));
  }
}

}  // namespace leitong::remote
