#include "records/column_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>

#include "leitong/error.h"
#include "parquet/row_json.h"
#include "records/json_fields.h"
#include "records/spool.h"
#include "storage/vfs.h"

namespace leitong::records {
namespace {

// A wanted column: where it stands, and how its values are given.
struct Wanted {
  ColumnType type;
  std::size_t column = 0;  // of the batch
  const parquet::Node* node = nullptr;
  bool many = false;
};

struct Choice {
  std::vector<Wanted> wanted;
  std::vector<std::uint32_t> leaves;  // each once
  std::vector<ColumnType> types;
  std::shared_ptr<const void> owner;  // of the schema: batches outlive their reader
};

ColumnType type_of(const parquet::Schema& schema, const parquet::Found& found, bool each) {
  const bool below_list = found.node->repetition_level > 0;
  const std::string name = (below_list ? "list of " : "") + schema.type_name(*found.node);
  if (found.is_text || (found.is_texts && each)) return {ColumnKind::text, name};
  if (below_list) return {each ? ColumnKind::scalar : ColumnKind::nested, name};
  return {ColumnKind::scalar, name};
}

Choice choose(const parquet::Schema& schema, const std::vector<std::string>& columns) {
  Choice choice;
  const JsonPaths paths(columns);
  for (const JsonPaths::Path& path : paths.paths()) {
    Wanted& wanted = choice.wanted.emplace_back();
    if (const auto found = schema.find(path.name)) {
      const auto at = std::ranges::find(choice.leaves, found->leaf);
      wanted.column = static_cast<std::size_t>(at - choice.leaves.begin());
      if (at == choice.leaves.end()) choice.leaves.push_back(found->leaf);
      wanted.node = found->node;
      wanted.many = found->is_texts;
      wanted.type = type_of(schema, *found, path.many);
    }
    choice.types.push_back(wanted.type);
  }
  return choice;
}

std::string_view not_null(std::string_view text) { return text.data() == nullptr ? std::string_view("") : text; }

class FileBatch final : public ColumnBatch {
 public:
  explicit FileBatch(std::shared_ptr<const Choice> choice) : choice_(std::move(choice)) {}
  parquet::Batch batch;

  [[nodiscard]] std::uint64_t first_row() const override { return batch.first_row; }
  [[nodiscard]] std::uint32_t rows() const override { return batch.rows; }
  [[nodiscard]] const std::vector<ColumnType>& types() const override { return choice_->types; }
  void read(ColumnValues& out) const override {
    out.arena.clear(out.storage);
    out.columns.resize(choice_->wanted.size());
    for (std::size_t i = 0; i < choice_->wanted.size(); ++i) {
      const Wanted& wanted = choice_->wanted[i];
      out.columns[i].clear();
      if (wanted.type.kind == ColumnKind::missing) continue;
      out.columns[i].reserve(batch.rows);
      const parquet::Column& column = batch.columns[wanted.column];
      for (std::uint32_t row = 0; row < batch.rows; ++row) out.columns[i].push_back(value(wanted, column, row, out));
    }
  }

 private:
  static std::string_view value(const Wanted& wanted, const parquet::Column& column, std::uint32_t row, ColumnValues& out) {
    if (wanted.type.kind == ColumnKind::text) {
      if (wanted.many) return joined(column, row, out);
      const auto text = column.text(row);
      return text ? not_null(*text) : std::string_view();
    }
    const std::size_t entry = column.row_begin(row);
    if (wanted.type.kind == ColumnKind::nested || column.is_null(entry)) return {};
    std::string json;
    parquet::append_value_json(json, *wanted.node, column, entry);
    return copy(json, out);
  }

  static std::string_view joined(const parquet::Column& column, std::uint32_t row, ColumnValues& out) {
    std::string_view only;
    std::string all;
    for (std::size_t entry = column.row_begin(row); entry < column.row_end(row); ++entry) {
      if (column.is_null(entry)) continue;
      if (only.data() == nullptr) {
        only = not_null(column.strings[entry]);
        continue;
      }
      if (all.empty()) all = only;
      all.append("\n").append(column.strings[entry]);
    }
    return all.empty() ? only : copy(all, out);
  }

  static std::string_view copy(std::string_view text, ColumnValues& out) {
    char* to = out.arena.reserve(out.storage, text.size());
    std::memcpy(to, text.data(), text.size());
    out.arena.use(text.size());
    return {to, text.size()};
  }

