#include "parquet/arrow_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "leitong/error.h"
#include "parquet/arrow_reader.h"
#include "parquet/context.h"

namespace leitong::parquet {
namespace {

constexpr std::string_view magic = "ARROW1";

struct Block {  // a message in the file
  std::uint64_t offset = 0;
  std::uint64_t metadata_size = 0;
  std::uint64_t body_size = 0;
};

struct ArrowFile {
  std::shared_ptr<const storage::ReadableFile> bytes;
  std::string name;
  Limits limits;
  ArrowSchema schema;
  std::vector<Block> dictionaries, batches;
};

std::string read_bytes(const storage::ReadableFile& file, std::uint64_t offset, std::uint64_t size) {
  std::string bytes(size, '\0');
  file.read(offset, std::as_writable_bytes(std::span(bytes)));
  return bytes;
}

// A message's metadata stands behind its length, and that in newer files behind four bytes of ones.
std::string read_metadata(const ArrowFile& file, const Block& block) {
  std::string bytes = read_bytes(*file.bytes, block.offset, block.metadata_size);
  const FlatBytes flat(bytes);
  const std::size_t prefix = flat.at<std::uint32_t>(0) == 0xFFFFFFFFU ? 8 : 4;
  if (bytes.size() <= prefix) throw Error(ErrorCode::format, "a message without metadata");
  return bytes.substr(prefix);
}

std::vector<Block> read_blocks(const ArrowFile& file, const FlatVector& list) {
  std::vector<Block> blocks;
  const std::uint64_t size = file.bytes->size();
  for (std::uint32_t i = 0; i < list.size(); ++i) {
    const auto offset = list.number<std::int64_t>(i, 24), body = list.number<std::int64_t>(i, 24, 16);
    const auto metadata = list.number<std::int32_t>(i, 24, 8);
    const Block block{static_cast<std::uint64_t>(offset), static_cast<std::uint64_t>(metadata), static_cast<std::uint64_t>(body)};
    if (offset < 0 || metadata < 0 || body < 0 || block.offset > size || block.metadata_size > size - block.offset ||
        block.body_size > size - block.offset - block.metadata_size) {
      throw Error(ErrorCode::format, "a record batch lies beyond the end of the file");
    }
    if (block.metadata_size > file.limits.metadata_bytes)
      throw Error(ErrorCode::limit, fmt::format("metadata of {} bytes", block.metadata_size));
    blocks.push_back(block);
  }
  return blocks;
}

void read_arrow_footer(ArrowFile& file) {
  constexpr std::uint64_t tail_size = 10;  // length of the footer, magic
  const std::uint64_t size = file.bytes->size();
  if (size < 8 + tail_size) throw Error(ErrorCode::format, fmt::format("it has {} bytes, too few for an Arrow file", size));
  const std::string tail = read_bytes(*file.bytes, size - tail_size, tail_size);
  if (std::string_view(tail).substr(4) != magic)
    throw Error(ErrorCode::format, "it does not end as an Arrow file does: it is cut off, or was not closed");
  const auto length = FlatBytes(tail).at<std::int32_t>(0);
  if (length <= 0 || static_cast<std::uint64_t>(length) > size - 8 - tail_size)
    throw Error(ErrorCode::format, "its footer would be larger than the file");
  if (static_cast<std::uint64_t>(length) > file.limits.metadata_bytes)
    throw Error(ErrorCode::limit, fmt::format("a footer of {} bytes", length));
  const std::string bytes =
      read_bytes(*file.bytes, size - tail_size - static_cast<std::uint64_t>(length), static_cast<std::uint64_t>(length));
  const FlatTable footer = FlatTable::root(bytes);
  const std::optional<FlatTable> schema = footer.table(1);
  if (!schema) throw Error(ErrorCode::format, "its footer has no schema");
  file.schema = read_arrow_schema(*schema);
  file.dictionaries = read_blocks(file, footer.vector(2, 24));
  file.batches = read_blocks(file, footer.vector(3, 24));
}

class ArrowFileRows final : public RowReader {
 public:
  ArrowFileRows(const ArrowFile& file, std::span<const std::uint64_t> starts, std::span<const std::uint32_t> leaves)
      : file_(file),
        starts_(starts),
        rows_(in_context([&] { return file.name; }, [&] { return ArrowRows(file.schema, leaves, file.limits); })) {}

