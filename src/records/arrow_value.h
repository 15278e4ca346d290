// Values of Arrow arrays (leitong/arrow.h) by their index, as text or JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "leitong/arrow.h"
#include "records/columns.h"

namespace leitong::records {

// How a type is laid out. Its format string says it: https://arrow.apache.org/docs/format/CDataInterface.html
enum class ArrowLayout : std::uint8_t {
  null,
  boolean,
  integer,
  unsigned_integer,
  real,
  bytes32,  // 32-bit offsets
  bytes64,
  bytes_view,
  list32,
  list64,
  fixed_list,
  structure,
  other,
};
struct ArrowType {
  ArrowLayout layout = ArrowLayout::other;
  std::uint8_t width = 0;      // bytes of a number
  std::int64_t elements = 0;   // of a fixed list
  std::string_view name = "";  // for messages
};
[[nodiscard]] ArrowType arrow_type(const ArrowSchema& schema);  // of a dictionary: that of its indices

[[nodiscard]] inline bool is_bytes(ArrowLayout layout) {
  return layout == ArrowLayout::bytes32 || layout == ArrowLayout::bytes64 || layout == ArrowLayout::bytes_view;
}
[[nodiscard]] inline bool is_list(ArrowLayout layout) {
  return layout == ArrowLayout::list32 || layout == ArrowLayout::list64 || layout == ArrowLayout::fixed_list;
}

// Throws Error(format) unless the array, its children and its dictionary have the buffers that the type needs. What buffers hold is the
// producer's word.
void check_arrow_array(const ArrowSchema& schema, const ArrowArray& array, const std::string& column);

// A place in an array: `index` counts from the array's offset.
[[nodiscard]] bool arrow_is_null(const ArrowSchema& schema, const ArrowArray& array, std::int64_t index);
// Of a string or binary that is not null.
[[nodiscard]] std::string_view arrow_bytes(const ArrowType& type, const ArrowArray& array, std::int64_t index);
// Of an index into the dictionary, or any other integer.
[[nodiscard]] std::int64_t arrow_integer(const ArrowType& type, const ArrowArray& array, std::int64_t index);
// Of a list: the indices of its elements in the child.
[[nodiscard]] std::pair<std::int64_t, std::int64_t> arrow_elements(const ArrowType& type, const ArrowArray& array, std::int64_t index);
// Appends any value as JSON. Throws Error(unsupported) for a type that JSON has nothing for.
void append_arrow_json(const ArrowSchema& schema, const ArrowArray& array, std::int64_t index, std::string& out);

}  // namespace leitong::records
