// Schema elements, the nodes of a schema as Thrift has them in a footer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "parquet/schema.h"
#include "parquet/thrift.h"

namespace leitong::parquet {

// Reads one element; `child_count` is its number of children. Types that contradict each other lose their logical one, as readers are to
// do.
[[nodiscard]] Node read_schema_element(ThriftReader& reader, bool is_root, std::uint32_t& child_count);

// The elements of nodes made here: what their fields say, encoded.
[[nodiscard]] std::string encode_leaf(const Node& node);
[[nodiscard]] std::string encode_group(const Node& node, std::uint32_t child_count);
[[nodiscard]] std::string encode_root(std::string_view name, std::uint32_t child_count);
[[nodiscard]] Node flat_node(const FlatField& field);

// An encoded element with another number of children, all else as it was.
[[nodiscard]] std::string with_child_count(std::string_view element, std::uint32_t child_count);

}  // namespace leitong::parquet
