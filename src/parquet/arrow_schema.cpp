#include "parquet/arrow_schema.h"

#include <fmt/format.h>

#include <algorithm>

#include "leitong/error.h"
#include "parquet/schema_element.h"

namespace leitong::parquet {
namespace {

constexpr unsigned most_depth = 40;  // a list takes two levels of the schema

Unit unit_of(std::int16_t unit) {
  if (unit < 0 || unit > 3) throw Error(ErrorCode::format, "an unknown unit of time");
  return unit <= 1 ? Unit::millis : unit == 2 ? Unit::micros : Unit::nanos;
}

std::uint32_t bytes_of_bits(std::int32_t bits) {
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64) throw Error(ErrorCode::format, fmt::format("integers of {} bits", bits));
  return static_cast<std::uint32_t>(bits) / 8;
}

void set_fixed(ArrowField& field, Node& node, std::uint32_t width) {
  field.width = node.width = width;
  node.physical = Physical::fixed;
}

void set_integer(ArrowField& field, Node& node, std::uint32_t width) {
  field.width = width;
  node.physical = width == 8 ? Physical::int64 : Physical::int32;
  node.width = width == 8 ? 8 : 4;
}

void set_strings(Node& node, bool text) {
  node.physical = Physical::bytes;
  if (text) node.logical.kind = Logical::string;
}

void read_integer(const FlatTable& type, ArrowField& field, Node& node) {
  const auto bits = type.number<std::int32_t>(0, 0);
  set_integer(field, node, bytes_of_bits(bits));
  node.logical.is_signed = type.number<std::uint8_t>(1, 0) != 0;
  if (node.logical.is_signed && bits >= 32) return;  // what the physical types are
  node.logical.kind = Logical::integer;
  node.logical.bits = static_cast<std::uint8_t>(bits);
}

void read_floating(const FlatTable& type, ArrowField& field, Node& node) {
  const auto precision = type.number<std::int16_t>(0, 0);
  if (precision < 0 || precision > 2) throw Error(ErrorCode::format, "floats of an unknown precision");
  set_fixed(field, node, 2U << static_cast<unsigned>(precision));
  node.logical.kind = precision == 0 ? Logical::float16 : Logical::none;
  if (precision > 0) node.physical = precision == 1 ? Physical::float32 : Physical::float64;
}

void read_decimal(const FlatTable& type, ArrowField& field, Node& node) {
  const auto bits = type.number<std::int32_t>(2, 128);
  if (bits != 32 && bits != 64 && bits != 128 && bits != 256) throw Error(ErrorCode::format, fmt::format("decimals of {} bits", bits));
  if (bits <= 64) {
    set_integer(field, node, static_cast<std::uint32_t>(bits) / 8);
  } else {
    set_fixed(field, node, static_cast<std::uint32_t>(bits) / 8);
  }
  const auto precision = type.number<std::int32_t>(0, 0), scale = type.number<std::int32_t>(1, 0);
  if (scale < 0 || scale > 100 || precision < 1 || precision > 100)
    throw Error(ErrorCode::unsupported, fmt::format("decimals of scale {}", scale));
  node.logical.kind = Logical::decimal;
  node.logical.scale = scale;
  node.logical.precision = precision;
}

void read_moment(const FlatTable& type, ArrowField& field, Node& node) {
  if (field.type == ArrowType::date) {
    node.logical.kind = Logical::date;
    set_integer(field, node, 4);
    if (type.number<std::int16_t>(0, 1) == 1) {
      field.width = 8;
      field.divide = 86'400'000;
    }
    return;
  }
  const bool is_time = field.type == ArrowType::time;
  const auto unit = type.number<std::int16_t>(0, is_time ? 1 : 0);
  node.logical.kind = is_time ? Logical::time : Logical::timestamp;
  node.logical.unit = unit_of(unit);
  node.logical.utc = is_time || !type.string(1).empty();
  field.multiply = unit == 0 ? 1000 : 1;
  set_integer(field, node, is_time && unit <= 1 ? 4 : 8);
}

// Types of values, not of groups.
void read_leaf_type(const FlatTable& type, ArrowField& field, Node& node) {
  switch (field.type) {
    case ArrowType::null:
      node.physical = Physical::int32;
      node.width = 4;
      node.logical.kind = Logical::null;
      return;
    case ArrowType::integer:
      return read_integer(type, field, node);
    case ArrowType::floating:
      return read_floating(type, field, node);
    case ArrowType::boolean:
      node.physical = Physical::boolean;
      node.width = 1;
      return;
    case ArrowType::decimal:
      return read_decimal(type, field, node);
    case ArrowType::date:
    case ArrowType::time:
    case ArrowType::timestamp:
      return read_moment(type, field, node);
    case ArrowType::duration:
      return set_integer(field, node, 8);
    case ArrowType::interval: {
      static constexpr std::uint32_t widths[] = {4, 8, 16};
      const auto unit = type.number<std::int16_t>(0, 0);
      if (unit < 0 || unit > 2) throw Error(ErrorCode::format, "an unknown unit of intervals");
      return set_fixed(field, node, widths[unit]);
    }
    case ArrowType::fixed_binary: {
      const auto width = type.number<std::int32_t>(0, 0);
      if (width <= 0 || width > 1 << 24) throw Error(ErrorCode::unsupported, fmt::format("fixed binary values of {} bytes", width));
      return set_fixed(field, node, static_cast<std::uint32_t>(width));
    }
    case ArrowType::utf8:
    case ArrowType::large_utf8:
    case ArrowType::utf8_view:
      return set_strings(node, true);
    default:  // binary of all kinds; unions and run ends, which are refused when they are read
      set_strings(node, false);
  }
}

class SchemaReader {
 public:
  ArrowSchema read(const FlatTable& table) {
    if (table.number<std::int16_t>(0, 0) != 0) throw Error(ErrorCode::unsupported, "its numbers are big-endian, which is not read here");
    const FlatVector fields = table.vector(1, 4);
    Node root;
    root.name = "schema";
    root.thrift = encode_root(root.name, fields.size());
    push(std::move(root), fields.size());
    for (std::uint32_t i = 0; i < fields.size(); ++i) result_.fields.push_back(read_field(fields.table(i), 0, 0, 0));
    result_.schema.emplace(std::move(nodes_), counts_);
    const FlatVector metadata = table.vector(2, 4);
    for (std::uint32_t i = 0; i < metadata.size(); ++i) {
      result_.metadata.emplace_back(std::string(metadata.table(i).string(0)), std::string(metadata.table(i).string(1)));
    }
    return std::move(result_);
  }

