// Pairs to groups: greedy stars in keep order.
//
// Records are visited best first (by the keep policy). One that is not yet in a group becomes the kept record of a new group and takes
// every record that is joined to it by an edge and is still free. So every removed record has an edge to the one that is kept in its place:
// nothing is removed for resembling something that was itself removed, which is how transitive closure merges whole families.
//
// The edges come in that very order and are seen once, so that what is held is one bit a record, whatever the number of edges.
#pragma once

#include <cstdint>
#include <vector>

namespace leitong::cluster {

class Stars {
 public:
  explicit Stars(std::uint64_t records) : taken_(records, false) {}

  // The next edge, ascending by (better, worse): ranks in keep order, better < worse < records. True: `worse` is removed, and `better`,
  // which stays, is kept in its place. Everything never told to be removed stays. O(1).
  [[nodiscard]] bool takes(std::uint32_t better, std::uint32_t worse) {
    if (taken_[better] || taken_[worse]) return false;
    taken_[worse] = true;
    return true;
  }

 private:
  std::vector<bool> taken_;
};

}  // namespace leitong::cluster
