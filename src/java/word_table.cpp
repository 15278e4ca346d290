#include "java/word_table.h"

#include <bit>
#include <utility>

namespace leitong::java {

void WordTable::grow() {
  std::vector<Slot> old = std::move(slots_);
  slots_.assign(old.empty() ? 16 : 2 * old.size(), Slot{});
  shift_ = 64 - static_cast<unsigned>(std::countr_zero(slots_.size()));
  for (const Slot& slot : old) {
    if (slot.number == none) continue;
    std::size_t at = place(slot.hash);
    while (slots_[at].number != none) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
}

std::uint32_t WordTable::add(std::u16string_view word) {
  const std::uint32_t hash = java_hash_code(word);
  if (const auto number = find(word, hash)) return *number;
  if (2 * (size() + 1) > slots_.size()) grow();
  const auto number = static_cast<std::uint32_t>(size());
  std::size_t at = place(hash);
  while (slots_[at].number != none) at = (at + 1) & (slots_.size() - 1);
  slots_[at] = {hash, number};
  units_.append(word);
  begins_.push_back(units_.size());
  return number;
}

}  // namespace leitong::java
