// Reading of table files, every block verified.

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>

#include "leitong/error.h"
#include "storage/table.h"
#include "storage/table_format.h"

namespace leitong::storage {

struct TableReader::Impl {
  Impl(Vfs& vfs, std::string p) : path(std::move(p)), file(vfs.open(path)) {
    ParsedFile parsed = parse_file(file->size(), [&](std::uint64_t offset, std::span<std::byte> out) { file->read(offset, out); }, path);
    footer = std::move(parsed.footer);
    identity = std::move(parsed.identity);
    first_rows.assign(1, 0);
    for (const std::uint32_t rows : footer.block_rows) first_rows.push_back(first_rows.back() + rows);
  }

  [[nodiscard]] const Chunk& chunk(std::size_t column, std::size_t block) const {
    const std::size_t columns = footer.schema.columns.size();
    if (column >= columns || block >= footer.block_rows.size())
      throw Error(ErrorCode::usage, fmt::format("{}: there is no column {} in block {}", path, column, block));
    return footer.chunks[block * columns + column];
  }

  void verify(bool good, const Chunk& chunk, std::size_t column, std::string_view what) const {
    if (!good) broken(path, chunk.offset, fmt::format("{} in column {}", what, footer.schema.columns[column].name));
  }

  void read_fixed(std::size_t column, std::size_t block, std::span<std::byte> out) const {
    const Chunk& part = chunk(column, block);
    if (footer.schema.columns[column].width == 0 || out.size() != part.length)
      throw Error(ErrorCode::usage, fmt::format("{}: column {} is variable, or its buffer does not have the block's size", path,
                                                footer.schema.columns[column].name));
    file->read(part.offset, out);
    verify(XXH3_64bits(out.data(), out.size()) == part.checksum, part, column, "the checksum differs");
  }

  void read_variable(std::size_t column, std::size_t block, std::vector<std::uint32_t>& ends, std::vector<std::byte>& bytes) const {
    const Chunk& part = chunk(column, block);
    ends.resize(footer.block_rows[block] + std::size_t{1});
    const std::size_t head = ends.size() * sizeof(std::uint32_t);
    bytes.resize(static_cast<std::size_t>(part.length) - head);
    file->read(part.offset, std::as_writable_bytes(std::span(ends)));
    file->read(part.offset + head, bytes);
    const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> hash(XXH3_createState(), XXH3_freeState);
    XXH3_64bits_reset(hash.get());
    XXH3_64bits_update(hash.get(), ends.data(), head);
    XXH3_64bits_update(hash.get(), bytes.data(), bytes.size());
    verify(XXH3_64bits_digest(hash.get()) == part.checksum, part, column, "the checksum differs");
    // A checksum is no proof of good sense: who writes the file writes the checksum too.
    verify(ends.front() == 0 && ends.back() == bytes.size() && std::is_sorted(ends.begin(), ends.end()), part, column,
           "the ends of the rows are out of order");
    ends.erase(ends.begin());
  }

  std::string path, identity;
  std::unique_ptr<ReadableFile> file;
  Footer footer;
  std::vector<std::uint64_t> first_rows;
};

TableReader::TableReader(Vfs& vfs, std::string path, std::string_view expected_kind, std::uint32_t newest_version)
    : impl_(std::make_unique<Impl>(vfs, std::move(path))) {
  check_kind(schema(), expected_kind, newest_version, impl_->path);
}

TableReader::~TableReader() = default;
TableReader::TableReader(TableReader&&) noexcept = default;

const Schema& TableReader::schema() const { return impl_->footer.schema; }
const std::string& TableReader::metadata() const { return impl_->footer.metadata; }
const std::string& TableReader::identity() const { return impl_->identity; }
const std::string& TableReader::path() const { return impl_->path; }
std::uint64_t TableReader::rows() const { return impl_->footer.rows; }
std::size_t TableReader::blocks() const { return impl_->footer.block_rows.size(); }
std::uint64_t TableReader::first_row(std::size_t block) const { return impl_->first_rows.at(block); }
std::uint32_t TableReader::block_rows(std::size_t block) const { return impl_->footer.block_rows.at(block); }

std::size_t TableReader::column(std::string_view name) const {
  const auto& columns = schema().columns;
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& column) { return column.name == name; });
  if (found == columns.end())
    throw Error(ErrorCode::format, fmt::format("{}: the table of kind '{}' has no column '{}'", impl_->path, schema().kind, name));
  return static_cast<std::size_t>(found - columns.begin());
}

bool TableReader::has_column(std::string_view name) const {
  const auto& columns = schema().columns;
  return std::any_of(columns.begin(), columns.end(), [&](const Column& column) { return column.name == name; });
}

void TableReader::require_width(std::size_t column, std::size_t width) const {
  const Column& found = schema().columns.at(column);
  if (found.width != width)
    throw Error(ErrorCode::format, fmt::format("{}: column '{}' takes {} bytes a row (0: any number), where {} are wanted", impl_->path,
                                               found.name, found.width, width));
}

void TableReader::read_column(std::size_t column, std::size_t block, std::span<std::byte> out) const {
  impl_->read_fixed(column, block, out);
}

void TableReader::read_block(std::size_t block, std::span<const std::size_t> columns, Block& out) const {
  if (out.data_.size() != schema().columns.size())
    throw Error(ErrorCode::usage, fmt::format("{}: read into a block of another schema", impl_->path));
  out.clear();
  for (const std::size_t c : columns) {
    const Chunk& part = impl_->chunk(c, block);
    Block::Data& data = out.data_[c];
    data.width = schema().columns[c].width;
    if (data.width == 0) {
      impl_->read_variable(c, block, data.ends, data.bytes);
    } else {
      data.bytes.resize(static_cast<std::size_t>(part.length));
      impl_->read_fixed(c, block, data.bytes);
    }
  }
  out.was_read_ = true;
  out.read_rows_ = block_rows(block);
}

void TableReader::check() const {
  Block block(schema());
  for (std::size_t b = 0; b < blocks(); ++b)
    for (std::size_t c = 0; c < schema().columns.size(); ++c) read_block(b, std::span(&c, 1), block);
}

}  // namespace leitong::storage
