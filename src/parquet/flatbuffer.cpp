#include "parquet/flatbuffer.h"

#include "leitong/error.h"

namespace leitong::parquet {

std::string_view FlatBytes::slice(std::uint64_t place, std::uint64_t size) const {
  if (place > bytes_.size() || size > bytes_.size() - place)
    throw Error(ErrorCode::format, "broken metadata (FlatBuffers): an offset leads out of it");
  return bytes_.substr(place, size);
}

FlatTable::FlatTable(FlatBytes bytes, std::uint64_t place) : bytes_(bytes), place_(place) {
  // A definition may stand before its table or behind it; an impossible place is caught where it is read.
  definition_ = place - static_cast<std::uint64_t>(static_cast<std::int64_t>(bytes_.at<std::int32_t>(place)));
  definition_size_ = bytes_.at<std::uint16_t>(definition_);
}

FlatTable FlatTable::root(std::string_view bytes) {
  const FlatBytes flat(bytes);
  return {flat, flat.at<std::uint32_t>(0)};
}

std::uint64_t FlatTable::place_of(unsigned field) const {
  const std::uint64_t slot = 4 + std::uint64_t{2} * field;
  if (slot + 2 > definition_size_) return 0;
  const auto offset = bytes_.at<std::uint16_t>(definition_ + slot);
  return offset == 0 ? 0 : place_ + offset;
}

std::optional<FlatTable> FlatTable::table(unsigned field) const {
  const std::uint64_t place = place_of(field);
  if (place == 0) return std::nullopt;
  return FlatTable(bytes_, target_of(place));
}

std::string_view FlatTable::string(unsigned field) const {
  const std::uint64_t place = place_of(field);
  if (place == 0) return {};
  const std::uint64_t target = target_of(place);
  return bytes_.slice(target + 4, bytes_.at<std::uint32_t>(target));
}

FlatVector FlatTable::vector(unsigned field, std::size_t element_size) const {
  const std::uint64_t place = place_of(field);
  if (place == 0) return {bytes_, 0, 0};
  const std::uint64_t target = target_of(place);
  const auto size = bytes_.at<std::uint32_t>(target);
  static_cast<void>(bytes_.slice(target + 4, std::uint64_t{size} * element_size));
  return {bytes_, target + 4, size};
}

}  // namespace leitong::parquet