 private:
  void push(Node node, std::size_t children) {
    if (++*seen_ > Schema::most_nodes) throw Error(ErrorCode::limit, "the schema has too many fields");
    nodes_.push_back(std::move(node));
    counts_.push_back(static_cast<std::uint32_t>(children));
  }

  void push_group(const std::string& name, Repetition repetition, Logical kind, std::size_t children) {
    Node node;
    node.name = name;
    node.repetition = repetition;
    node.logical.kind = kind;
    node.thrift = encode_group(node, static_cast<std::uint32_t>(children));
    push(std::move(node), children);
  }

  // `definition` and `repetition`: levels of what is above. `name`: the one of the schema where it is not the field's own.
  ArrowField read_field(const FlatTable& table, unsigned definition, unsigned repetition, unsigned depth, std::string_view name = {}) {
    if (depth > most_depth) throw Error(ErrorCode::limit, "the schema is nested too deeply");
    ArrowField field;
    field.name = name.empty() ? table.string(0) : name;
    field.nullable = table.number<std::uint8_t>(1, 0) != 0;
    field.type = static_cast<ArrowType>(table.number<std::uint8_t>(2, 0));
    if (field.type == ArrowType::none || field.type > ArrowType::large_list_view) {
      throw Error(ErrorCode::unsupported, fmt::format("field {} has the unknown type {}", field.name, static_cast<int>(field.type)));
    }
    if (field.type == ArrowType::null) field.nullable = true;
    field.definition_level = static_cast<std::uint8_t>(definition + (field.nullable ? 1 : 0));
    field.first_leaf = leaves_;
    const std::optional<FlatTable> type = table.table(3);
    if (!type) throw Error(ErrorCode::format, fmt::format("field {} has no type", field.name));
    if (const std::optional<FlatTable> dictionary = table.table(4)) read_dictionary(*dictionary, field);
    read_body(table, *type, field, repetition, depth);
    field.end_leaf = leaves_;
    return field;
  }

  static void read_dictionary(const FlatTable& table, ArrowField& field) {
    field.dictionary = table.number<std::int64_t>(0, 0);
    field.index_width = 4;
    if (const std::optional<FlatTable> index = table.table(1)) {
      field.index_width = bytes_of_bits(index->number<std::int32_t>(0, 0));
      field.index_signed = index->number<std::uint8_t>(1, 0) != 0;
    }
  }

