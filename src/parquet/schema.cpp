#include "parquet/schema.h"

#include <fmt/format.h>

#include <algorithm>

#include "leitong/error.h"
#include "parquet/schema_element.h"

namespace leitong::parquet {
namespace {

// Whether the group that a list or map repeats is only there for the levels: "list" in list.element, "key_value" of a map.
bool is_repeated(const Node& node) { return node.repetition == Repetition::repeated; }

std::string_view kind_name(const LogicalType& type) {
  static constexpr std::pair<Logical, std::string_view> names[] = {
      {Logical::string, "string"},       {Logical::enumeration, "enum"},  {Logical::json, "json"},       {Logical::bson, "bson"},
      {Logical::uuid, "uuid"},           {Logical::decimal, "decimal"},   {Logical::date, "date"},       {Logical::time, "time"},
      {Logical::timestamp, "timestamp"}, {Logical::interval, "interval"}, {Logical::float16, "float16"}, {Logical::null, "null"}};
  for (const auto& [kind, name] : names) {
    if (kind == type.kind) return name;
  }
  return {};
}

std::string_view physical_name(Physical physical) {
  static constexpr std::string_view names[] = {"boolean", "int32", "int64", "int96", "float", "double", "binary", "fixed binary"};
  return names[static_cast<std::size_t>(physical)];
}

bool holds_text(const Node& node) {
  const Logical kind = node.logical.kind;
  return node.physical == Physical::bytes &&
         (kind == Logical::string || kind == Logical::enumeration || kind == Logical::json || kind == Logical::none);
}

// Sets parents, levels and leaves: nodes come depth first, each with its number of children.
class TreeBuilder {
 public:
  TreeBuilder(std::vector<Node>& nodes, std::span<const std::uint32_t> counts, std::vector<std::uint32_t>& leaves)
      : nodes_(nodes), counts_(counts), leaves_(leaves) {}

  void build() {
    if (nodes_.empty()) throw Error(ErrorCode::format, "the schema is empty");
    if (nodes_.size() > Schema::most_nodes) throw Error(ErrorCode::limit, fmt::format("the schema has {} nodes", nodes_.size()));
    add(0, 0);
    if (next_ != nodes_.size()) throw Error(ErrorCode::format, "the schema's numbers of children do not fit its nodes");
  }

 private:
  void add(std::uint32_t parent, std::size_t depth) {
    if (depth > Schema::most_depth) throw Error(ErrorCode::limit, "the schema is nested too deeply");
    if (next_ >= nodes_.size()) throw Error(ErrorCode::format, "the schema's numbers of children do not fit its nodes");
    const auto self = static_cast<std::uint32_t>(next_++);
    Node& node = nodes_[self];
    node.parent = parent;
    if (self != 0) {
      const Node& above = nodes_[parent];
      node.definition_level = static_cast<std::uint8_t>(above.definition_level + (node.repetition == Repetition::required ? 0 : 1));
      node.repetition_level = static_cast<std::uint8_t>(above.repetition_level + (is_repeated(node) ? 1 : 0));
    }
    node.first_leaf = static_cast<std::uint32_t>(leaves_.size());
    const std::uint32_t count = counts_[self];
    if (count == 0 && self != 0) leaves_.push_back(self);
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto child = static_cast<std::uint32_t>(next_);
      add(self, depth + 1);
      nodes_[self].children.push_back(child);
    }
    nodes_[self].end_leaf = static_cast<std::uint32_t>(leaves_.size());
  }

  std::vector<Node>& nodes_;
  std::span<const std::uint32_t> counts_;
  std::vector<std::uint32_t>& leaves_;
  std::size_t next_ = 0;
};

}  // namespace

Schema::Schema(std::vector<Node> nodes, std::span<const std::uint32_t> child_counts) : nodes_(std::move(nodes)) {
  TreeBuilder(nodes_, child_counts, leaves_).build();
}

std::vector<std::string> Schema::path_of(std::size_t leaf) const {
  std::vector<std::string> names;
  for (std::uint32_t at = leaves_[leaf]; at != 0; at = nodes_[at].parent) names.push_back(nodes_[at].name);
  std::reverse(names.begin(), names.end());
  return names;
}

