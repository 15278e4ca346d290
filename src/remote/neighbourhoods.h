// Neighbourhoods of fingerprints: each has some, and two fingerprints within k bits of each other have one in common at least. Who alone
// may use those of a fingerprint has everything near it to himself.
//
// Of k + 2 blocks two at least are equal where k bits differ, so that two blocks together make a neighbourhood: fewer strangers share it
// than share one block of k + 1. From k = 7 on there would be too many pairs, and one block is one.
//
// Threads: any. Complexity: append() is linear in per_fingerprint().
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "remote/block_form.h"

namespace leitong::remote {

class Neighbourhoods {
 public:
  explicit Neighbourhoods(unsigned k);  // 1 to 15
  [[nodiscard]] std::size_t per_fingerprint() const;
  void append(std::uint64_t fingerprint, std::vector<std::uint64_t>& out) const;

 private:
  BlockForm form_;
  bool pairs_;
};

}  // namespace leitong::remote
