#include "records/arrow_value.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

#include "leitong/error.h"
#include "records/json.h"

namespace leitong::records {
namespace {

struct NamedType {
  std::string_view format;
  ArrowType type;
};

constexpr std::array types{
    NamedType{"n", {ArrowLayout::null, 0, 0, "null"}},
    NamedType{"b", {ArrowLayout::boolean, 0, 0, "bool"}},
    NamedType{"c", {ArrowLayout::integer, 1, 0, "int8"}},
    NamedType{"s", {ArrowLayout::integer, 2, 0, "int16"}},
    NamedType{"i", {ArrowLayout::integer, 4, 0, "int32"}},
    NamedType{"l", {ArrowLayout::integer, 8, 0, "int64"}},
    NamedType{"C", {ArrowLayout::unsigned_integer, 1, 0, "uint8"}},
    NamedType{"S", {ArrowLayout::unsigned_integer, 2, 0, "uint16"}},
    NamedType{"I", {ArrowLayout::unsigned_integer, 4, 0, "uint32"}},
    NamedType{"L", {ArrowLayout::unsigned_integer, 8, 0, "uint64"}},
    NamedType{"f", {ArrowLayout::real, 4, 0, "float"}},
    NamedType{"g", {ArrowLayout::real, 8, 0, "double"}},
    NamedType{"u", {ArrowLayout::bytes32, 0, 0, "string"}},
    NamedType{"z", {ArrowLayout::bytes32, 0, 0, "binary"}},
    NamedType{"U", {ArrowLayout::bytes64, 0, 0, "large_string"}},
    NamedType{"Z", {ArrowLayout::bytes64, 0, 0, "large_binary"}},
    NamedType{"vu", {ArrowLayout::bytes_view, 0, 0, "string_view"}},
    NamedType{"vz", {ArrowLayout::bytes_view, 0, 0, "binary_view"}},
    NamedType{"+l", {ArrowLayout::list32, 0, 0, "list"}},
    NamedType{"+L", {ArrowLayout::list64, 0, 0, "large_list"}},
    NamedType{"+s", {ArrowLayout::structure, 0, 0, "struct"}},
};
constexpr std::string_view fixed_list = "+w:";

template <typename T>
T value_at(const void* buffer, std::int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char*>(buffer) + static_cast<std::size_t>(index) * sizeof(T), sizeof value);
  return value;
}

bool bit_at(const void* buffer, std::int64_t index) {
  return (static_cast<const std::uint8_t*>(buffer)[index / 8] >> (index % 8) & 1) != 0;
}

std::int64_t buffers_of(ArrowLayout layout) {
  switch (layout) {
    case ArrowLayout::null:
    case ArrowLayout::other:
      return 0;
    case ArrowLayout::structure:
    case ArrowLayout::fixed_list:
      return 1;
    case ArrowLayout::bytes32:
    case ArrowLayout::bytes64:
    case ArrowLayout::bytes_view:  // and those that long strings stand in
      return 3;
    default:
      return 2;
  }
}

std::string_view checked(const char* data, std::int64_t begin, std::int64_t end) {
  if (begin < 0 || end < begin) throw Error(ErrorCode::format, "an Arrow array has offsets that descend");
  return {data == nullptr ? "" : data + begin, static_cast<std::size_t>(end - begin)};
}

std::string_view viewed(const ArrowArray& array, std::int64_t at) {
  constexpr std::int32_t most_inside = 12;  // bytes of a string that stands in the view itself
  const char* view = static_cast<const char*>(array.buffers[1]) + 16 * at;
  const auto size = value_at<std::int32_t>(view, 0);
  if (size < 0) throw Error(ErrorCode::format, "an Arrow array has a string of negative length");
  if (size <= most_inside) return {view + 4, static_cast<std::size_t>(size)};
  const auto buffer = value_at<std::int32_t>(view, 2), offset = value_at<std::int32_t>(view, 3);
  if (buffer < 0 || buffer + 3 >= array.n_buffers || offset < 0)
    throw Error(ErrorCode::format, "an Arrow array has a string in a buffer that it does not have");
  return {static_cast<const char*>(array.buffers[2 + buffer]) + offset, static_cast<std::size_t>(size)};
}

void append_real(double value, std::string& out) {
  if (std::isfinite(value))
    append_json_number(out, value);
  else
    out += "null";
}

void append_list(const ArrowSchema& schema, const ArrowArray& array, const ArrowType& type, std::int64_t index, std::string& out) {
  const auto [begin, end] = arrow_elements(type, array, index);
  out.push_back('[');
  for (std::int64_t i = begin; i < end; ++i) {
    if (i > begin) out.push_back(',');
    append_arrow_json(*schema.children[0], *array.children[0], i, out);
  }
  out.push_back(']');
}

void append_struct(const ArrowSchema& schema, const ArrowArray& array, std::int64_t index, std::string& out) {
  out.push_back('{');
  for (std::int64_t child = 0; child < schema.n_children; ++child) {
    if (child > 0) out.push_back(',');
    append_json_string(out, schema.children[child]->name == nullptr ? "" : schema.children[child]->name);
    out.push_back(':');
    append_arrow_json(*schema.children[child], *array.children[child], index + array.offset, out);
  }
  out.push_back('}');
}

}  // namespace

ArrowType arrow_type(const ArrowSchema& schema) {
  const std::string_view format = schema.format == nullptr ? "" : schema.format;
  for (const NamedType& named : types)
    if (named.format == format) return named.type;
  ArrowType type{ArrowLayout::other, 0, 0, format};
  if (!format.starts_with(fixed_list)) return type;
  const std::string_view digits = format.substr(fixed_list.size());
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), type.elements);
  if (error == std::errc() && end == digits.data() + digits.size() && type.elements >= 0) type.layout = ArrowLayout::fixed_list;
  return type;
}

