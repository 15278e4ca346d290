// Neighbourhoods of fingerprints: each fingerprint has several, and two fingerprints within k bits of each other have at least one in
// common. So a writer that has reserved all neighbourhoods of a fingerprint is the only one that can add anything near it.
//
// For k <= 6 a neighbourhood is a pair of the k + 2 blocks, because two fingerprints that differ in k bits agree in at least two blocks.
// Fewer unrelated fingerprints share a pair than share one of k + 1 blocks. From k = 7 on there would be too many pairs, so each of the k +
// 1 blocks is a neighbourhood.
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
