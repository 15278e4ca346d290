// leitong/columns.h: tables that come over the Arrow C data interface.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <system_error>
#include <utility>

#include "leitong/columns.h"
#include "leitong/error.h"
#include "records/arrow_value.h"
#include "records/json.h"
#include "records/json_fields.h"
#include "records/row_range.h"

namespace leitong {
namespace {

using namespace records;

// Owns one of the interface's structures.
template <typename T>
class Owned {
 public:
  explicit Owned(T& from) : value_(std::exchange(from, T{})) {}
  Owned(Owned&& other) noexcept : value_(std::exchange(other.value_, T{})) {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  Owned& operator=(Owned&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Owned() {
    if (value_.release != nullptr) value_.release(&value_);
  }
  [[nodiscard]] const T& operator*() const { return value_; }
  [[nodiscard]] const T* operator->() const { return &value_; }
  [[nodiscard]] T& get() { return value_; }

 private:
  T value_;
};

// A path's way through the schema: into a child of a struct, to one element of a list or to each.
struct Step {
  enum class Kind : std::uint8_t { child, element, each } kind;
  std::int64_t number = 0;
};

struct Path {
  ColumnType type;
  std::vector<Step> steps;
  bool many = false;
};

std::string_view name_of(const ArrowSchema& schema) { return schema.name == nullptr ? std::string_view() : schema.name; }

const ArrowSchema* child_named(const ArrowSchema& schema, std::string_view name, std::vector<Step>& steps) {
  for (std::int64_t child = 0; child < schema.n_children; ++child) {
    if (name_of(*schema.children[child]) != name) continue;
    steps.push_back({Step::Kind::child, child});
    return schema.children[child];
  }
  return nullptr;
}

const ArrowSchema* element(const ArrowSchema& schema, const std::string& segment, std::vector<Step>& steps) {
  const bool each = segment == "*";
  if (!each && (segment.size() > 18 || segment.find_first_not_of("0123456789") != std::string::npos)) return nullptr;
  steps.push_back(each ? Step{Step::Kind::each} : Step{Step::Kind::element, std::stoll(segment)});
  return schema.children[0];
}

ColumnType column_type(const ArrowSchema& schema) {
  const ArrowType type = arrow_type(schema);
  if (schema.dictionary != nullptr) {
    ColumnType of_values = column_type(*schema.dictionary);
    of_values.name = "dictionary of " + of_values.name;
    return of_values;
  }
  const std::string name(type.name);
  if (is_bytes(type.layout)) return {ColumnKind::text, name};
  if (is_list(type.layout) || type.layout == ArrowLayout::structure) return {ColumnKind::nested, name};
  // Nothing but nulls: a column of strings that are all missing.
  if (type.layout == ArrowLayout::null) return {ColumnKind::text, name};
  return {type.layout == ArrowLayout::other ? ColumnKind::other : ColumnKind::scalar, name};
}

Path find_path(const ArrowSchema& table, const JsonPaths::Path& wanted) {
  Path path;
  const ArrowSchema* at = &table;
  for (const std::string& segment : wanted.segments) {
    const ArrowLayout layout = at->dictionary != nullptr ? ArrowLayout::other : arrow_type(*at).layout;
    at = layout == ArrowLayout::structure ? child_named(*at, segment, path.steps)
         : is_list(layout)                ? element(*at, segment, path.steps)
                                          : nullptr;
    if (at == nullptr) break;
  }
  if (at == nullptr) {
    path.steps.clear();
    at = child_named(table, wanted.name, path.steps);
  }
  if (at == nullptr) return path;
  path.type = column_type(*at);
  path.many = std::ranges::any_of(path.steps, [](const Step& step) { return step.kind == Step::Kind::each; });
  return path;
}

// What a path meets from a row on; `take` is called with each value, nulls left out.
template <typename Take>
void follow(const ArrowSchema& schema, const ArrowArray& array, std::int64_t index, const Step* step, const Step* end, const Take& take) {
  if (arrow_is_null(schema, array, index)) return;
  if (step == end) return take(schema, array, index);
  if (step->kind == Step::Kind::child) {
    const auto child = static_cast<std::size_t>(step->number);
    return follow(*schema.children[child], *array.children[child], index + array.offset, step + 1, end, take);
  }
  auto [first, behind] = arrow_elements(arrow_type(schema), array, index);
  if (step->kind == Step::Kind::element) {
    if (step->number >= behind - first) return;
    first += step->number;
    behind = first + 1;
  }
  for (; first < behind; ++first) follow(*schema.children[0], *array.children[0], first, step + 1, end, take);
}

class ArrowTable final : public ColumnSource, public std::enable_shared_from_this<ArrowTable> {
 public:
  ArrowTable(Owned<ArrowSchema> schema, std::vector<Owned<ArrowArray>> chunks, const std::string& name);

  [[nodiscard]] std::uint64_t rows() const override { return starts_.back(); }
  [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }
  [[nodiscard]] const std::vector<std::string>& names() const override { return names_; }
  [[nodiscard]] std::unique_ptr<ColumnReader> read(const std::vector<std::string>& columns) const override;
  [[nodiscard]] std::unique_ptr<RowObjects> objects() const override;

  [[nodiscard]] const ArrowSchema& schema() const { return table_schema_; }
  [[nodiscard]] std::size_t chunk_of(std::uint64_t row) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(starts_, row) - starts_.begin()) - 1;
  }
  [[nodiscard]] std::uint64_t start_of(std::size_t chunk) const { return starts_[chunk]; }
  [[nodiscard]] const ArrowArray& chunk(std::size_t index) const { return table_chunks_[index]; }