std::string Schema::dotted_path_of(std::size_t leaf) const {
  std::string joined;
  for (const std::string& name : path_of(leaf)) joined += (joined.empty() ? "" : ".") + name;
  return joined;
}

const Node* Schema::element_of(const Node& list) const {
  if (list.logical.kind != Logical::list || list.children.size() != 1) return nullptr;
  const Node& repeated = nodes_[list.children.front()];
  if (!is_repeated(repeated)) return nullptr;
  // Old spellings repeat the element itself.
  const bool is_element = repeated.children.size() != 1 || repeated.name == "array" || repeated.name == list.name + "_tuple" ||
                          is_repeated(nodes_[repeated.children.front()]);
  return is_element ? &repeated : &nodes_[repeated.children.front()];
}

std::string Schema::type_name(const Node& node) const {
  if (!node.children.empty()) {
    if (const Node* element = element_of(node)) return "list of " + type_name(*element);
    return node.logical.kind == Logical::map ? "map" : "struct";
  }
  if (node.logical.kind == Logical::integer) return fmt::format("{}int{}", node.logical.is_signed ? "" : "u", node.logical.bits);
  const std::string_view name = kind_name(node.logical);
  return std::string(name.empty() ? physical_name(node.physical) : name);
}

namespace {

class PathFinder {
 public:
  explicit PathFinder(const Schema& schema) : schema_(schema) {}

  // The leaf that `path` leads to from `node`; null if there is none.
  const Node* from(const Node& node, std::string_view path) const {
    if (const Node* element = schema_.element_of(node)) {
      if (path == "*") return from(*element, {});
      return from(*element, path.starts_with("*.") ? path.substr(2) : path);
    }
    if (path.empty()) return node.children.empty() ? &node : nullptr;
    for (std::size_t dot = path.find('.');; dot = path.find('.', dot + 1)) {
      if (const Node* found = below(node, path.substr(0, dot), dot == path.npos ? std::string_view{} : path.substr(dot + 1))) return found;
      if (dot == path.npos) return nullptr;
    }
  }

 private:
  const Node* below(const Node& node, std::string_view name, std::string_view rest) const {
    for (const std::uint32_t child : node.children) {
      if (schema_.nodes()[child].name == name) return from(schema_.nodes()[child], rest);
    }
    return nullptr;
  }

  const Schema& schema_;
};

}  // namespace

std::optional<Found> Schema::find(std::string_view path) const {
  const Node* node = PathFinder(*this).from(root(), path);
  if (node == nullptr || node == &root()) return std::nullopt;
  Found found;
  found.leaf = node->first_leaf;
  found.node = node;
  found.is_text = holds_text(*node) && node->repetition_level == 0;
  found.is_texts = holds_text(*node) && node->repetition_level > 0;
  return found;
}

Schema flat_schema(std::span<const FlatField> fields) {
  Node root;
  root.name = "schema";
  std::vector<Node> nodes{root};
  for (const FlatField& field : fields) nodes.push_back(flat_node(field));
  std::vector<std::uint32_t> counts(nodes.size(), 0);
  counts[0] = static_cast<std::uint32_t>(fields.size());
  nodes[0].thrift = encode_root("schema", counts[0]);
  return Schema(std::move(nodes), counts);
}

Schema extended(const Schema& schema, std::span<const FlatField> fields) {
  std::vector<Node> nodes = schema.nodes();
  std::vector<std::uint32_t> counts;
  for (Node& node : nodes) {
    counts.push_back(static_cast<std::uint32_t>(node.children.size()));
    node.children.clear();
  }
  for (const FlatField& field : fields) {
    for (std::size_t i = 1; i < nodes.size(); ++i) {
      if (nodes[i].parent == 0 && nodes[i].name == field.name) {
        throw Error(ErrorCode::usage, fmt::format("there is a column \"{}\" already", field.name));
      }
    }
    nodes.push_back(flat_node(field));
    counts.push_back(0);
    ++counts[0];
  }
  nodes[0].thrift = with_child_count(nodes[0].thrift, counts[0]);
  return Schema(std::move(nodes), counts);
}

}  // namespace leitong::parquet
