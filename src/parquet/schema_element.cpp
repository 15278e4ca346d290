#include "parquet/schema_element.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "leitong/error.h"

namespace leitong::parquet {
namespace {

using Field = ThriftReader::Field;

// By their numbers in Thrift's union; 9 is not given to any type.
constexpr Logical logical_kinds[] = {Logical::none,        Logical::string,  Logical::map,     Logical::list,
                                     Logical::enumeration, Logical::decimal, Logical::date,    Logical::time,
                                     Logical::timestamp,   Logical::other,   Logical::integer, Logical::null,
                                     Logical::json,        Logical::bson,    Logical::uuid,    Logical::float16};

Unit read_unit(ThriftReader& reader, const Field& field) {
  reader.require(field, ThriftType::structure);
  ThriftReader::Struct unit(reader);
  Unit found = Unit::millis;
  for (Field inner; unit.next(inner);) {
    if (inner.id == 2) found = Unit::micros;
    if (inner.id == 3) found = Unit::nanos;
    reader.skip(inner.type);
  }
  return found;
}

// The parameters of decimal, time, timestamp and integer.
void read_parameters(ThriftReader& reader, LogicalType& type) {
  ThriftReader::Struct body(reader);
  for (Field field; body.next(field);) {
    if (type.kind == Logical::decimal && field.id == 1) {
      type.scale = reader.integer32(field);
    } else if (type.kind == Logical::decimal && field.id == 2) {
      type.precision = reader.integer32(field);
    } else if ((type.kind == Logical::time || type.kind == Logical::timestamp) && field.id == 1) {
      type.utc = reader.boolean(field);
    } else if ((type.kind == Logical::time || type.kind == Logical::timestamp) && field.id == 2) {
      type.unit = read_unit(reader, field);
    } else if (type.kind == Logical::integer && field.id == 1) {
      type.bits = static_cast<std::uint8_t>(reader.integer32(field));
    } else if (type.kind == Logical::integer && field.id == 2) {
      type.is_signed = reader.boolean(field);
    } else {
      reader.skip(field.type);
    }
  }
}

LogicalType read_logical(ThriftReader& reader) {
  LogicalType type;
  ThriftReader::Struct body(reader);
  for (Field field; body.next(field);) {
    type.kind = field.id > 0 && field.id < static_cast<int>(std::size(logical_kinds)) ? logical_kinds[field.id] : Logical::other;
    if (field.type == ThriftType::structure) {
      read_parameters(reader, type);
    } else {
      reader.skip(field.type);
    }
  }
  return type;
}

LogicalType from_converted(std::int32_t converted, std::int32_t scale, std::int32_t precision) {
  LogicalType type;
  static constexpr Logical kinds[] = {Logical::string,      Logical::map,       Logical::map,      Logical::list,
                                      Logical::enumeration, Logical::decimal,   Logical::date,     Logical::time,
                                      Logical::time,        Logical::timestamp, Logical::timestamp};
  if (converted >= 0 && converted <= 10) {
    type.kind = kinds[converted];
    type.unit = converted == 8 || converted == 10 ? Unit::micros : Unit::millis;
    type.utc = true;
  } else if (converted >= 11 && converted <= 18) {
    type.kind = Logical::integer;
    type.is_signed = converted >= 15;
    type.bits = static_cast<std::uint8_t>(8 << ((converted - 11) % 4));
  } else if (converted == 19 || converted == 20 || converted == 21) {
    type.kind = converted == 19 ? Logical::json : converted == 20 ? Logical::bson : Logical::interval;
  }
  if (type.kind == Logical::decimal) {
    type.scale = scale;
    type.precision = precision;
  }
  return type;
}

bool fits(const Node& node) {
  const Physical physical = node.physical;
  const LogicalType& type = node.logical;
  const bool small = physical == Physical::int32, large = physical == Physical::int64;
  switch (type.kind) {
    case Logical::string:
    case Logical::enumeration:
    case Logical::json:
    case Logical::bson:
      return physical == Physical::bytes;
    case Logical::uuid:
      return physical == Physical::fixed && node.width == 16;
    case Logical::interval:
      return physical == Physical::fixed && node.width == 12;
    case Logical::float16:
      return physical == Physical::fixed && node.width == 2;
    case Logical::date:
      return small;
    case Logical::time:
      return type.unit == Unit::millis ? small : large;
    case Logical::timestamp:
      return large;
    case Logical::integer:
      return type.bits == 64 ? large : small && (type.bits == 8 || type.bits == 16 || type.bits == 32);
    case Logical::decimal:
      return (small || large || physical == Physical::bytes || physical == Physical::fixed) && type.scale >= 0 && type.scale <= 1000;
    case Logical::list:
    case Logical::map:
      return false;
    default:
      return true;
  }
}

std::uint32_t width_of(Physical physical, std::int32_t length) {
  static constexpr std::uint32_t widths[] = {1, 4, 8, 12, 4, 8, 0};
  if (physical != Physical::fixed) return widths[static_cast<std::size_t>(physical)];
  if (length <= 0 || length > 1 << 24) throw Error(ErrorCode::format, fmt::format("a fixed binary column of {} bytes a value", length));
  return static_cast<std::uint32_t>(length);
}

void encode_unit(ThriftWriter& writer, std::int16_t id, Unit unit) {
  writer.begin_struct(id);
  writer.begin_struct(static_cast<std::int16_t>(static_cast<int>(unit) + 1));
  writer.end_struct();
  writer.end_struct();
}

// Thrift's number of a logical type in its union; 0: there is none.
std::int16_t union_number(Logical kind) {
  const auto* at = std::find(std::begin(logical_kinds), std::end(logical_kinds), kind);
  return kind == Logical::other || at == std::end(logical_kinds) ? std::int16_t{0} : static_cast<std::int16_t>(at - logical_kinds);
}

void encode_logical(ThriftWriter& writer, const LogicalType& type) {
  const std::int16_t number = union_number(type.kind);
  if (number == 0) return;
  writer.begin_struct(10);
  writer.begin_struct(number);
  if (type.kind == Logical::decimal) {
    writer.i32(1, type.scale);
    writer.i32(2, type.precision);
  } else if (type.kind == Logical::time || type.kind == Logical::timestamp) {
    writer.boolean(1, type.utc);
    encode_unit(writer, 2, type.unit);
  } else if (type.kind == Logical::integer) {
    writer.i8(1, static_cast<std::int8_t>(type.bits));
    writer.boolean(2, type.is_signed);
  }
  writer.end_struct();
  writer.end_struct();
}

// The converted type that old readers know for a logical one.
std::optional<std::int32_t> converted_of(const LogicalType& type) {
  switch (type.kind) {
    case Logical::string:
      return 0;
    case Logical::map:
      return 1;
    case Logical::list:
      return 3;
    case Logical::enumeration:
      return 4;
    case Logical::decimal:
      return 5;
    case Logical::date:
      return 6;
    case Logical::time:
      if (!type.utc || type.unit == Unit::nanos) return std::nullopt;
      return type.unit == Unit::millis ? 7 : 8;
    case Logical::timestamp:
      if (!type.utc || type.unit == Unit::nanos) return std::nullopt;
      return type.unit == Unit::millis ? 9 : 10;
    case Logical::integer: {
      const int order = type.bits == 8 ? 0 : type.bits == 16 ? 1 : type.bits == 32 ? 2 : 3;
      return (type.is_signed ? 15 : 11) + order;
    }
    case Logical::json:
      return 19;
    case Logical::bson:
      return 20;
    case Logical::interval:
      return 21;
    default:
      return std::nullopt;
  }
}

void encode_types(ThriftWriter& writer, const Node& node) {
  if (const auto converted = converted_of(node.logical)) writer.i32(6, *converted);
  if (node.logical.kind == Logical::decimal) {
    writer.i32(7, node.logical.scale);
    writer.i32(8, node.logical.precision);
  }
  encode_logical(writer, node.logical);
}

// What a schema element says, before it is put together.
struct Element {
  std::optional<std::int32_t> type, converted;
  std::int32_t length = 0, scale = 0, precision = 0;
  std::optional<LogicalType> logical;
};

void read_element_field(ThriftReader& reader, const Field& field, Node& node, Element& element, std::uint32_t& child_count) {
  switch (field.id) {
    case 1:
      element.type = reader.integer32(field);
      break;
    case 2:
      element.length = reader.integer32(field);
      break;
    case 3: {
      const std::int32_t repetition = reader.integer32(field);
      if (repetition < 0 || repetition > 2) throw Error(ErrorCode::format, "a column's repetition is unknown");
      node.repetition = static_cast<Repetition>(repetition);
      break;
    }
    case 4:
      node.name = reader.binary(field);
      break;
    case 5: {
      const std::int32_t count = reader.integer32(field);
      if (count < 0) throw Error(ErrorCode::format, "a schema node has a negative number of children");
      child_count = static_cast<std::uint32_t>(count);
      break;
    }
    case 6:
      element.converted = reader.integer32(field);
      break;
    case 7:
      element.scale = reader.integer32(field);
      break;
    case 8:
      element.precision = reader.integer32(field);
      break;
    case 10:
      reader.require(field, ThriftType::structure);
      element.logical = read_logical(reader);
      break;
    default:
      reader.skip(field.type);
  }
}

}  // namespace

Node read_schema_element(ThriftReader& reader, bool is_root, std::uint32_t& child_count) {
  Node node;
  Element element;
  child_count = 0;
  const std::size_t begin = reader.position();
  {
    ThriftReader::Struct body(reader);
    for (Field field; body.next(field);) read_element_field(reader, field, node, element, child_count);
  }
  node.thrift = reader.bytes().substr(begin, reader.position() - begin);
  if (element.logical) {
    node.logical = *element.logical;
  } else if (element.converted) {
    node.logical = from_converted(*element.converted, element.scale, element.precision);
  }
  if (child_count > 0) return node;
  if (!element.type && is_root) return node;  // of a file without columns
  if (!element.type) throw Error(ErrorCode::format, fmt::format("column {} has no type", node.name));
  if (*element.type < 0 || *element.type > 7)
    throw Error(ErrorCode::unsupported, fmt::format("column {} has the unknown type {}", node.name, *element.type));
  node.physical = static_cast<Physical>(*element.type);
  node.width = width_of(node.physical, element.length);
  if (!fits(node)) node.logical = LogicalType{};
  return node;
}

std::string encode_leaf(const Node& node) {
  ThriftWriter writer;
  writer.i32(1, static_cast<std::int32_t>(node.physical));
  if (node.physical == Physical::fixed) writer.i32(2, static_cast<std::int32_t>(node.width));
  writer.i32(3, static_cast<std::int32_t>(node.repetition));
  writer.binary(4, node.name);
  encode_types(writer, node);
  return writer.take();
}

std::string encode_group(const Node& node, std::uint32_t child_count) {
  ThriftWriter writer;
  writer.i32(3, static_cast<std::int32_t>(node.repetition));
  writer.binary(4, node.name);
  writer.i32(5, static_cast<std::int32_t>(child_count));
  encode_types(writer, node);
  return writer.take();
}

std::string encode_root(std::string_view name, std::uint32_t child_count) {
  ThriftWriter writer;
  writer.binary(4, name);
  writer.i32(5, static_cast<std::int32_t>(child_count));
  return writer.take();
}

Node flat_node(const FlatField& field) {
  static constexpr Physical physicals[] = {Physical::boolean, Physical::int32,   Physical::int64, Physical::int32,
                                           Physical::int64,   Physical::float64, Physical::bytes};
  Node node;
  node.name = field.name;
  node.repetition = field.required ? Repetition::required : Repetition::optional;
  node.physical = physicals[static_cast<std::size_t>(field.type)];
  node.width = width_of(node.physical, 0);
  if (field.type == FlatType::string) node.logical.kind = Logical::string;
  if (field.type == FlatType::uint32 || field.type == FlatType::uint64) {
    node.logical.kind = Logical::integer;
    node.logical.is_signed = false;
    node.logical.bits = field.type == FlatType::uint32 ? 32 : 64;
  }
  node.thrift = encode_leaf(node);
  return node;
}

std::string with_child_count(std::string_view element, std::uint32_t child_count) {
  ThriftReader reader(element);
  ThriftWriter writer;
  bool written = false;
  ThriftReader::Struct body(reader);
  for (Field field; body.next(field);) {
    const std::size_t begin = reader.position();
    reader.skip(field.type);
    if (field.id >= 5 && !written) {
      writer.i32(5, static_cast<std::int32_t>(child_count));
      written = true;
    }
    if (field.id != 5) writer.raw(field.id, field.type, element.substr(begin, reader.position() - begin));
  }
  if (!written) writer.i32(5, static_cast<std::int32_t>(child_count));
  return writer.take();
}

}  // namespace leitong::parquet