 private:
  Owned<ArrowSchema> schema_;
  std::vector<Owned<ArrowArray>> chunks_;
  // As tables: what came, or a struct of one column made around it.
  std::string name_;
  ArrowSchema column_{}, table_schema_{};
  ArrowSchema* column_pointer_ = &column_;
  std::vector<ArrowArray> columns_, table_chunks_;
  std::vector<ArrowArray*> column_pointers_;
  const void* no_bitmap_ = nullptr;
  std::vector<std::uint64_t> starts_{0};  // of the chunks, and the end
  std::vector<std::string> names_;
  std::uint64_t bytes_ = 0;
};

// Bytes of a column's strings, about; of anything else, of its values.
std::uint64_t bytes_of(const ArrowSchema& schema, const ArrowArray& array) {
  const ArrowType type = arrow_type(schema);
  const auto rows = static_cast<std::uint64_t>(array.length);
  if (schema.dictionary != nullptr || array.length == 0) return 4 * rows;
  if (type.layout == ArrowLayout::bytes32 || type.layout == ArrowLayout::bytes64) {
    const std::string_view first = arrow_bytes(type, array, 0), last = arrow_bytes(type, array, array.length - 1);
    return static_cast<std::uint64_t>(last.data() + last.size() - first.data());
  }
  if (type.layout == ArrowLayout::bytes_view) {  // the last buffer holds the sizes of those of the strings
    std::uint64_t sum = 16 * rows;
    for (std::int64_t i = 0; i + 3 < array.n_buffers; ++i) {
      std::int64_t size = 0;
      std::memcpy(&size, static_cast<const char*>(array.buffers[array.n_buffers - 1]) + 8 * i, sizeof size);
      sum += static_cast<std::uint64_t>(size);
    }
    return sum;
  }
  std::uint64_t sum = 8 * rows;
  for (std::int64_t child = 0; child < array.n_children && child < schema.n_children; ++child)
    sum += bytes_of(*schema.children[child], *array.children[child]);
  return sum;
}

ArrowTable::ArrowTable(Owned<ArrowSchema> schema, std::vector<Owned<ArrowArray>> chunks, const std::string& name)
    : schema_(std::move(schema)), chunks_(std::move(chunks)), name_(name) {
  const bool is_table = arrow_type(*schema_).layout == ArrowLayout::structure;
  table_schema_ = *schema_;
  if (!is_table) {
    column_ = *schema_;
    column_.name = name_.c_str();
    table_schema_ = ArrowSchema{};
    table_schema_.format = "+s";
    table_schema_.n_children = 1;
    table_schema_.children = &column_pointer_;
  }
  columns_.reserve(chunks_.size()), column_pointers_.reserve(chunks_.size());
  for (const Owned<ArrowArray>& chunk : chunks_) {
    check_arrow_array(*schema_, *chunk, is_table ? "records" : name_);
    table_chunks_.push_back(*chunk);
    if (!is_table) {
      columns_.push_back(*chunk);
      column_pointers_.push_back(&columns_.back());
      table_chunks_.back() = ArrowArray{};
      table_chunks_.back().length = chunk->length;
      table_chunks_.back().n_buffers = table_chunks_.back().n_children = 1;
      table_chunks_.back().buffers = &no_bitmap_;
      table_chunks_.back().children = &column_pointers_.back();
    }
    starts_.push_back(starts_.back() + static_cast<std::uint64_t>(chunk->length));
    bytes_ += bytes_of(table_schema_, table_chunks_.back());
  }
  for (std::int64_t child = 0; child < table_schema_.n_children; ++child) names_.emplace_back(name_of(*table_schema_.children[child]));
}

// The strings, or what others stand as in JSON; of a path with * the strings joined.
class Looked {
 public:
  Looked(const Path& path, ColumnValues& out) : path_(path), out_(out) {}

