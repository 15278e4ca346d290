// Memory for strings that live until all of them are done with.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace leitong::records {

// Where unescaped texts live until the chunk's records are done with.
class Arena {
 public:
  char* reserve(std::vector<std::unique_ptr<char[]>>& storage, std::size_t size);  // valid until the next clear
  void use(std::size_t size) { used_ += size; }                                    // the first bytes of what was reserved last
  void clear(std::vector<std::unique_ptr<char[]>>& storage);

 private:
  std::size_t capacity_ = 0, used_ = 0;  // of the last block
};

}  // namespace leitong::records