  std::shared_ptr<const Choice> choice_;
};

// Rows of a file or a stream, whichever reader gives them.
class FileRows final : public ColumnReader {
 public:
  using Taken = std::function<std::uint64_t(std::uint64_t row)>;  // bytes of the source up to a row
  FileRows(std::shared_ptr<const void> owner, std::unique_ptr<parquet::RowReader> rows, Choice choice, Taken taken)
      : rows_(std::move(rows)), taken_(std::move(taken)) {
    choice.owner = std::move(owner);
    choice_ = std::make_shared<const Choice>(std::move(choice));
  }
  [[nodiscard]] const std::vector<ColumnType>& types() const override { return choice_->types; }
  std::shared_ptr<const ColumnBatch> next(std::uint32_t most_rows, std::size_t bytes) override {
    auto batch = std::make_shared<FileBatch>(choice_);
    if (!rows_->next(batch->batch, {most_rows, bytes})) return nullptr;
    next_ = batch->batch.first_row + batch->batch.rows;
    return batch;
  }
  void seek(std::uint64_t row) override { rows_->seek(row); }
  [[nodiscard]] std::uint64_t taken() const override { return taken_(next_); }

 private:
  std::shared_ptr<const Choice> choice_;  // holds the table, which the reader needs
  std::unique_ptr<parquet::RowReader> rows_;
  Taken taken_;
  std::uint64_t next_ = 0;
};

// Rows as objects, those that follow each other read together.
class FileObjects final : public RowObjects {
 public:
  FileObjects(std::shared_ptr<const void> owner, const parquet::Schema& schema, std::unique_ptr<parquet::RowReader> rows)
      : owner_(std::move(owner)), json_(schema), rows_(std::move(rows)) {}
  void append(std::uint64_t row, std::string& out) override {
    if (batch_.rows == 0 || row < batch_.first_row || row >= batch_.first_row + batch_.rows) load(row);
    json_.append(out, batch_, static_cast<std::size_t>(row - batch_.first_row));
  }

 private:
  void load(std::uint64_t row) {
    ahead_ = next_rows_ahead(ahead_, row, batch_.first_row + batch_.rows);
    rows_->seek(row);
    batch_.rows = 0;
    if (!rows_->next(batch_, {ahead_, std::size_t{1} << 20})) throw Error(ErrorCode::format, fmt::format("there is no row {}", row));
  }

  std::shared_ptr<const void> owner_;
  parquet::RowJson json_;
  std::unique_ptr<parquet::RowReader> rows_;
  parquet::Batch batch_;
  std::uint32_t ahead_ = 0;
};

std::vector<std::string> names_of(const parquet::Schema& schema) {
  std::vector<std::string> names;
  for (const std::uint32_t child : schema.root().children) names.push_back(schema.nodes()[child].name);
  return names;
}

class TableFile final : public ColumnFile, public std::enable_shared_from_this<TableFile> {
 public:
  TableFile(std::unique_ptr<parquet::Table> table, std::uint64_t bytes)
      : table_(std::move(table)), bytes_(bytes), names_(names_of(table_->schema())) {}
  [[nodiscard]] std::optional<std::uint64_t> rows() const override { return table_->rows(); }
  [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }
  [[nodiscard]] const std::vector<std::string>& names() const override { return names_; }
  [[nodiscard]] const parquet::Schema& schema() const override { return table_->schema(); }
  [[nodiscard]] const parquet::KeyValues& metadata() const override { return table_->metadata(); }
  [[nodiscard]] std::span<const std::uint64_t> group_starts() const override { return table_->group_starts(); }
  [[nodiscard]] std::unique_ptr<parquet::RowReader> read_rows() const override { return table_->read_all(); }
  [[nodiscard]] std::unique_ptr<ColumnReader> read(const std::vector<std::string>& columns) const override {
    Choice choice = choose(table_->schema(), columns);
    auto rows = table_->read(choice.leaves);
    const double a_row = static_cast<double>(bytes_) / static_cast<double>(std::max<std::uint64_t>(table_->rows(), 1));
    return std::make_unique<FileRows>(shared_from_this(), std::move(rows), std::move(choice),
                                      [a_row](std::uint64_t row) { return static_cast<std::uint64_t>(static_cast<double>(row) * a_row); });
  }
  [[nodiscard]] std::unique_ptr<RowObjects> objects() const override {
    return std::make_unique<FileObjects>(shared_from_this(), table_->schema(), table_->read_all());
  }

