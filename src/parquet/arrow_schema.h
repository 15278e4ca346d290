// Arrow's schema → the schema that Parquet would have, and what is needed to read Arrow's arrays.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parquet/flatbuffer.h"
#include "parquet/schema.h"

namespace leitong::parquet {

// Arrow's numbers of its types.
enum class ArrowType : std::uint8_t {
  none,
  null,
  integer,
  floating,
  binary,
  utf8,
  boolean,
  decimal,
  date,
  time,
  timestamp,
  interval,
  list,
  structure,
  union_of,
  fixed_binary,
  fixed_list,
  map,
  duration,
  large_binary,
  large_utf8,
  large_list,
  run_end,
  binary_view,
  utf8_view,
  list_view,
  large_list_view,
};

struct ArrowField {
  std::string name;
  ArrowType type = ArrowType::none;
  bool nullable = false;
  std::uint32_t width = 0;                 // bytes of a value in its buffer; booleans: 0
  std::uint32_t list_size = 0;             // fixed_list
  bool dense = false;                      // union_of
  std::int64_t multiply = 1;               // seconds become milliseconds
  std::int64_t divide = 1;                 // milliseconds become days
  std::optional<std::int64_t> dictionary;  // id; then `index_width` and `index_signed` describe the field's own buffers
  std::uint32_t index_width = 0;
  bool index_signed = true;
  std::vector<ArrowField> children;
  // In the schema: level at which a value, or the list itself, is there; level that repeats a list's elements; its columns.
  std::uint8_t definition_level = 0, repetition_level = 0;
  std::uint32_t first_leaf = 0, end_leaf = 0;

  [[nodiscard]] bool is_list() const {
    return type == ArrowType::list || type == ArrowType::large_list || type == ArrowType::fixed_list || type == ArrowType::map ||
           type == ArrowType::list_view || type == ArrowType::large_list_view;
  }
  [[nodiscard]] bool is_readable() const { return type != ArrowType::union_of && type != ArrowType::run_end; }
};

struct ArrowSchema {
  std::vector<ArrowField> fields;
  std::optional<Schema> schema;
  KeyValues metadata;
};

// `table`: a Schema of FlatBuffers. Error(format) or Error(unsupported), without a file name.
[[nodiscard]] ArrowSchema read_arrow_schema(const FlatTable& table);

}  // namespace leitong::parquet
