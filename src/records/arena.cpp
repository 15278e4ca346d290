#include "records/arena.h"

#include <algorithm>

namespace leitong::records {
namespace {

constexpr std::size_t block_size = (std::size_t{5} << 20) / 4;  // holds what a usual chunk unescapes to

}  // namespace

char* Arena::reserve(std::vector<std::unique_ptr<char[]>>& storage, std::size_t size) {
  if (storage.empty() || capacity_ - used_ < size) {
    capacity_ = std::max(block_size, size);
    used_ = 0;
    storage.push_back(std::make_unique_for_overwrite<char[]>(capacity_));
  }
  return storage.back().get() + used_;
}

void Arena::clear(std::vector<std::unique_ptr<char[]>>& storage) {
  used_ = 0;
  if (storage.size() > 1 || capacity_ > block_size) {  // an exceptional chunk: its memory is given back
    storage.clear();
    capacity_ = 0;
  }
}

}  // namespace leitong::records
