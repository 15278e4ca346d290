#include "sketches/record_cursor.h"

#include <utility>

#include "leitong/error.h"
#include "leitong/file_name.h"
#include "records/format.h"
#include "records/json.h"

namespace leitong::sketches {

void RecordCursor::next_file() {
  if (reread_) ++file_;
  const SketchSet::File& file = set_.files()[file_];
  file_end_ = file.first_row + file.table->rows();
  std::vector<records::Source> sources = file.metadata.sources;
  if (!directory_.empty()) {
    for (records::Source& source : sources) {
      std::string path = directory_ + "/" + source.path;
      if (source.modified != 0 && !source.path.starts_with('/') && storage::posix_vfs().exists(path)) source.path = std::move(path);
    }
  }
  reread_ = std::make_unique<records::Reread>(file.metadata.input, std::move(sources), file.metadata.spool);
  block_ = std::make_unique<storage::Block>(file.table->schema());
  block_first_ = block_end_ = file.first_row;
  next_block_ = 0;
}

RecordCursor::Position RecordCursor::seek(std::uint64_t row) {
  while (!reread_ || row >= file_end_) next_file();
  const SketchSet::File& file = set_.files()[file_];
  while (row >= block_end_) {
    block_first_ = file.first_row + file.table->first_row(next_block_);
    block_end_ = block_first_ + file.table->block_rows(next_block_);
    if (row < block_end_) {
      const std::vector<std::size_t> columns = {SketchColumns::source, SketchColumns::offset, SketchColumns::length};
      file.table->read_block(next_block_, columns, *block_);
    }
    ++next_block_;
  }
  const std::size_t i = row - block_first_;
  if (file.metadata.fingerprints_only)
    throw Error(ErrorCode::unsupported,
                file.metadata.sources.at(block_->column<std::uint32_t>(SketchColumns::source)[i]).path + ": no text is kept there");
  return {block_->column<std::uint32_t>(SketchColumns::source)[i], block_->column<std::uint64_t>(SketchColumns::offset)[i],
          block_->column<std::uint64_t>(SketchColumns::length)[i]};
}

std::string_view RecordCursor::text(std::uint64_t row) {
  const Position at = seek(row);
  return reread_->text(at.source, at.offset, at.length);
}

std::string_view RecordCursor::raw(std::uint64_t row) {
  const Position at = seek(row);
  return reread_->raw(at.source, at.offset, at.length);
}

void RecordCursor::append_archived(std::uint64_t row, records::Compression packing, std::string& out) {
  const Position at = seek(row);
  reread_->append_archived(at.source, at.offset, at.length, packing, out);
}

void RecordCursor::append_archived_object(const Position& at, const records::Source& source, std::string_view id, std::string& out) {
  const records::Record& record = reread_->archived(at.source, at.offset, at.length);
  out.append("{\"id\":").append(id.empty() ? std::string_view("null") : id);
  for (const auto& [name, value] : {std::pair{"url", record.url}, {"date", record.date}, {"text", record.text}}) {
    out.append(",\"").append(name).append("\":");
    records::append_json_string(out, value);
  }
  out += ",\"source\":";
  records::append_json_string(out, shown_name(source.path));
  out.push_back('}');
}

void RecordCursor::append_object(std::uint64_t row, const records::Source& source, std::string_view id, std::string& out) {
  if (source.format == records::Format::jsonl || records::is_columnar(source.format)) {
    out += raw(row);
    return;
  }
  if (source.format == records::Format::warc) return append_archived_object(seek(row), source, id, out);
  out += "{\"id\":";
  out += id.empty() ? std::string_view("null") : id;
  out += ",\"text\":";
  records::append_json_string(out, text(row));
  out += ",\"source\":";
  records::append_json_string(out, shown_name(source.path));
  out.push_back('}');
}

TextOfRow texts_of_inputs(const SketchSet& set, const std::string& directory) {
  return [cursor = std::make_shared<RecordCursor>(set, directory)](std::uint64_t row) { return cursor->text(row); };
}

}  // namespace leitong::sketches
