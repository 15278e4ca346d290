#include "parquet/row_json.h"

#include <fmt/format.h>

#include "leitong/error.h"

namespace leitong::parquet {
namespace {

// Puts one row together from its columns' entries. A node's first column tells whether the node is there, for all columns below it.
class RowAssembly {
 public:
  RowAssembly(const Schema& schema, const Batch& batch, std::size_t row, std::string& out) : schema_(schema), batch_(batch), out_(out) {
    for (const Column& column : batch.columns) places_.push_back({column.row_begin(row), column.row_end(row)});
  }

  void write() {
    group(schema_.root());
    for (const Place& place : places_) {
      if (place.at != place.end) misfit();
    }
  }

 private:
  struct Place {
    std::size_t at = 0, end = 0;
  };

  [[noreturn]] static void misfit() { throw Error(ErrorCode::format, "the levels of its columns do not fit each other"); }

  [[nodiscard]] unsigned definition(const Node& node) const {
    const Column& column = batch_.columns[node.first_leaf];
    const Place& place = places_[node.first_leaf];
    if (place.at >= place.end) misfit();
    return column.definition.empty() ? column.max_definition : column.definition[place.at];
  }
  // Whether another element of the repeated node follows.
  [[nodiscard]] bool goes_on(const Node& repeated) const {
    const Place& place = places_[repeated.first_leaf];
    return place.at < place.end && batch_.columns[repeated.first_leaf].repetition[place.at] == repeated.repetition_level;
  }
  void pass(const Node& node) {
    for (std::uint32_t leaf = node.first_leaf; leaf < node.end_leaf; ++leaf) {
      if (places_[leaf].at >= places_[leaf].end) misfit();
      ++places_[leaf].at;
    }
  }

  void field(const Node& node) {
    if (node.repetition == Repetition::repeated) {
      elements(node, [&] { value(node); });
    } else if (node.repetition == Repetition::optional && definition(node) < node.definition_level) {
      out_ += "null";
      pass(node);
    } else {
      value(node);
    }
  }

  template <typename Element>
  void elements(const Node& repeated, const Element& element, char open = '[', char close = ']') {
    out_ += open;
    if (definition(repeated) < repeated.definition_level) {
      pass(repeated);
    } else {
      element();
      while (goes_on(repeated)) {
        out_ += ',';
        element();
      }
    }
    out_ += close;
  }

  void value(const Node& node) {
    if (node.children.empty()) return leaf(node);
    if (const Node* element = schema_.element_of(node)) {
      const Node& repeated = schema_.nodes()[node.children.front()];
      if (element == &repeated) return elements(repeated, [&] { value(repeated); });
      return elements(repeated, [&] { field(*element); });
    }
    if (node.logical.kind == Logical::map && is_map(node)) return map(node);
    group(node);
  }

  [[nodiscard]] bool is_map(const Node& node) const {
    if (node.children.size() != 1) return false;
    const Node& repeated = schema_.nodes()[node.children.front()];
    return repeated.repetition == Repetition::repeated && repeated.children.size() == 2;
  }

  void map(const Node& node) {
    const Node& entry = schema_.nodes()[node.children.front()];
    elements(
        entry,
        [&] {
          const std::size_t begin = out_.size();
          field(schema_.nodes()[entry.children[0]]);
          if (out_[begin] != '"') {  // keys of JSON are strings
            const std::string key = out_.substr(begin);
            out_.resize(begin);
            append_json_text(out_, key);
          }
          out_ += ':';
          field(schema_.nodes()[entry.children[1]]);
        },
        '{', '}');
  }

  void group(const Node& node) {
    out_ += '{';
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const Node& child = schema_.nodes()[node.children[i]];
      if (i > 0) out_ += ',';
      append_json_text(out_, child.name);
      out_ += ':';
      field(child);
    }
    out_ += '}';
  }

  void leaf(const Node& node) {
    Place& place = places_[node.first_leaf];
    if (place.at >= place.end) misfit();
    append_value_json(out_, node, batch_.columns[node.first_leaf], place.at++);
  }

  const Schema& schema_;
  const Batch& batch_;
  std::string& out_;
  std::vector<Place> places_;
};

}  // namespace

void RowJson::append(std::string& out, const Batch& batch, std::size_t row) const {
  if (batch.columns.size() != schema_.leaf_count()) throw Error(ErrorCode::usage, "a row as JSON needs all of its columns");
  const std::size_t before = out.size();
  try {
    RowAssembly(schema_, batch, row, out).write();
  } catch (const Error& error) {
    out.resize(before);
    throw Error(error.code(), fmt::format("row {}: {}", batch.first_row + row, error.what()));
  }
}

}  // namespace leitong::parquet
