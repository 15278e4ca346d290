// Bytes that are appended behind and taken off in front. Memory is not cleared, and grows by doubling.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

namespace leitong::warc {

class ByteBuffer {
 public:
  [[nodiscard]] std::string_view view() const { return {bytes_.get() + begin_, end_ - begin_}; }
  [[nodiscard]] std::size_t size() const { return end_ - begin_; }
  // At least so many bytes behind the last, to be written and then added.
  char* room(std::size_t size) {
    if (begin_ == end_) begin_ = end_ = 0;
    if (capacity_ - end_ < size) make_room(size);
    return bytes_.get() + end_;
  }
  // What room() gives without another copy.
  [[nodiscard]] std::size_t free() const { return begin_ == end_ ? capacity_ : capacity_ - end_; }
  void add(std::size_t size) { end_ += size; }
  void drop(std::size_t size) { begin_ += size; }

 private:
  void make_room(std::size_t size) {
    const std::size_t held = end_ - begin_;
    if (capacity_ < 2 * (held + size)) {
      const std::size_t more = std::max(2 * capacity_, 2 * (held + size));
      std::unique_ptr<char[]> larger(new char[more]);
      if (held > 0) std::memcpy(larger.get(), bytes_.get() + begin_, held);
      bytes_ = std::move(larger);
      capacity_ = more;
    } else if (held > 0) {
      std::memmove(bytes_.get(), bytes_.get() + begin_, held);
    }
    begin_ = 0;
    end_ = held;
  }

  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0, begin_ = 0, end_ = 0;
};

}  // namespace leitong::warc