 private:
  std::unique_ptr<parquet::Table> table_;
  std::uint64_t bytes_;
  std::vector<std::string> names_;
};

// Bytes one after the other, of which the owner is held.
parquet::ReadBytes bytes_of(std::shared_ptr<ByteStream> stream) {
  return [stream = std::move(stream)](std::span<std::byte> out) {
    const std::size_t got = stream->read(reinterpret_cast<char*>(out.data()), out.size());
    if (got < out.size() && !stream->fault().empty()) throw Error(ErrorCode::format, stream->fault());
    return got;
  };
}

// A stream that can be opened again: going back begins anew.
class ReopenedStream final : public parquet::RowReader {
 public:
  using Open = std::function<std::unique_ptr<parquet::StreamReader>()>;
  ReopenedStream(Open open, std::vector<std::uint32_t> leaves) : open_(std::move(open)), leaves_(std::move(leaves)) { begin(); }
  bool next(parquet::Batch& batch, const parquet::BatchSize& size) override {
    if (!stream_->next(batch, size)) return false;
    next_ = batch.first_row + batch.rows;
    return true;
  }
  void seek(std::uint64_t row) override {
    if (row < next_) begin();
    stream_->seek(row);
    next_ = row;
  }
  [[nodiscard]] std::uint64_t offset() const { return stream_->offset(); }

 private:
  void begin() {
    stream_ = open_();
    stream_->choose(leaves_);
    next_ = 0;
  }

  Open open_;
  std::vector<std::uint32_t> leaves_;
  std::unique_ptr<parquet::StreamReader> stream_;
  std::uint64_t next_ = 0;
};

class StreamFile final : public ColumnFile, public std::enable_shared_from_this<StreamFile> {
 public:
  StreamFile(ReopenedStream::Open open, std::uint64_t bytes)
      : open_(std::move(open)), bytes_(bytes), first_(open_()), names_(names_of(first_->schema())) {}
  [[nodiscard]] std::optional<std::uint64_t> rows() const override { return std::nullopt; }
  [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }
  [[nodiscard]] const std::vector<std::string>& names() const override { return names_; }
  [[nodiscard]] const parquet::Schema& schema() const override { return first_->schema(); }
  [[nodiscard]] const parquet::KeyValues& metadata() const override { return first_->metadata(); }
  [[nodiscard]] std::span<const std::uint64_t> group_starts() const override { return {}; }
  [[nodiscard]] std::unique_ptr<parquet::RowReader> read_rows() const override {
    std::vector<std::uint32_t> leaves(first_->schema().leaf_count());
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) leaves[leaf] = static_cast<std::uint32_t>(leaf);
    return std::make_unique<ReopenedStream>(open_, std::move(leaves));
  }
  [[nodiscard]] std::unique_ptr<ColumnReader> read(const std::vector<std::string>& columns) const override {
    Choice choice = choose(first_->schema(), columns);
    auto rows = std::make_unique<ReopenedStream>(open_, choice.leaves);
    const ReopenedStream* const stream = rows.get();
    return std::make_unique<FileRows>(shared_from_this(), std::move(rows), std::move(choice),
                                      [stream](std::uint64_t) { return stream->offset(); });
  }
  [[nodiscard]] std::unique_ptr<RowObjects> objects() const override {
    return std::make_unique<FileObjects>(shared_from_this(), first_->schema(), read_rows());
  }

