#include "parquet/arrow_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "leitong/error.h"
#include "parquet/context.h"

namespace leitong::parquet {
namespace {

// A field with dictionary `id`, wherever it stands.
const ArrowField* with_dictionary(const std::vector<ArrowField>& fields, std::int64_t id) {
  for (const ArrowField& field : fields) {
    if (field.dictionary == id) return &field;
    if (!field.is_readable()) continue;
    if (const ArrowField* found = with_dictionary(field.children, id)) return found;
  }
  return nullptr;
}

}  // namespace

ArrowHeader read_arrow_header(std::string_view bytes) {
  const FlatTable message = FlatTable::root(bytes);
  ArrowHeader header;
  // Versions before 1.0 lay unions out in another way: 3 is V4, 4 is V5.
  if (message.number<std::int16_t>(0, 0) < 3) throw Error(ErrorCode::unsupported, "it was written by an Arrow older than 0.8");
  header.kind = static_cast<ArrowMessage>(message.number<std::uint8_t>(1, 0));
  header.body = message.table(2);
  const auto size = message.number<std::int64_t>(3, 0);
  if (size < 0 || !header.body) throw Error(ErrorCode::format, "a message that is not complete");
  header.body_size = static_cast<std::uint64_t>(size);
  return header;
}

ArrowRows::ArrowRows(const ArrowSchema& schema, std::span<const std::uint32_t> leaves, const Limits& limits)
    : schema_(schema), limits_(limits), wanted_(schema.fields.size(), false) {
  for (const std::uint32_t leaf : leaves) {
    if (leaf >= schema.schema->leaf_count()) throw Error(ErrorCode::usage, fmt::format("there is no column {}", leaf));
    in_context([&] { return "column " + schema.schema->dotted_path_of(leaf); }, [&] { columns_.emplace_back(schema, leaf); });
    wanted_[columns_.back().field()] = true;
  }
}

void ArrowRows::add_dictionary(const FlatTable& table, std::uint64_t body_size, const BodyBytes& body) {
  const auto id = table.number<std::int64_t>(0, 0);
  const std::optional<FlatTable> data = table.table(1);
  if (!data) throw Error(ErrorCode::format, "a dictionary without values");
  const bool needed =
      std::any_of(columns_.begin(), columns_.end(), [&](const ArrowColumn& column) { return column.leaf_field().dictionary == id; });
  if (!needed) return;
  ArrowField values = values_of(*with_dictionary(schema_.fields, id));
  ArrowBatch batch = read_arrow_batch({std::move(values)}, {true}, {*data, body_size, body}, limits_);
  const bool is_delta = table.number<std::uint8_t>(2, 0) != 0;
  // Columns that were given away may still point to the old one.
  auto dictionary =
      is_delta && dictionaries_.contains(id) ? std::make_shared<ArrowDictionary>(*dictionaries_[id]) : std::make_shared<ArrowDictionary>();
  const std::uint64_t before = dictionary->ends.empty() ? 0 : dictionary->ends.back();
  dictionary->ends.push_back(before + batch.arrays.front().length);
  dictionary->parts.push_back(std::move(batch.arrays.front()));
  dictionary->owners.insert(dictionary->owners.end(), batch.owners.begin(), batch.owners.end());
  dictionaries_[id] = std::move(dictionary);
}

void ArrowRows::begin(const FlatTable& table, std::uint64_t body_size, const BodyBytes& body) {
  batch_ = {};  // before the next one takes its memory
  batch_ = read_arrow_batch(schema_.fields, wanted_, {table, body_size, body}, limits_);
}

void ArrowRows::read(std::uint64_t row, const BatchSize& size, Batch& out) {
  auto rows = static_cast<std::uint32_t>(std::min<std::uint64_t>(std::max(size.rows, 1U), batch_.rows - row));
  out.columns.resize(columns_.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    in_context([&] { return "column " + schema_.schema->dotted_path_of(out.columns[i].leaf); },
               [&] {
                 rows = columns_[i].read(batch_, dictionaries_, row, rows, std::max<std::uint64_t>(size.bytes, 1), limits_, out.columns[i]);
               });
  }
  for (Column& column : out.columns) truncate(column, schema_.schema->leaf(column.leaf), rows);
  out.rows = rows;
}

}  // namespace leitong::parquet