  void read_body(const FlatTable& table, const FlatTable& type, ArrowField& field, unsigned repetition, unsigned depth) {
    const FlatVector children = table.vector(5, 4);
    const bool nests = field.is_list() || field.type == ArrowType::structure;
    if (nests && field.dictionary)
      throw Error(ErrorCode::unsupported, fmt::format("field {}: a dictionary of lists or structs", field.name));
    const Repetition own = field.nullable ? Repetition::optional : Repetition::required;
    if (field.type == ArrowType::structure && children.size() > 0) {
      push_group(field.name, own, Logical::none, children.size());
      for (std::uint32_t i = 0; i < children.size(); ++i) {
        field.children.push_back(read_field(children.table(i), field.definition_level, repetition, depth + 1));
      }
    } else if (field.is_list()) {
      read_list(type, children, field, own, repetition, depth);
    } else {
      read_leaf(type, children, field, own, depth);
    }
  }

  void read_list(const FlatTable& type, const FlatVector& children, ArrowField& field, Repetition own, unsigned repetition,
                 unsigned depth) {
    const bool is_map = field.type == ArrowType::map;
    if (children.size() != 1) throw Error(ErrorCode::format, fmt::format("list {} has {} kinds of elements", field.name, children.size()));
    if (field.type == ArrowType::fixed_list) {
      const auto size = type.number<std::int32_t>(0, 0);
      if (size < 0) throw Error(ErrorCode::format, fmt::format("list {} has a negative size", field.name));
      field.list_size = static_cast<std::uint32_t>(size);
    }
    field.repetition_level = static_cast<std::uint8_t>(repetition + 1);
    push_group(field.name, own, is_map ? Logical::map : Logical::list, 1);
    const unsigned inside = field.definition_level + 1U;
    if (!is_map) {
      push_group("list", Repetition::repeated, Logical::none, 1);
      field.children.push_back(read_field(children.table(0), inside, field.repetition_level, depth + 1, "element"));
      return;
    }
    // A map's elements are structs of key and value, which are always there.
    const FlatTable entries = children.table(0);
    const FlatVector pair = entries.vector(5, 4);
    if (entries.number<std::uint8_t>(2, 0) != static_cast<std::uint8_t>(ArrowType::structure) || pair.size() != 2) {
      throw Error(ErrorCode::format, fmt::format("map {} has no keys and values", field.name));
    }
    push_group("key_value", Repetition::repeated, Logical::none, 2);
    ArrowField entry;
    entry.name = "key_value";
    entry.type = ArrowType::structure;
    entry.definition_level = static_cast<std::uint8_t>(inside);
    entry.first_leaf = leaves_;
    entry.children.push_back(read_field(pair.table(0), inside, field.repetition_level, depth + 1, "key"));
    entry.children.push_back(read_field(pair.table(1), inside, field.repetition_level, depth + 1, "value"));
    entry.end_leaf = leaves_;
    field.children.push_back(std::move(entry));
  }

  void read_leaf(const FlatTable& type, const FlatVector& children, ArrowField& field, Repetition own, unsigned depth) {
    Node node;
    node.name = field.name;
    node.repetition = own;
    if (field.type == ArrowType::structure) throw Error(ErrorCode::unsupported, fmt::format("struct {} has no members", field.name));
    read_leaf_type(type, field, node);
    if (!field.is_readable()) {  // what is inside is not shown, but its buffers must be passed over
      node.logical.kind = Logical::other;
      field.dense = field.type == ArrowType::union_of && type.number<std::int16_t>(0, 0) == 1;
      SchemaReader inner;
      inner.seen_ = seen_;
      for (std::uint32_t i = 0; i < children.size(); ++i) field.children.push_back(inner.read_field(children.table(i), 0, 0, depth + 1));
    }
    node.thrift = encode_leaf(node);
    push(std::move(node), 0);
    ++leaves_;
  }

  ArrowSchema result_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> counts_;
  std::uint32_t leaves_ = 0;
  std::size_t own_seen_ = 0;
  std::size_t* seen_ = &own_seen_;  // nodes of the whole schema, of those that are not shown too
};

}  // namespace

ArrowSchema read_arrow_schema(const FlatTable& table) { return SchemaReader().read(table); }

}  // namespace leitong::parquet