  std::string_view value(const ArrowTable& table, const ArrowArray& chunk, std::int64_t index) {
    found_ = {};
    joined_.clear();
    const Step* const steps = path_.steps.data();
    follow(table.schema(), chunk, index, steps, steps + path_.steps.size(),
           [this](const ArrowSchema& schema, const ArrowArray& array, std::int64_t at) { take(schema, array, at); });
    return joined_.empty() ? found_ : copy(joined_);
  }

 private:
  void take(const ArrowSchema& schema, const ArrowArray& array, std::int64_t index) {
    const ArrowType type = arrow_type(schema);
    if (schema.dictionary != nullptr) {
      const std::int64_t at = arrow_integer(type, array, index);
      if (at < 0 || at >= array.dictionary->length) throw Error(ErrorCode::format, "an Arrow array has an index beyond its dictionary");
      if (!arrow_is_null(*schema.dictionary, *array.dictionary, at)) take(*schema.dictionary, *array.dictionary, at);
    } else if (is_bytes(type.layout)) {
      add(arrow_bytes(type, array, index));
    } else if (!path_.many) {
      found_ = as_json(schema, array, index);
    }
  }

  void add(std::string_view text) {
    if (found_.data() == nullptr) {
      found_ = text.data() == nullptr ? std::string_view("") : text;
      return;
    }
    if (joined_.empty()) joined_ = found_;
    joined_.append("\n").append(text);
  }

  std::string_view as_json(const ArrowSchema& schema, const ArrowArray& array, std::int64_t index) {
    work_.clear();
    if (path_.type.kind == ColumnKind::other)
      work_ = "null";
    else
      append_arrow_json(schema, array, index, work_);
    return copy(work_);
  }

  std::string_view copy(std::string_view text) {
    char* to = out_.arena.reserve(out_.storage, text.size());
    std::memcpy(to, text.data(), text.size());
    out_.arena.use(text.size());
    return {to, text.size()};
  }