void check_arrow_array(const ArrowSchema& schema, const ArrowArray& array, const std::string& column) {
  const ArrowType type = arrow_type(schema);
  const bool nested = is_list(type.layout) || type.layout == ArrowLayout::structure;
  bool good = array.length >= 0 && array.offset >= 0 && array.n_buffers >= buffers_of(type.layout);
  good = good && array.n_children == (nested ? schema.n_children : array.n_children) && (!is_list(type.layout) || array.n_children == 1);
  good = good && (schema.dictionary == nullptr) == (array.dictionary == nullptr);
  // Strings and numbers of no rows may come without bytes.
  for (std::int64_t i = 1; good && i < std::min<std::int64_t>(buffers_of(type.layout), 2); ++i)
    good = array.buffers[i] != nullptr || array.length == 0;
  if (!good) throw Error(ErrorCode::format, fmt::format("the Arrow array of column \"{}\" does not fit its type {}", column, type.name));
  for (std::int64_t child = 0; nested && child < array.n_children; ++child)
    check_arrow_array(*schema.children[child], *array.children[child], column);
  if (schema.dictionary != nullptr) check_arrow_array(*schema.dictionary, *array.dictionary, column);
}

bool arrow_is_null(const ArrowSchema& schema, const ArrowArray& array, std::int64_t index) {
  if (schema.format != nullptr && schema.format[0] == 'n' && schema.format[1] == '\0') return true;
  if (array.null_count == 0 || array.n_buffers == 0 || array.buffers[0] == nullptr) return false;
  if (schema.format != nullptr && schema.format[0] == '+' && schema.format[1] == 'u') return false;  // unions have no such bitmap
  return !bit_at(array.buffers[0], index + array.offset);
}

std::string_view arrow_bytes(const ArrowType& type, const ArrowArray& array, std::int64_t index) {
  const std::int64_t at = index + array.offset;
  if (type.layout == ArrowLayout::bytes_view) return viewed(array, at);
  const char* data = static_cast<const char*>(array.buffers[2]);
  if (type.layout == ArrowLayout::bytes64)
    return checked(data, value_at<std::int64_t>(array.buffers[1], at), value_at<std::int64_t>(array.buffers[1], at + 1));
  return checked(data, value_at<std::int32_t>(array.buffers[1], at), value_at<std::int32_t>(array.buffers[1], at + 1));
}

std::int64_t arrow_integer(const ArrowType& type, const ArrowArray& array, std::int64_t index) {
  const std::int64_t at = index + array.offset;
  const void* values = array.buffers[1];
  const bool is_signed = type.layout == ArrowLayout::integer;
  switch (type.width) {
    case 1:
      return is_signed ? value_at<std::int8_t>(values, at) : value_at<std::uint8_t>(values, at);
    case 2:
      return is_signed ? value_at<std::int16_t>(values, at) : value_at<std::uint16_t>(values, at);
    case 4:
      return is_signed ? value_at<std::int32_t>(values, at) : value_at<std::uint32_t>(values, at);
    default:
      return value_at<std::int64_t>(values, at);
  }
}

std::pair<std::int64_t, std::int64_t> arrow_elements(const ArrowType& type, const ArrowArray& array, std::int64_t index) {
  const std::int64_t at = index + array.offset;
  std::pair<std::int64_t, std::int64_t> range{at * type.elements, (at + 1) * type.elements};
  if (type.layout == ArrowLayout::list32)
    range = {value_at<std::int32_t>(array.buffers[1], at), value_at<std::int32_t>(array.buffers[1], at + 1)};
  if (type.layout == ArrowLayout::list64)
    range = {value_at<std::int64_t>(array.buffers[1], at), value_at<std::int64_t>(array.buffers[1], at + 1)};
  if (range.first < 0 || range.second < range.first || range.second > array.children[0]->length)
    throw Error(ErrorCode::format, "an Arrow array has a list beyond its elements");
  return range;
}

void append_arrow_json(const ArrowSchema& schema, const ArrowArray& array, std::int64_t index, std::string& out) {
  if (arrow_is_null(schema, array, index)) {
    out += "null";
    return;
  }
  const ArrowType type = arrow_type(schema);
  if (schema.dictionary != nullptr) return append_arrow_json(*schema.dictionary, *array.dictionary, arrow_integer(type, array, index), out);
  switch (type.layout) {
    case ArrowLayout::boolean:
      out += bit_at(array.buffers[1], index + array.offset) ? "true" : "false";
      return;
    case ArrowLayout::integer:
      fmt::format_to(std::back_inserter(out), "{}", arrow_integer(type, array, index));
      return;
    case ArrowLayout::unsigned_integer:
      fmt::format_to(std::back_inserter(out), "{}", static_cast<std::uint64_t>(arrow_integer(type, array, index)));
      return;
    case ArrowLayout::real:
      return append_real(type.width == 4 ? static_cast<double>(value_at<float>(array.buffers[1], index + array.offset))
                                         : value_at<double>(array.buffers[1], index + array.offset),
                         out);
    case ArrowLayout::bytes32:
    case ArrowLayout::bytes64:
    case ArrowLayout::bytes_view:
      return append_json_string(out, arrow_bytes(type, array, index));
    case ArrowLayout::list32:
    case ArrowLayout::list64:
    case ArrowLayout::fixed_list:
      return append_list(schema, array, type, index, out);
    case ArrowLayout::structure:
      return append_struct(schema, array, index, out);
    default:
      throw Error(ErrorCode::unsupported, fmt::format("column \"{}\" is of Arrow's type \"{}\", which is not written as JSON",
                                                      schema.name == nullptr ? "" : schema.name, type.name));
  }
}

}  // namespace leitong::records