 private:
  ReopenedStream::Open open_;
  std::uint64_t bytes_;
  std::unique_ptr<parquet::StreamReader> first_;  // for its schema
  std::vector<std::string> names_;
};

class ArrivingStream final : public ColumnSource, public std::enable_shared_from_this<ArrivingStream> {
 public:
  ArrivingStream(ByteStream& stream, const std::string& name)
      : stream_(parquet::open_arrow_stream(
            [&stream](std::span<std::byte> out) {
              const std::size_t got = stream.read(reinterpret_cast<char*>(out.data()), out.size());
              if (got < out.size() && !stream.fault().empty()) throw Error(ErrorCode::format, stream.fault());
              return got;
            },
            name)),
        names_(names_of(stream_->schema())) {}
  [[nodiscard]] std::optional<std::uint64_t> rows() const override { return std::nullopt; }
  [[nodiscard]] std::uint64_t bytes() const override { return 0; }
  [[nodiscard]] const std::vector<std::string>& names() const override { return names_; }
  [[nodiscard]] std::unique_ptr<ColumnReader> read(const std::vector<std::string>& columns) const override {
    Choice choice = choose(stream_->schema(), columns);
    stream_->choose(choice.leaves);
    parquet::StreamReader* const stream = stream_.get();
    return std::make_unique<FileRows>(shared_from_this(), std::make_unique<Borrowed>(*stream), std::move(choice),
                                      [stream](std::uint64_t) { return stream->offset(); });
  }
  [[nodiscard]] std::unique_ptr<RowObjects> objects() const override {
    throw Error(ErrorCode::unsupported, "a stream that arrives cannot be read a second time");
  }

 private:
  class Borrowed final : public parquet::RowReader {
   public:
    explicit Borrowed(parquet::StreamReader& stream) : stream_(stream) {}
    bool next(parquet::Batch& batch, const parquet::BatchSize& size) override { return stream_.next(batch, size); }
    void seek(std::uint64_t row) override { stream_.seek(row); }

   private:
    parquet::StreamReader& stream_;
  };

  std::unique_ptr<parquet::StreamReader> stream_;
  std::vector<std::string> names_;
};

// The bytes of a spool as those of a file.
class SpooledFile final : public storage::ReadableFile {
 public:
  explicit SpooledFile(const std::string& path) : reader_(path), size_(reader_.size()) {}
  [[nodiscard]] std::uint64_t size() const override { return size_; }
  void read(std::uint64_t offset, std::span<std::byte> out) const override {
    const std::lock_guard lock(mutex_);
    reader_.seek(offset);
    if (reader_.read(reinterpret_cast<char*>(out.data()), out.size()) != out.size()) throw Error(ErrorCode::format, "it ends too early");
  }

 private:
  mutable std::mutex mutex_;
  mutable SpoolReader reader_;
  std::uint64_t size_;
};

std::string head_of(const storage::ReadableFile& file) {
  std::string head(std::min<std::uint64_t>(file.size(), column_file_head), '\0');
  file.read(0, std::as_writable_bytes(std::span(head)));
  return head;
}

std::shared_ptr<const ColumnFile> open_columns(std::shared_ptr<const storage::ReadableFile> file, const std::string& name,
                                               const std::function<std::unique_ptr<ByteStream>()>& open_stream) {
  const std::uint64_t bytes = file->size();
  const std::string head = head_of(*file);
  if (!parquet::table_format(head) && parquet::may_be_arrow_stream(head))
    return std::make_shared<StreamFile>([open_stream, name] { return parquet::open_arrow_stream(bytes_of(open_stream()), name); }, bytes);
  return std::make_shared<TableFile>(parquet::open_table(std::move(file), name), bytes);
}

}  // namespace

std::optional<Format> column_format(std::string_view head) {
  if (const auto format = parquet::table_format(head)) return format == parquet::TableFormat::parquet ? Format::parquet : Format::arrow;
  return parquet::may_be_arrow_stream(head) ? std::optional(Format::arrow) : std::nullopt;
}

bool is_arrow_stream(std::string_view head) { return !parquet::table_format(head); }

std::shared_ptr<const ColumnFile> open_column_file(const std::string& path, const std::string& name) {
  return open_columns(storage::posix_vfs().open(path), name, [path]() -> std::unique_ptr<ByteStream> {
    std::string error;
    auto file = open_file(path, true, error);
    if (!file) throw Error(ErrorCode::io, fmt::format("{}: {}", path, error));
    return file;
  });
}

std::shared_ptr<const ColumnFile> open_spooled_columns(const std::string& spool, const std::string& name) {
  return open_columns(std::make_shared<SpooledFile>(spool), name,
                      [spool]() -> std::unique_ptr<ByteStream> { return std::make_unique<SpoolReader>(spool); });
}

std::shared_ptr<const ColumnSource> open_arriving_columns(ByteStream& stream, const std::string& name) {
  return std::make_shared<ArrivingStream>(stream, name);
}

}  // namespace leitong::records
