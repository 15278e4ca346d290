#include "outputs/parquet_objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "leitong/error.h"

namespace leitong::outputs {
namespace {

using parquet::FlatType;
using records::JsonValue;

constexpr std::uint32_t most_rows = 8192;  // of a batch

// None: null.
std::optional<FlatType> type_of(const JsonValue& value, const std::string& place, std::string_view key) {
  if (value.is_null()) return std::nullopt;
  std::string_view text;
  bool boolean = false;
  std::int64_t whole = 0;
  double number = 0;
  if (value.get(text)) return FlatType::string;
  if (value.get(boolean)) return FlatType::boolean;
  if (value.get(whole)) return FlatType::int64;
  if (value.get(number)) return FlatType::float64;
  throw Error(ErrorCode::usage, fmt::format("{}: \"{}\" is no plain value but a list, an object or a number of more than 64 bits, which a "
                                            "Parquet file is not made of here: say --output-format jsonl",
                                            place, key));
}

std::string_view name_of(FlatType type) {
  switch (type) {
    case FlatType::boolean:
      return "boolean";
    case FlatType::int64:
      return "whole number";
    case FlatType::float64:
      return "number";
    default:
      return "string";
  }
}

void put(parquet::FlatColumn& column, FlatType type, const JsonValue& value) {
  std::string_view text;
  bool boolean = false;
  std::int64_t whole = 0;
  double number = 0;
  if (type == FlatType::string && value.get(text)) return column.add(text);
  if (type == FlatType::boolean && value.get(boolean)) return column.add(boolean);
  if (type == FlatType::int64 && value.get(whole)) return column.add(whole);
  if (type == FlatType::float64 && value.get(number)) return column.add(number);
  column.add_null();
}

}  // namespace

ParquetObjects::ParquetObjects(parquet::Writer::Sink sink, std::string annotate_key)
    : sink_(std::move(sink)), annotate_key_(std::move(annotate_key)) {}
ParquetObjects::~ParquetObjects() = default;

void ParquetObjects::add(std::string_view object, const std::string& place, const RowAnnotation& annotation) {
  if (writer_) return write({std::string(object), place, annotation});
  JsonValue root;
  if (!parser_.parse(object, root)) throw Error(ErrorCode::format, place + ": a record is no JSON object any more; the input has changed");
  learn(root, place);
  waiting_.push_back({std::string(object), place, annotation});
  if (waiting_.size() == first_records) begin();
}

void ParquetObjects::learn(const JsonValue& object, const std::string& place) {
  records::JsonMembers members;
  object.get(members);
  for (const records::JsonMember& member : members) {
    const auto type = type_of(member.value, place, member.key);
    const auto field = std::ranges::find(fields_, member.key, [](const auto& f) { return std::string_view(f.first); });
    const auto at = static_cast<std::size_t>(field - fields_.begin());
    if (field == fields_.end()) {
      fields_.emplace_back(member.key, type.value_or(FlatType::string));
      known_.push_back(type.has_value());
    } else if (type && (!known_[at] || (field->second == FlatType::int64 && *type == FlatType::float64))) {
      field->second = *type;
      known_[at] = true;
    }
  }
}

void ParquetObjects::begin() {
  if (fields_.empty()) fields_.emplace_back("text", FlatType::string);  // no record came, and a Parquet file has a column
  std::vector<parquet::FlatField> fields;
  for (const auto& [name, type] : fields_) fields.push_back({name, type, false});
  schema_ = std::make_unique<parquet::Schema>(parquet::flat_schema(fields));
  if (!annotate_key_.empty()) *schema_ = parquet::extended(*schema_, annotation_fields(annotate_key_));
  for (std::uint32_t leaf = 0; leaf < fields.size(); ++leaf) columns_.emplace_back(*schema_, leaf);
  writer_ = std::make_unique<parquet::Writer>(std::move(sink_), *schema_, parquet::WriterOptions());
  added_ = std::make_unique<AnnotationColumns>(*schema_, static_cast<std::uint32_t>(fields.size()), !annotate_key_.empty());
  for (const Waiting& record : waiting_) write(record);
  waiting_.clear();
}

std::size_t ParquetObjects::column_of(std::string_view key, const std::string& place) const {
  for (std::size_t i = 0; i < fields_.size(); ++i)
    if (fields_[i].first == key) return i;
  throw Error(ErrorCode::usage,
              fmt::format("{}: a field \"{}\" that none of the first {} records has, so that the Parquet file has no column "
                          "for it: say --output-format jsonl",
                          place, key, first_records));
}

void ParquetObjects::write(const Waiting& record) {
  JsonValue root;
  records::JsonMembers members;
  if (!parser_.parse(record.object, root) || !root.get(members))
    throw Error(ErrorCode::format, record.place + ": a record is no JSON object any more; the input has changed");
  for (const records::JsonMember& member : members) {
    const std::size_t column = column_of(member.key, record.place);
    if (columns_[column].rows() > rows_) continue;  // of repeated keys the first counts
    const FlatType wanted = fields_[column].second;
    const auto type = type_of(member.value, record.place, member.key);
    if (type && *type != wanted && !(wanted == FlatType::float64 && *type == FlatType::int64))
      throw Error(ErrorCode::usage, fmt::format("{}: \"{}\" is a {}, and a {} in the first records: say --output-format jsonl",
                                                record.place, member.key, name_of(*type), name_of(wanted)));
    put(columns_[column], wanted, member.value);
  }
  ++rows_;
  for (parquet::FlatColumn& column : columns_)
    if (column.rows() < rows_) column.add_null();
  added_->add(record.annotation);
  if (rows_ == most_rows) write_batch();
}

void ParquetObjects::write_batch() {
  if (rows_ == 0) return;
  parquet::Batch batch;
  batch.rows = rows_;
  for (parquet::FlatColumn& column : columns_) batch.columns.push_back(column.take());
  added_->take(batch);
  writer_->append(batch, 0, rows_);
  rows_ = 0;
}

void ParquetObjects::finish() {
  if (!writer_) begin();
  write_batch();
  writer_->finish();
}

}  // namespace leitong::outputs