  const Path& path_;
  ColumnValues& out_;
  std::string_view found_;
  std::string joined_, work_;
};

void read_rows(const ArrowTable& table, const std::vector<Path>& paths, std::uint64_t first, std::uint32_t rows, ColumnValues& out) {
  out.arena.clear(out.storage);
  out.columns.resize(paths.size());
  for (std::size_t column = 0; column < paths.size(); ++column) {
    std::vector<std::string_view>& values = out.columns[column];
    values.clear();
    if (paths[column].type.kind == ColumnKind::missing) continue;
    values.reserve(rows);
    Looked looked(paths[column], out);
    std::size_t chunk = table.chunk_of(first);
    for (std::uint64_t row = first; row < first + rows; ++row) {
      while (row >= table.start_of(chunk + 1)) ++chunk;
      values.push_back(looked.value(table, table.chunk(chunk), static_cast<std::int64_t>(row - table.start_of(chunk))));
    }
  }
}

class ArrowRows final : public RowObjects {
 public:
  explicit ArrowRows(std::shared_ptr<const ArrowTable> table) : table_(std::move(table)) {}
  void append(std::uint64_t row, std::string& out) override {
    if (row >= table_->rows()) throw Error(ErrorCode::format, fmt::format("the table has no row {}", row));
    const std::size_t chunk = table_->chunk_of(row);
    append_arrow_json(table_->schema(), table_->chunk(chunk), static_cast<std::int64_t>(row - table_->start_of(chunk)), out);
  }

 private:
  std::shared_ptr<const ArrowTable> table_;
};

std::unique_ptr<ColumnReader> ArrowTable::read(const std::vector<std::string>& columns) const {
  RowLookup lookup;
  std::vector<Path> paths;
  const JsonPaths wanted(columns);
  for (const JsonPaths::Path& path : wanted.paths()) paths.push_back(find_path(table_schema_, path));
  for (const Path& path : paths) lookup.types.push_back(path.type);
  lookup.rows = rows(), lookup.bytes = bytes_;
  lookup.read = [table = shared_from_this(), found = std::move(paths)](std::uint64_t first, std::uint32_t rows, ColumnValues& out) {
    read_rows(*table, found, first, rows, out);
  };
  return std::make_unique<RangeReader>(std::move(lookup));
}

std::unique_ptr<RowObjects> ArrowTable::objects() const { return std::make_unique<ArrowRows>(shared_from_this()); }

[[noreturn]] void refuse_stream(ArrowArrayStream& stream, int error) {
  const char* message = stream.get_last_error(&stream);
  throw Error(ErrorCode::format, fmt::format("the Arrow stream ends with an error: {}",
                                             message != nullptr ? message : std::generic_category().message(error)));
}

}  // namespace

std::shared_ptr<const ColumnSource> table_of(ArrowArrayStream& from, const std::string& name) {
  Owned<ArrowArrayStream> stream(from);
  ArrowSchema schema{};
  if (const int error = stream->get_schema(&stream.get(), &schema); error != 0) refuse_stream(stream.get(), error);
  Owned<ArrowSchema> owned(schema);
  std::vector<Owned<ArrowArray>> chunks;
  while (true) {
    ArrowArray array{};
    if (const int error = stream->get_next(&stream.get(), &array); error != 0) refuse_stream(stream.get(), error);
    if (array.release == nullptr) break;
    Owned<ArrowArray> chunk(array);
    if (chunk->length > 0) chunks.push_back(std::move(chunk));
  }
  return std::make_shared<ArrowTable>(std::move(owned), std::move(chunks), name);
}

std::shared_ptr<const ColumnSource> table_of(ArrowSchema& schema, std::vector<ArrowArray> from, const std::string& name) {
  Owned<ArrowSchema> owned(schema);
  std::vector<Owned<ArrowArray>> chunks;
  for (ArrowArray& array : from) chunks.emplace_back(array);
  std::erase_if(chunks, [](const Owned<ArrowArray>& chunk) { return chunk->length == 0; });
  return std::make_shared<ArrowTable>(std::move(owned), std::move(chunks), name);
}

std::uint64_t rows_of(const ColumnSource& table) { return table.rows(); }

}  // namespace leitong