  bool next(Batch& batch, const BatchSize& size) override {
    batch = Batch{};
    if (row_ >= starts_.back()) return false;
    const auto after = std::upper_bound(starts_.begin(), starts_.end() - 1, row_);
    const auto group = static_cast<std::size_t>(after - starts_.begin()) - 1;
    in_context([&] { return fmt::format("{}: record batch {} at byte {}", file_.name, group, file_.batches[group].offset); },
               [&] {
                 load_dictionaries();
                 if (group_ != group) load(group);
                 rows_.read(row_ - starts_[group], size, batch);
               });
    batch.first_row = row_;
    batch.group = static_cast<std::uint32_t>(group);
    row_ += batch.rows;
    return true;
  }

  void seek(std::uint64_t row) override {
    if (row > starts_.back())
      throw Error(ErrorCode::usage, fmt::format("{}: there is no row {}, it has {}", file_.name, row, starts_.back()));
    row_ = row;
  }

 private:
  template <typename Use>
  void with(const Block& block, ArrowMessage kind, const Use& use) {
    const std::string metadata = read_metadata(file_, block);
    const ArrowHeader header = read_arrow_header(metadata);
    if (header.kind != kind) throw Error(ErrorCode::format, "a message of another kind than the footer says");
    use(*header.body, block.body_size, [&](std::uint64_t offset, std::uint64_t size, Owner& owner) {
      auto memory = std::make_shared<std::string>(read_bytes(*file_.bytes, block.offset + block.metadata_size + offset, size));
      owner = memory;
      return std::string_view(*memory);
    });
  }

  void load_dictionaries() {
    if (dictionaries_loaded_) return;
    for (const Block& block : file_.dictionaries) {
      with(block, ArrowMessage::dictionary,
           [&](const FlatTable& table, std::uint64_t size, const BodyBytes& body) { rows_.add_dictionary(table, size, body); });
    }
    dictionaries_loaded_ = true;
  }

  void load(std::size_t group) {
    group_.reset();
    with(file_.batches[group], ArrowMessage::batch,
         [&](const FlatTable& table, std::uint64_t size, const BodyBytes& body) { rows_.begin(table, size, body); });
    if (rows_.rows() != starts_[group + 1] - starts_[group])
      throw Error(ErrorCode::format, "the record batch has changed since the file was opened");
    group_ = group;
  }

  const ArrowFile& file_;
  std::span<const std::uint64_t> starts_;
  ArrowRows rows_;
  std::optional<std::size_t> group_;
  std::uint64_t row_ = 0;
  bool dictionaries_loaded_ = false;
};

class ArrowTable final : public Table {
 public:
  explicit ArrowTable(ArrowFile file) : file_(std::move(file)) {
    std::uint64_t rows = 0;
    for (const Block& block : file_.batches) {
      starts_.push_back(rows);
      const std::string metadata = read_metadata(file_, block);
      const ArrowHeader header = read_arrow_header(metadata);
      const auto length = header.body->number<std::int64_t>(0, 0);
      if (header.kind != ArrowMessage::batch || length < 0 || length > std::int64_t{1} << 50)
        throw Error(ErrorCode::format, "a record batch without rows");
      rows += static_cast<std::uint64_t>(length);
      if (rows > std::uint64_t{1} << 60U) throw Error(ErrorCode::format, "there are more rows than a file can have");
    }
    starts_.push_back(rows);
  }

  [[nodiscard]] const Schema& schema() const override { return *file_.schema.schema; }
  [[nodiscard]] const KeyValues& metadata() const override { return file_.schema.metadata; }
  [[nodiscard]] std::span<const std::uint64_t> group_starts() const override { return starts_; }
  [[nodiscard]] std::uint64_t group_end_offset(std::size_t group) const override {
    const Block& block = file_.batches[group];
    return block.offset + block.metadata_size + block.body_size;
  }
  [[nodiscard]] std::unique_ptr<RowReader> read(std::span<const std::uint32_t> leaves) const override {
    return std::make_unique<ArrowFileRows>(file_, starts_, leaves);
  }

 private:
  ArrowFile file_;
  std::vector<std::uint64_t> starts_;
};

}  // namespace

std::unique_ptr<Table> open_arrow_file(std::shared_ptr<const storage::ReadableFile> file, std::string name, const Limits& limits) {
  ArrowFile opened{std::move(file), std::move(name), limits, {}, {}, {}};
  const std::string of = opened.name;
  return in_context([&] { return of; },
                    [&]() -> std::unique_ptr<Table> {
                      read_arrow_footer(opened);
                      return std::make_unique<ArrowTable>(std::move(opened));
                    });
}

}  // namespace leitong::parquet
