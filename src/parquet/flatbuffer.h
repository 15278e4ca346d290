// FlatBuffers, as far as Arrow's metadata need them: tables, vectors, strings. Read only, every offset checked against the bytes.
//
// All errors are Error(format) without a file name. Nothing is copied: the bytes must outlive what is read from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace leitong::parquet {

// Bytes of one buffer that can be asked for a number at a place.
class FlatBytes {
 public:
  explicit FlatBytes(std::string_view bytes) : bytes_(bytes) {}
  template <typename T>
  [[nodiscard]] T at(std::uint64_t place) const {
    T value{};
    const std::string_view bytes = slice(place, sizeof(T));
    std::memcpy(&value, bytes.data(), bytes.size());
    return value;
  }
  [[nodiscard]] std::string_view slice(std::uint64_t place, std::uint64_t size) const;

 private:
  std::string_view bytes_;
};

class FlatVector;

class FlatTable {
 public:
  FlatTable(FlatBytes bytes, std::uint64_t place);
  [[nodiscard]] static FlatTable root(std::string_view bytes);

  // Field number `field` of the table's definition; `otherwise` if it is not there.
  template <typename T>
  [[nodiscard]] T number(unsigned field, T otherwise) const {
    const std::uint64_t place = place_of(field);
    return place == 0 ? otherwise : bytes_.at<T>(place);
  }
  [[nodiscard]] std::optional<FlatTable> table(unsigned field) const;
  [[nodiscard]] std::string_view string(unsigned field) const;  // empty if it is not there
  // Elements of `element_size` bytes: 4 for tables.
  [[nodiscard]] FlatVector vector(unsigned field, std::size_t element_size) const;

 private:
  [[nodiscard]] std::uint64_t place_of(unsigned field) const;  // 0: not there
  [[nodiscard]] std::uint64_t target_of(std::uint64_t place) const { return place + bytes_.at<std::uint32_t>(place); }

  FlatBytes bytes_;
  std::uint64_t place_;
  std::uint64_t definition_ = 0;  // the table's vtable
  std::uint16_t definition_size_ = 0;
};

class FlatVector {
 public:
  FlatVector(FlatBytes bytes, std::uint64_t place, std::uint32_t size) : bytes_(bytes), place_(place), size_(size) {}
  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] FlatTable table(std::uint32_t i) const {
    const std::uint64_t place = place_ + std::uint64_t{4} * i;
    return {bytes_, place + bytes_.at<std::uint32_t>(place)};
  }
  // A number inside the i-th element, a structure of `size` bytes.
  template <typename T>
  [[nodiscard]] T number(std::uint32_t i, std::size_t size, std::size_t offset = 0) const {
    return bytes_.at<T>(place_ + std::uint64_t{size} * i + offset);
  }

 private:
  FlatBytes bytes_;
  std::uint64_t place_;
  std::uint32_t size_;
};

}  // namespace leitong::parquet
