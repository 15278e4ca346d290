#include "parquet/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "leitong/error.h"
#include "parquet/column_writer.h"
#include "parquet/thrift.h"

namespace leitong::parquet {
namespace {

constexpr std::uint32_t rows_between_looks = 1024;  // at the size of the row group

}  // namespace

struct Writer::Impl {
  Impl(Sink to, const Schema& of, WriterOptions with)
      : sink(std::move(to)), schema(of), options(std::move(with)), packer(options.codec, options.level) {
    if (options.row_group_rows == 0) options.row_group_rows = 1;
    for (std::uint32_t leaf = 0; leaf < schema.leaf_count(); ++leaf)
      columns.push_back(std::make_unique<ColumnWriter>(schema, leaf, options, packer));
    write("PAR1");
  }

  void write(std::string_view bytes) {
    sink(bytes);
    offset += bytes.size();
  }

  void check(const Batch& batch) const {
    bool good = batch.columns.size() == schema.leaf_count();
    for (std::size_t leaf = 0; good && leaf < batch.columns.size(); ++leaf)
      good = batch.columns[leaf].max_definition == schema.leaf(leaf).definition_level;
    if (!good) throw Error(ErrorCode::usage, "the columns of a batch are not those of the schema that is written");
  }

  [[nodiscard]] std::uint64_t packed_size() const {
    std::uint64_t size = 0;
    for (const auto& column : columns) size += column->packed_size();
    return size;
  }

  void end_row_group() {
    if (group_rows == 0) return;
    const std::uint64_t begin = offset;
    std::uint64_t size = 0;
    std::vector<std::string> chunks;
    for (const auto& column : columns) {
      const ColumnWriter::Chunk chunk = column->finish(offset);
      write(chunk.bytes);
      size += chunk.size;
      chunks.push_back(chunk.metadata);
    }
    ThriftWriter group;
    group.begin_list(1, ThriftType::structure, chunks.size());
    for (const std::string& chunk : chunks) group.element_raw(chunk);
    group.i64(2, static_cast<std::int64_t>(size));
    group.i64(3, static_cast<std::int64_t>(group_rows));
    group.i64(5, static_cast<std::int64_t>(begin));
    group.i64(6, static_cast<std::int64_t>(offset - begin));
    groups.push_back(group.take());
    group_rows = 0;
  }

  [[nodiscard]] std::string footer() const {
    ThriftWriter writer;
    writer.i32(1, 2);
    writer.begin_list(2, ThriftType::structure, schema.nodes().size());
    for (const Node& node : schema.nodes()) writer.element_raw(node.thrift);
    writer.i64(3, static_cast<std::int64_t>(rows));
    writer.begin_list(4, ThriftType::structure, groups.size());
    for (const std::string& group : groups) writer.element_raw(group);
    if (!options.metadata.empty()) {
      writer.begin_list(5, ThriftType::structure, options.metadata.size());
      for (const auto& [key, value] : options.metadata) {
        writer.begin_element();
        writer.binary(1, key);
        if (value) writer.binary(2, *value);
        writer.end_struct();
      }
    }
    writer.binary(6, options.created_by.empty() ? "leitong version " LEITONG_VERSION : options.created_by);
    return writer.take();
  }

  Sink sink;
  const Schema& schema;
  WriterOptions options;
  Packer packer;
  std::vector<std::unique_ptr<ColumnWriter>> columns;
  std::vector<std::string> groups;  // encoded
  std::uint64_t offset = 0, rows = 0, group_rows = 0;
};

Writer::Writer(Sink sink, const Schema& schema, WriterOptions options)
    : impl_(std::make_unique<Impl>(std::move(sink), schema, std::move(options))) {}
Writer::~Writer() = default;

void Writer::append(const Batch& batch, std::uint32_t first, std::uint32_t end) {
  Impl& impl = *impl_;
  impl.check(batch);
  end = std::min(end, batch.rows);
  while (first < end) {
    const auto part = static_cast<std::uint32_t>(
        std::min<std::uint64_t>({end - first, impl.options.row_group_rows - impl.group_rows, rows_between_looks}));
    for (std::size_t leaf = 0; leaf < impl.columns.size(); ++leaf) impl.columns[leaf]->append(batch.columns[leaf], first, first + part);
    first += part;
    impl.rows += part;
    impl.group_rows += part;
    if (impl.group_rows >= impl.options.row_group_rows || impl.packed_size() >= impl.options.row_group_bytes) impl.end_row_group();
  }
}

void Writer::end_row_group() { impl_->end_row_group(); }

void Writer::finish() {
  Impl& impl = *impl_;
  impl.end_row_group();
  const std::string footer = impl.footer();
  impl.write(footer);
  char tail[8] = {0, 0, 0, 0, 'P', 'A', 'R', '1'};
  const auto size = static_cast<std::uint32_t>(footer.size());
  std::memcpy(tail, &size, 4);
  impl.write({tail, sizeof tail});
}

std::uint64_t Writer::rows() const { return impl_->rows; }

std::uint64_t largest_group(std::span<const std::uint64_t> group_starts) {
  std::uint64_t largest = 1;
  for (std::size_t i = 1; i < group_starts.size(); ++i) largest = std::max(largest, group_starts[i] - group_starts[i - 1]);
  return largest;
}

}  // namespace leitong::parquet
