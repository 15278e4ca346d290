#include "java/java_hash_order.h"

namespace leitong::java {
namespace {

constexpr std::size_t first_capacity = 16;
constexpr std::size_t largest_capacity = std::size_t{1} << 30;
constexpr std::size_t long_bucket = 8;     // keys; one more and Java acts
constexpr std::size_t tree_capacity = 64;  // below, a long bucket makes the table grow instead

}  // namespace

void JavaHashOrder::clear() {
  heads_.assign(first_capacity, none);
  items_.clear();
  has_tree_ = false;
}

// Each bucket splits in two, both in the old order.
void JavaHashOrder::grow() {
  const std::size_t old = heads_.size();
  if (old == largest_capacity) return;
  heads_.resize(2 * old, none);
  for (std::size_t bucket = 0; bucket < old; ++bucket) {
    std::uint32_t i = heads_[bucket];
    std::uint32_t* ends[2] = {&heads_[bucket], &heads_[bucket + old]};
    while (i != none) {
      const std::uint32_t next = items_[i].next;
      std::uint32_t*& end = ends[(items_[i].hash & old) != 0 ? 1 : 0];
      *end = i;
      end = &items_[i].next;
      i = next;
    }
    *ends[0] = none;
    *ends[1] = none;
  }
}

std::uint32_t JavaHashOrder::add(std::uint32_t hash) {
  const auto number = static_cast<std::uint32_t>(items_.size());
  std::size_t length = 0;
  std::uint32_t last = none;
  std::uint32_t& head = heads_[hash & (heads_.size() - 1)];
  for (std::uint32_t i = head; i != none; i = items_[i].next, ++length) last = i;
  (last == none ? head : items_[last].next) = number;
  items_.push_back({hash, none});
  if (length >= long_bucket) {
    if (heads_.size() < tree_capacity) {
      grow();
    } else {
      has_tree_ = true;
    }
  }
  if (4 * items_.size() > 3 * heads_.size()) grow();
  return number;
}

}  // namespace leitong::java
