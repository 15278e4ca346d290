#include "parquet/column.h"

#include <fmt/format.h>

#include <utility>

#include "leitong/error.h"

namespace leitong::parquet {

FlatColumn::FlatColumn(const Schema& schema, std::uint32_t leaf) {
  const Node& node = schema.leaf(leaf);
  if (node.parent != 0 || node.repetition == Repetition::repeated)
    throw Error(ErrorCode::usage, fmt::format("column {} is not flat", node.name));
  column_.leaf = leaf;
  column_.max_definition = node.definition_level;
  name_ = node.name;
  physical_ = node.physical;
  width_ = node.width;
  optional_ = node.repetition == Repetition::optional;
}

void FlatColumn::present(bool there) {
  if (optional_) column_.definition.push_back(there ? 1 : 0);
  ++column_.entries;
}

void FlatColumn::put(const void* value) {
  const auto* bytes = static_cast<const std::byte*>(value);
  column_.values.insert(column_.values.end(), bytes, bytes + width_);
  present(true);
}

void FlatColumn::add_null() {
  if (!optional_) throw Error(ErrorCode::usage, fmt::format("column {} may not be null", name_));
  if (physical_ == Physical::bytes) {
    ends_.push_back(bytes_.size());
  } else {
    column_.values.resize(column_.values.size() + width_);
  }
  present(false);
}

void FlatColumn::add(bool value) {
  if (physical_ != Physical::boolean) throw Error(ErrorCode::usage, fmt::format("column {} is not boolean", name_));
  const std::uint8_t byte = value ? 1 : 0;
  put(&byte);
}

void FlatColumn::add(std::int64_t value) {
  if (physical_ != Physical::int32 && physical_ != Physical::int64)
    throw Error(ErrorCode::usage, fmt::format("column {} is not of integers", name_));
  put(&value);
}

void FlatColumn::add(double value) {
  if (physical_ != Physical::float64) throw Error(ErrorCode::usage, fmt::format("column {} is not of doubles", name_));
  put(&value);
}

void FlatColumn::add(std::string_view value) {
  if (physical_ != Physical::bytes) throw Error(ErrorCode::usage, fmt::format("column {} is not of strings", name_));
  bytes_ += value;
  ends_.push_back(bytes_.size());
  present(true);
}

Column FlatColumn::take() {
  if (physical_ == Physical::bytes) {
    auto memory = std::make_shared<const std::string>(std::exchange(bytes_, {}));
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
      column_.strings.push_back(std::string_view(*memory).substr(begin, end - begin));
      begin = end;
    }
    ends_.clear();
    column_.owners.push_back(std::move(memory));
  }
  Column empty;
  empty.leaf = column_.leaf;
  empty.max_definition = column_.max_definition;
  return std::exchange(column_, std::move(empty));
}

}  // namespace leitong::parquet
