// The schema of a file of columns: a tree of named nodes whose leaves are columns. That of an Arrow file is the one that Parquet would
// have.
//
// Immutable once made; any number of threads. Thrift's numbers of the enumerations that the format fixes are theirs here.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace leitong::parquet {

enum class Physical : std::uint8_t { boolean, int32, int64, int96, float32, float64, bytes, fixed };
enum class Repetition : std::uint8_t { required, optional, repeated };
enum class Logical : std::uint8_t {
  none,
  string,
  enumeration,
  json,
  bson,
  uuid,
  decimal,
  date,
  time,
  timestamp,
  integer,
  interval,
  float16,
  null,  // nothing but nulls
  list,
  map,
  other,  // well-formed, but nothing is known of it: shown as its physical type
};
enum class Unit : std::uint8_t { millis, micros, nanos };

struct LogicalType {
  Logical kind = Logical::none;
  Unit unit = Unit::millis;  // time, timestamp
  bool utc = false;          // timestamp: an instant, not a wall clock
  bool is_signed = true;     // integer
  std::uint8_t bits = 0;     // integer: 8 to 64
  std::int32_t scale = 0;    // decimal
  std::int32_t precision = 0;
};

struct Node {
  std::string name;
  std::uint32_t parent = 0;
  std::vector<std::uint32_t> children;  // empty: a leaf
  Repetition repetition = Repetition::required;
  Physical physical = Physical::boolean;  // of a leaf
  std::uint32_t width = 0;                // of a leaf: bytes of a value in Column::values; 0 for Physical::bytes
  LogicalType logical;
  std::uint8_t definition_level = 0;  // at which this node is there
  std::uint8_t repetition_level = 0;  // of the innermost repeated node from the root to this one
  std::uint32_t first_leaf = 0;       // its columns: first_leaf up to end_leaf
  std::uint32_t end_leaf = 0;
  std::string thrift;  // the schema element as it stands in the file, and as a file with the same column has it
};

// What a path leads to.
struct Found {
  std::uint32_t leaf = 0;
  const Node* node = nullptr;  // of the leaf
  bool is_text = false;        // strings, one a row at most
  bool is_texts = false;       // strings in lists, at any depth
};

class Schema {
 public:
  // Nodes depth first, the root first, as in a file. Levels, leaves and parents are set here. Error(format) for a tree that is none, or
  // deeper than `most_depth`; its message has no file name.
  explicit Schema(std::vector<Node> nodes, std::span<const std::uint32_t> child_counts);

  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  [[nodiscard]] const Node& root() const { return nodes_.front(); }
  [[nodiscard]] std::size_t leaf_count() const { return leaves_.size(); }
  [[nodiscard]] const Node& leaf(std::size_t leaf) const { return nodes_[leaves_[leaf]]; }
  // Names from below the root to the leaf, as column chunks have them.
  [[nodiscard]] std::vector<std::string> path_of(std::size_t leaf) const;
  [[nodiscard]] std::string dotted_path_of(std::size_t leaf) const;  // for messages
  // "meta.text" is the member of a member; if there is none, the column with that literal name. The levels that only lists need have no
  // name here: "tags" is the list's strings, "messages.content" (or "messages.*.content") a member of each element.
  [[nodiscard]] std::optional<Found> find(std::string_view path) const;
  // For a person: "string", "int64", "list of string", "struct".
  [[nodiscard]] std::string type_name(const Node& node) const;
  // The node that stands for each element of a LIST node, whichever spelling; null if `list` is none.
  [[nodiscard]] const Node* element_of(const Node& list) const;

  static constexpr std::size_t most_depth = 100;
  static constexpr std::size_t most_nodes = 100'000;

 private:
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> leaves_;
};

// Columns made here: --annotate, JSON Lines to Parquet. Flat; a value may be null unless `required`.
enum class FlatType : std::uint8_t { boolean, int32, int64, uint32, uint64, float64, string };
struct FlatField {
  std::string name;
  FlatType type = FlatType::string;
  bool required = false;
};
[[nodiscard]] Schema flat_schema(std::span<const FlatField> fields);
// The schema with these columns after its own. Error(usage) if it has one of that name.
[[nodiscard]] Schema extended(const Schema& schema, std::span<const FlatField> fields);

using KeyValues = std::vector<std::pair<std::string, std::optional<std::string>>>;  // of a file, in its order

}  // namespace leitong::parquet
