// The order in which java.util.HashMap gives back its keys: by bucket of the spread hash, in each by insertion, through all growth.
//
// It holds no keys, only their hashes; items are numbered in order of insertion. A bucket that Java would turn into a tree (nine keys,
// from 64 buckets on) stays a list here, and has_tree() says so: its order may then differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace leitong::java {

class JavaHashOrder {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  [[nodiscard]] static std::uint32_t spread(std::uint32_t java_hash) { return java_hash ^ java_hash >> 16; }

  JavaHashOrder() { clear(); }
  void clear();

  // The first item of this spread hash that `equal(item)` holds for, or none.
  template <typename Equal>
  [[nodiscard]] std::uint32_t find(std::uint32_t hash, Equal equal) const {
    for (std::uint32_t i = heads_[hash & (heads_.size() - 1)]; i != none; i = items_[i].next) {
      if (items_[i].hash == hash && equal(i)) return i;
    }
    return none;
  }
  // The caller knows that the key is new. Returns its number.
  std::uint32_t add(std::uint32_t hash);

  // visit(item) in Java's order.
  template <typename Visit>
  void each(Visit visit) const {
    for (const std::uint32_t head : heads_) {
      for (std::uint32_t i = head; i != none; i = items_[i].next) visit(i);
    }
  }
  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] std::uint32_t hash(std::uint32_t item) const { return items_[item].hash; }
  [[nodiscard]] bool has_tree() const { return has_tree_; }

 private:
  struct Item {
    std::uint32_t hash, next;
  };
  void grow();

  std::vector<std::uint32_t> heads_;  // a power of two
  std::vector<Item> items_;
  bool has_tree_ = false;
};

}  // namespace leitong::java
