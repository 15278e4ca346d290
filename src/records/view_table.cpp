// leitong/columns.h: tables of values that somebody else holds.

#include <fmt/format.h>

#include <algorithm>

#include "leitong/columns.h"
#include "leitong/error.h"
#include "records/json.h"
#include "records/row_range.h"

namespace leitong {
namespace {

using namespace records;

class ViewTable final : public ColumnSource, public std::enable_shared_from_this<ViewTable> {
 public:
  ViewTable(std::vector<TextColumn> columns, std::shared_ptr<const void> owner) : columns_(std::move(columns)), owner_(std::move(owner)) {
    for (const TextColumn& column : columns_) {
      if (column.values.size() != columns_.front().values.size())
        throw Error(ErrorCode::usage, fmt::format("column \"{}\" has {} values, column \"{}\" {}", column.name, column.values.size(),
                                                  columns_.front().name, columns_.front().values.size()));
      names_.push_back(column.name);
      for (const std::string_view value : column.values) bytes_ += value.size();
    }
  }

  [[nodiscard]] std::uint64_t rows() const override { return columns_.empty() ? 0 : columns_.front().values.size(); }
  [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }
  [[nodiscard]] const std::vector<std::string>& names() const override { return names_; }
  [[nodiscard]] std::unique_ptr<ColumnReader> read(const std::vector<std::string>& columns) const override;
  [[nodiscard]] std::unique_ptr<RowObjects> objects() const override;

  [[nodiscard]] const std::vector<TextColumn>& columns() const { return columns_; }

 private:
  std::vector<TextColumn> columns_;
  std::shared_ptr<const void> owner_;
  std::vector<std::string> names_;
  std::uint64_t bytes_ = 0;
};

std::unique_ptr<ColumnReader> ViewTable::read(const std::vector<std::string>& columns) const {
  RowLookup lookup;
  std::vector<const TextColumn*> found;
  for (const std::string& name : columns) {
    const auto column = std::ranges::find(columns_, name, &TextColumn::name);
    found.push_back(column == columns_.end() ? nullptr : &*column);
    lookup.types.push_back(column == columns_.end() ? ColumnType()
                           : column->json           ? ColumnType{ColumnKind::scalar, "json"}
                                                    : ColumnType{ColumnKind::text, "string"});
  }
  lookup.rows = rows(), lookup.bytes = bytes_;
  lookup.read = [table = shared_from_this(), found](std::uint64_t first, std::uint32_t rows, ColumnValues& out) {
    out.columns.resize(found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto begin = found[i] == nullptr ? std::vector<std::string_view>::const_iterator()
                                             : found[i]->values.begin() + static_cast<std::ptrdiff_t>(first);
      out.columns[i].assign(begin, begin + (found[i] == nullptr ? 0 : static_cast<std::ptrdiff_t>(rows)));
    }
  };
  return std::make_unique<RangeReader>(std::move(lookup));
}

class ViewRows final : public RowObjects {
 public:
  explicit ViewRows(std::shared_ptr<const ViewTable> table) : table_(std::move(table)) {}
  void append(std::uint64_t row, std::string& out) override {
    if (row >= table_->rows()) throw Error(ErrorCode::format, fmt::format("the table has no row {}", row));
    out.push_back('{');
    for (const TextColumn& column : table_->columns()) {
      if (out.back() != '{') out.push_back(',');
      append_json_string(out, column.name);
      out.push_back(':');
      const std::string_view value = column.values[row];
      if (value.data() == nullptr)
        out += "null";
      else if (column.json)
        out += value;
      else
        append_json_string(out, value);
    }
    out.push_back('}');
  }

 private:
  std::shared_ptr<const ViewTable> table_;
};

std::unique_ptr<RowObjects> ViewTable::objects() const { return std::make_unique<ViewRows>(shared_from_this()); }

}  // namespace

std::shared_ptr<const ColumnSource> table_of(std::vector<TextColumn> columns, std::shared_ptr<const void> owner) {
  return std::make_shared<ViewTable>(std::move(columns), std::move(owner));
}

}  // namespace leitong
